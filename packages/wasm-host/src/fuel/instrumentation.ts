import { refuse } from "../binary/features.js";
import { readInstruction, skipValueType } from "../binary/instruction.js";
import { ByteReader } from "../binary/reader.js";
import { HEADER, readLimits, readSections, skipGlobalType } from "../binary/sections.js";
import { ByteWriter } from "../binary/writer.js";
import { WasmFormatError } from "../errors.js";
import { meteredBody, passingBody } from "./function-body.js";
import { METER_MODULE, METERS, MeterCode } from "./meter.js";
import { PassedFuel, readValues, type SourceType } from "./passed-fuel.js";

/** Maximum number of elements of a table (WASM-015). */
const MAX_TABLE_ELEMENTS = 10_000;

/** Number of functions that charge bulk operations. */
const ADDED_FUNCTIONS = 3;

/** A module that counts its fuel. */
export interface InstrumentedModule {
  readonly bytes: Uint8Array;
  /** Pages that its own memory has from the beginning. */
  readonly pages: number;
  /** Number of tables that it creates. */
  readonly tables: number;
}

/**
 * Returns a core module with code that counts fuel, and with its memory and tables limited (WASM-016, WASM-021). It then
 * imports the {@link METERS}.
 * @param bytes - the module
 * @throws WasmFeatureError for a module that uses a proposal that is not accepted
 * @throws WasmFormatError for a module that is not valid
 */
export function instrumentModule(bytes: Uint8Array): InstrumentedModule {
  const sections = readSections(bytes);
  const pass = new ModulePass(bytes, sections);
  const result = pass.run();
  // What the engine does not accept is refused only here, so that a refused proposal is named before.
  if (!WebAssembly.validate(bytes)) {
    throw new WasmFormatError("the engine does not accept it as a core module");
  }
  if (!WebAssembly.validate(result.bytes)) {
    throw new WasmFormatError("it cannot be instrumented");
  }
  return result;
}

class ModulePass {
  readonly #bytes: Uint8Array;
  readonly #sections: ReadonlyMap<number, ByteReader>;
  readonly #types: SourceType[] = [];
  #passed = new PassedFuel([], 0);
  /** Type of each defined function. */
  readonly #typeOf: number[] = [];
  #functions = 0;
  #importedGlobals = 0;
  #memories = 0;
  #pages = 0;
  #tables = 0;

  constructor(bytes: Uint8Array, sections: ReadonlyMap<number, ByteReader>) {
    this.#bytes = bytes;
    this.#sections = sections;
  }

  run(): InstrumentedModule {
    const out = new ByteWriter().byte(...HEADER);
    const put = (id: number, write: (reader: ByteReader | undefined) => ByteWriter | undefined) => {
      const reader = this.#sections.get(id);
      const written = write(reader);
      if (reader !== undefined && !reader.done)
        reader.fail(`section ${id} is longer than its items`);
      if (written !== undefined) out.byte(id).sized(written.written);
    };
    put(1, (reader) => this.#typeSection(reader));
    put(2, (reader) => this.#importSection(reader));
    put(3, (reader) => this.#functionSection(reader));
    put(4, (reader) => reader && this.#tableSection(reader));
    put(5, (reader) => reader && this.#memorySection(reader));
    if (this.#sections.has(13)) refuse("exception-handling", "the section of tags");
    put(6, (reader) => reader && this.#globalSection(reader));
    put(7, (reader) => reader && this.#exportSection(reader));
    put(8, (reader) => reader && copied(reader));
    put(9, (reader) => reader && this.#elementSection(reader));
    put(12, (reader) => reader && copied(reader));
    put(10, (reader) => this.#codeSection(reader));
    put(11, (reader) => reader && this.#dataSection(reader));
    return { bytes: out.written.slice(), pages: this.#pages, tables: this.#tables };
  }

  #typeSection(reader: ByteReader | undefined): ByteWriter {
    const count = reader?.u32() ?? 0;
    const start = reader?.offset ?? 0;
    for (let rest = count; rest > 0 && reader; rest -= 1) {
      const form = reader.u8();
      if (form === 0x50 || form === 0x4f || form === 0x4e || form === 0x5f || form === 0x5e) {
        refuse("gc", "the section of types");
      }
      if (form === 0x5d) refuse("stack-switching", "the section of types");
      if (form !== 0x60) reader.fail("unknown kind of type");
      this.#types.push({ parameters: readValues(reader), results: readValues(reader) });
    }
    // The type of the added functions comes first.
    this.#passed = new PassedFuel(this.#types, count + 1);
    const out = new ByteWriter().u32(count + 1 + this.#passed.typeCount);
    if (reader !== undefined) out.raw(this.#bytes.subarray(start, reader.offset));
    this.#passed.writeTypes(out.byte(0x60, 0x01, 0x7f, 0x01, 0x7f));
    return out;
  }

  #importSection(reader: ByteReader | undefined): ByteWriter {
    const count = reader?.u32() ?? 0;
    const out = new ByteWriter().u32(count + METERS.length);
    for (let rest = count; rest > 0; rest -= 1) if (reader) this.#import(reader, out);
    for (const { name, type } of METERS) out.name(METER_MODULE).name(name).byte(0x03, type, 0x01);
    return out;
  }

  #import(reader: ByteReader, out: ByteWriter): void {
    const module = reader.name();
    out.name(module).name(reader.name());
    if (module === METER_MODULE) reader.fail(`the module "${METER_MODULE}" cannot be imported`);
    const kind = reader.u8();
    out.byte(kind);
    if (kind === 0) {
      this.#functions += 1;
      out.u32(reader.u32());
    } else if (kind === 1) this.#table(reader, out);
    else if (kind === 2) this.#memory(reader, out);
    else if (kind === 3) {
      this.#importedGlobals += 1;
      this.#copy(reader, out, () => skipGlobalType(reader));
    } else if (kind === 4) refuse("exception-handling", "an imported tag");
    else reader.fail("unknown kind of import");
  }

  #functionSection(reader: ByteReader | undefined): ByteWriter {
    const defined = reader?.u32() ?? 0;
    for (let rest = defined; rest > 0 && reader; rest -= 1) this.#typeOf.push(reader.u32());
    const imported = this.#functions;
    this.#functions += defined;
    const code = this.#sections.get(10);
    if (code) this.#passed.scan(new ByteReader(this.#bytes, code.offset, code.end));
    this.#passed.assign(this.#typeOf, imported, this.#functions + ADDED_FUNCTIONS);
    const passed = [...this.#passed.functions.values()];
    const out = new ByteWriter().u32(defined + ADDED_FUNCTIONS + passed.length);
    for (const type of this.#typeOf) out.u32(type);
    for (let rest = ADDED_FUNCTIONS; rest > 0; rest -= 1) out.u32(this.#types.length);
    for (const { type } of passed) out.u32(type);
    return out;
  }

  #tableSection(reader: ByteReader): ByteWriter {
    this.#tables = reader.u32();
    const out = new ByteWriter().u32(this.#tables);
    for (let rest = this.#tables; rest > 0; rest -= 1) {
      if (reader.peek() === 0x40) refuse("function-references", "a table with an initial value");
      this.#table(reader, out);
    }
    return out;
  }

  /** Limits the table, so that the guest's grow fails beyond the limit. */
  #table(reader: ByteReader, out: ByteWriter): void {
    this.#copy(reader, out, () => skipValueType(reader));
    const { minimum, maximum } = readLimits(reader, "a table");
    const limited = Math.min(maximum ?? MAX_TABLE_ELEMENTS, MAX_TABLE_ELEMENTS);
    if (minimum > MAX_TABLE_ELEMENTS) {
      reader.fail(`a table of ${minimum} elements, more than ${MAX_TABLE_ELEMENTS},`);
    }
    out.byte(0x01).u32(minimum).u32(Math.max(limited, minimum));
  }

  #memorySection(reader: ByteReader): ByteWriter {
    const count = reader.u32();
    const out = new ByteWriter().u32(count);
    for (let rest = count; rest > 0; rest -= 1) this.#pages += this.#memory(reader, out);
    return out;
  }

  #memory(reader: ByteReader, out: ByteWriter): number {
    this.#memories += 1;
    if (this.#memories > 1) refuse("multi-memory", "a second memory");
    const { minimum, maximum } = readLimits(reader, "a memory");
    out.byte(maximum === undefined ? 0x00 : 0x01).u32(minimum);
    if (maximum !== undefined) out.u32(maximum);
    return minimum;
  }

  #globalSection(reader: ByteReader): ByteWriter {
    const count = reader.u32();
    const out = new ByteWriter().u32(count);
    for (let rest = count; rest > 0; rest -= 1) {
      this.#copy(reader, out, () => skipGlobalType(reader));
      this.#expression(reader, out);
    }
    return out;
  }

  #exportSection(reader: ByteReader): ByteWriter {
    const count = reader.u32();
    const out = new ByteWriter().u32(count);
    for (let rest = count; rest > 0; rest -= 1) {
      out.name(reader.name());
      const kind = reader.u8();
      if (kind === 4) refuse("exception-handling", "an exported tag");
      const index = reader.u32();
      out.byte(kind).u32(kind === 3 ? this.#global(index) : index);
    }
    return out;
  }

  #elementSection(reader: ByteReader): ByteWriter {
    const count = reader.u32();
    const out = new ByteWriter().u32(count);
    for (let rest = count; rest > 0; rest -= 1) {
      const flags = reader.u32();
      if (flags > 7) reader.fail("unknown kind of element segment");
      out.u32(flags);
      const isActive = (flags & 1) === 0;
      if (isActive && (flags & 2) !== 0) out.u32(reader.u32());
      if (isActive) this.#expression(reader, out);
      const hasKind = (flags & 3) !== 0;
      const hasExpressions = (flags & 4) !== 0;
      if (hasKind) {
        this.#copy(reader, out, () => (hasExpressions ? skipValueType(reader) : reader.u8()));
      }
      const items = reader.u32();
      out.u32(items);
      for (let item = 0; item < items; item += 1) {
        if (hasExpressions) this.#expression(reader, out);
        else out.u32(reader.u32());
      }
    }
    return out;
  }

  #codeSection(reader: ByteReader | undefined): ByteWriter {
    const count = reader?.u32() ?? 0;
    const passed = this.#passed.functions;
    const out = new ByteWriter().u32(count + ADDED_FUNCTIONS + passed.size);
    const meter = new MeterCode(this.#importedGlobals);
    const changes = {
      meter,
      added: { bytes: this.#functions, items: this.#functions + 1, grow: this.#functions + 2 },
      global: (index: number) => this.#global(index),
      passing: (index: number) => passed.get(index)?.index,
    };
    const imported = this.#functions - this.#typeOf.length;
    const inner = new ByteWriter();
    for (let index = 0; index < count && reader; index += 1) {
      const parameters = this.#types[this.#typeOf[index] ?? 0]?.parameters.count ?? 0;
      const body = reader.part(reader.u32());
      const second = passed.get(imported + index);
      const form = second?.form ?? { kind: "global" };
      (second ? inner : out).sized(meteredBody(body, parameters, form, changes));
      if (second) out.sized(passingBody(parameters, second.index, meter));
    }
    for (const body of meter.functions(this.#memories > 0)) out.sized(body);
    return out.raw(inner.written);
  }

  #dataSection(reader: ByteReader): ByteWriter {
    const count = reader.u32();
    const out = new ByteWriter().u32(count);
    for (let rest = count; rest > 0; rest -= 1) {
      const flags = reader.u32();
      if (flags > 2) reader.fail("unknown kind of data segment");
      out.u32(flags);
      if (flags === 2) out.u32(reader.u32());
      if (flags !== 1) this.#expression(reader, out);
      const content = reader.part(reader.u32());
      out.sized(this.#bytes.subarray(content.offset, content.end));
    }
    return out;
  }

  /** Copies a constant expression with its globals. */
  #expression(reader: ByteReader, out: ByteWriter): void {
    for (;;) {
      const start = reader.offset;
      const { role, opcode, operands } = readInstruction(reader);
      if (role === "global") out.byte(opcode).u32(this.#global(operands[0] ?? 0));
      else out.raw(this.#bytes.subarray(start, reader.offset));
      if (role === "end") return;
    }
  }

  #copy(reader: ByteReader, out: ByteWriter, skip: () => unknown): void {
    const start = reader.offset;
    skip();
    out.raw(this.#bytes.subarray(start, reader.offset));
  }

  /** The meters follow the imported globals. */
  #global(index: number): number {
    return index < this.#importedGlobals ? index : index + METERS.length;
  }
}

function copied(reader: ByteReader): ByteWriter {
  const out = new ByteWriter().raw(reader.bytes.subarray(reader.offset, reader.end));
  reader.offset = reader.end;
  return out;
}
