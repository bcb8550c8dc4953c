/** Image types that models accept, by the bytes at an offset of the content. */
const SIGNATURES: readonly (readonly [type: string, bytes: string, offset: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n", 0],
  ["image/jpeg", "\xff\xd8\xff", 0],
  ["image/gif", "GIF87a", 0],
  ["image/gif", "GIF89a", 0],
  ["image/webp", "WEBP", 8],
];

/**
 * Returns the MIME type of an image that models accept: the type that a name or a sender declares is often wrong.
 * @param start - the first bytes of the content, 12 or more
 * @returns undefined for other content
 */
export function imageTypeOf(start: Uint8Array): string | undefined {
  const text = Array.from(start.subarray(0, 16), (byte) => String.fromCharCode(byte)).join("");
  return SIGNATURES.find(([, bytes, offset]) => text.startsWith(bytes, offset))?.[0];
}
