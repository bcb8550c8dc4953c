/** Texts of the canonical ABI, which has UTF-8, for AssemblyScript, which has UTF-16. Nothing is freed: each call has a fresh instance. */

export function realloc(old: usize, oldSize: usize, align: usize, size: usize): usize {
  const at = heap.alloc(size);
  if (oldSize > 0) memory.copy(at, old, min(oldSize, size));
  return at;
}

export function textOf(at: usize, length: i32): string {
  return String.UTF8.decodeUnsafe(at, length);
}

/** Bytes of a text, which the host reads. */
export function bytesOf(text: string): ArrayBuffer {
  return String.UTF8.encode(text);
}

export function addressOf(bytes: ArrayBuffer): usize {
  return changetype<usize>(bytes);
}

/** Writes the address and the length of a text. */
export function storeText(at: usize, text: string): void {
  const bytes = bytesOf(text);
  store<usize>(at, addressOf(bytes));
  store<i32>(at + 4, bytes.byteLength);
}

/** Memory for a result, filled with zeros. */
export function result(size: usize): usize {
  const at = heap.alloc(size);
  memory.fill(at, 0, size);
  return at;
}
