/**
 * Code units of a text as numbers. Loops over single units read them much faster than `charCodeAt`, which looks at the
 * representation of the string each time.
 */
export type Units = Uint8Array | Uint16Array;

/** Decided at once for a string that the engine stores with one byte for each unit, as it stores nearly all strings. */
const WIDE = /[^\0-\xff]/;

/** Returns the code units of a text; halves of characters stay as they are. */
export function unitsOf(text: string): Units {
  if (!WIDE.test(text)) return Buffer.from(text, "latin1");
  const bytes = Buffer.from(text, "utf16le");
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}
