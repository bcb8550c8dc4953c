import fc, { type Arbitrary } from "fast-check";

/** Every character: all code points but halves of surrogate pairs. */
const character = fc
  .oneof(
    { weight: 27, arbitrary: fc.integer({ min: 0, max: 0xd7ff }) },
    { weight: 528, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
  )
  .map((codePoint) => String.fromCodePoint(codePoint));

/**
 * Returns strings of any characters. The unit `binary` of fast-check has the same ones, and keeps a table of all 1.1 million
 * of them, which takes a second to make in each process.
 * @param options - `maxLength` in characters
 */
export function anyText(options: { readonly maxLength?: number } = {}): Arbitrary<string> {
  return fc.string({ ...options, unit: character });
}
