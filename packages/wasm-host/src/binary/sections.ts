import { refuse } from "./features.js";
import { skipValueType } from "./instruction.js";
import { ByteReader } from "./reader.js";

/** Sections in their required order; custom sections are left out. */
const ORDER = [1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];
/** Beginning of a core module. */
export const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/**
 * Returns the sections of a core module by their numbers, without custom sections.
 * @param bytes - the module
 * @throws WasmFormatError
 */
export function readSections(bytes: Uint8Array): Map<number, ByteReader> {
  const reader = new ByteReader(bytes);
  for (const byte of HEADER) if (reader.u8() !== byte) reader.fail("the header is wrong");
  const sections = new Map<number, ByteReader>();
  let last = -1;
  while (!reader.done) {
    const id = reader.u8();
    const section = reader.part(reader.u32());
    if (id === 0) continue;
    const position = ORDER.indexOf(id);
    if (position < 0) reader.fail(`unknown section ${id}`);
    if (position <= last) reader.fail("sections are out of order");
    last = position;
    sections.set(id, section);
  }
  return sections;
}

/** Skips the type of a global. */
export function skipGlobalType(reader: ByteReader): void {
  skipValueType(reader);
  const mutability = reader.u8();
  if (mutability > 1) refuse("threads", "a shared global");
}

/** Reads the limits of a table or memory; `what` names it in errors. */
export function readLimits(
  reader: ByteReader,
  what: string,
): { readonly minimum: number; readonly maximum: number | undefined } {
  const flags = reader.u8();
  if ((flags & 2) !== 0) refuse("threads", `${what} that is shared`);
  if ((flags & 4) !== 0) refuse("memory64", `${what} with 64-bit addresses`);
  if ((flags & 8) !== 0) refuse("custom-page-sizes", what);
  if (flags > 1) reader.fail("unknown limits");
  const minimum = reader.u32();
  return { minimum, maximum: flags === 1 ? reader.u32() : undefined };
}
