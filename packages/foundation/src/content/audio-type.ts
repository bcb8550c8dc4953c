/** Types of recorded audio, by the bytes at an offset of the content. */
const SIGNATURES: readonly (readonly [type: string, bytes: string, offset: number])[] = [
  ["audio/webm", "\x1aE\xdf\xa3", 0],
  ["audio/ogg", "OggS", 0],
  ["audio/wav", "WAVE", 8],
  ["audio/flac", "fLaC", 0],
  ["audio/mpeg", "ID3", 0],
  ["audio/mpeg", "\xff\xfb", 0],
  ["audio/mpeg", "\xff\xf3", 0],
  ["audio/mp4", "ftypM4A ", 4],
  ["audio/mp4", "ftypmp4", 4],
  ["audio/mp4", "ftypiso", 4],
];

/**
 * Returns the MIME type of a recording: the type that a name or a sender declares is often wrong.
 * @param start - the first bytes of the content, 12 or more
 * @returns undefined for other content
 */
export function audioTypeOf(start: Uint8Array): string | undefined {
  const text = Array.from(start.subarray(0, 16), (byte) => String.fromCharCode(byte)).join("");
  return SIGNATURES.find(([, bytes, offset]) => text.startsWith(bytes, offset))?.[0];
}
