import { ByteReader } from "../binary/reader.js";
import { WasmComponentError } from "../errors.js";

/** Names at the outside of a component. */
export interface ComponentNames {
  readonly imports: readonly string[];
  readonly exports: readonly string[];
}

const CORE = [0x01, 0x00, 0x00, 0x00];
const COMPONENT = [0x0d, 0x00, 0x01, 0x00];
const IMPORTS = 10;
const EXPORTS = 11;

/**
 * Returns the names of the imports and exports of a component.
 * @param bytes - content of a file
 * @throws WasmComponentError for a core module without component metadata (WASM-005)
 * @throws WasmFormatError for anything else that is not a component
 */
export function componentNames(bytes: Uint8Array): ComponentNames {
  const reader = new ByteReader(bytes);
  for (const byte of [0x00, 0x61, 0x73, 0x6d]) {
    if (reader.u8() !== byte) reader.fail("the header is wrong");
  }
  const version = [reader.u8(), reader.u8(), reader.u8(), reader.u8()];
  if (equal(version, CORE)) {
    throw new WasmComponentError(
      "the file is a core module and not a component",
      "build it as a component, for example with `cargo build --target wasm32-wasip2`, or make one with `wasm-tools component new` after `wasm-tools component embed`",
    );
  }
  if (!equal(version, COMPONENT)) reader.fail("the version of the binary format is unknown");
  const imports: string[] = [];
  const exports: string[] = [];
  while (!reader.done) {
    const id = reader.u8();
    const section = reader.part(reader.u32());
    if (id === IMPORTS) readImports(section, imports);
    else if (id === EXPORTS) readExports(section, exports);
  }
  return { imports, exports };
}

function readImports(section: ByteReader, names: string[]): void {
  for (let rest = section.u32(); rest > 0; rest -= 1) {
    names.push(readName(section));
    skipType(section);
  }
}

function readExports(section: ByteReader, names: string[]): void {
  for (let rest = section.u32(); rest > 0; rest -= 1) {
    names.push(readName(section));
    // The sort of a core item has a second byte.
    if (section.u8() === 0x00) section.u8();
    section.u32();
    if (section.u8() === 0x01) skipType(section);
  }
}

function readName(section: ByteReader): string {
  const form = section.u8();
  if (form > 0x02) section.fail("unknown form of name");
  const name = section.name();
  if (form === 0x02) section.name();
  return name;
}

function skipType(section: ByteReader): void {
  const kind = section.u8();
  if (kind === 0x00) section.u8();
  // The bound of a type or value says whether an index follows.
  if (kind === 0x02 || kind === 0x03) {
    const bound = section.u8();
    if (kind === 0x03 && bound === 0x01) return;
  }
  section.u32();
}

function equal(left: readonly number[], right: readonly number[]): boolean {
  return left.every((value, index) => value === right[index]);
}
