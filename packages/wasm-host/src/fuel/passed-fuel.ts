import { skipValueType } from "../binary/instruction.js";
import type { ByteReader } from "../binary/reader.js";
import { ByteWriter } from "../binary/writer.js";
import { addCalled, type FuelForm } from "./function-body.js";

/** Maximum number of parameters and of results that engines accept. */
const MAX_VALUES = 1000;
const FUNCTION_TYPE = 0x60;
const I64 = 0x7e;
const NO_RESULTS = 0x40;

/** Types of a function in the source. */
export interface SourceType {
  readonly parameters: Values;
  readonly results: Values;
}

/** Number of values, and the bytes of their types. */
export interface Values {
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** A function of the source with a second form, to which its fuel is passed. */
export interface PassedFunction {
  readonly type: number;
  readonly index: number;
  readonly form: FuelForm;
}

/**
 * Gives the functions that others call by index a second form, which takes the fuel as its last parameter and returns it as
 * its last result. A call then costs no access to a global of another instance. Tables, exports and imports have the
 * function of the source, which passes the fuel of the global on.
 */
export class PassedFuel {
  readonly #types: readonly SourceType[];
  /** Number of types of the source, and of those that the pass adds before these. */
  readonly #firstType: number;
  readonly #called = new Set<number>();
  readonly #functions = new Map<number, PassedFunction>();

  constructor(types: readonly SourceType[], firstType: number) {
    this.#types = types;
    this.#firstType = firstType;
  }

  /** Number of added types: of the second form and of a block with its results, for each type of the source. */
  get typeCount(): number {
    return this.#types.length * 2;
  }

  get functions(): ReadonlyMap<number, PassedFunction> {
    return this.#functions;
  }

  writeTypes(out: ByteWriter): void {
    for (const { parameters, results } of this.#types) {
      const extra = isPassable({ parameters, results }) ? 1 : 0;
      out.byte(FUNCTION_TYPE);
      for (const { count, bytes } of [parameters, results]) {
        out.u32(count + extra).raw(bytes);
        if (extra > 0) out.byte(I64);
      }
      out.byte(FUNCTION_TYPE).u32(0).u32(results.count).raw(results.bytes);
    }
  }

  /** Finds the functions that others call by index. */
  scan(code: ByteReader): void {
    for (let rest = code.u32(); rest > 0; rest -= 1) addCalled(code.part(code.u32()), this.#called);
  }

  /**
   * Gives the called functions their second form.
   * @param typeOf - types of the functions that the module defines
   * @param imported - number of imported functions, which come before them
   * @param firstIndex - index of the first function of the second form
   */
  assign(typeOf: readonly number[], imported: number, firstIndex: number): void {
    for (const [position, type] of typeOf.entries()) {
      const source = this.#types[type];
      const index = imported + position;
      if (source === undefined || !isPassable(source) || !this.#called.has(index)) continue;
      this.#functions.set(index, {
        type: this.#firstType + type * 2,
        index: firstIndex + this.#functions.size,
        form: { kind: "passed", results: this.#blockType(type, source.results) },
      });
    }
  }

  #blockType(type: number, { count, bytes }: Values): Uint8Array {
    if (count === 0) return new Uint8Array([NO_RESULTS]);
    if (count === 1) return bytes;
    return new ByteWriter().positive(this.#firstType + type * 2 + 1).written.slice();
  }
}

/** Reads the types of parameters or of results. */
export function readValues(reader: ByteReader): Values {
  const count = reader.u32();
  const start = reader.offset;
  for (let rest = count; rest > 0; rest -= 1) skipValueType(reader);
  return { count, bytes: reader.bytes.subarray(start, reader.offset) };
}

function isPassable({ parameters, results }: SourceType): boolean {
  return parameters.count < MAX_VALUES && results.count < MAX_VALUES;
}
