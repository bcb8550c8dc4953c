const BINARIES: readonly Signature[] = [
  { kind: "a PDF document", bytes: ascii("%PDF-") },
  { kind: "a ZIP archive or an office document", bytes: ascii("PK\u0003\u0004") },
  { kind: "a gzip archive", bytes: [0x1f, 0x8b] },
  { kind: "a Zstandard archive", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { kind: "an xz archive", bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { kind: "a tar archive", bytes: ascii("ustar"), at: 257 },
  { kind: "an SQLite database", bytes: ascii("SQLite format 3\0") },
  { kind: "an ELF program", bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { kind: "a Mach-O program", bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { kind: "a WebAssembly module", bytes: ascii("\0asm") },
  { kind: "UTF-16 text", bytes: [0xff, 0xfe] },
  { kind: "UTF-16 text", bytes: [0xfe, 0xff] },
];

interface Signature {
  readonly kind: string;
  readonly bytes: readonly number[];
  /** Offset of the signature in the file; 0 when absent. */
  readonly at?: number;
}

/**
 * Returns the kind of a file that cannot be shown as UTF-8 text.
 * @param start - the first bytes of a file
 * @returns a noun phrase, or undefined when the bytes look like text
 */
export function binaryKindOf(start: Uint8Array): string | undefined {
  const known = BINARIES.find((signature) => matches(start, signature));
  return known?.kind ?? (start.includes(0) ? "binary data" : undefined);
}

function matches(start: Uint8Array, { bytes, at = 0 }: Signature): boolean {
  return bytes.every((byte, index) => start[at + index] === byte);
}

function ascii(text: string): number[] {
  return [...Buffer.from(text, "latin1")];
}
