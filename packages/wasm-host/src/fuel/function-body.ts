import { type Instruction, readInstruction, skipValueType } from "../binary/instruction.js";
import type { ByteReader } from "../binary/reader.js";
import { ByteWriter } from "../binary/writer.js";
import type { MeterCode } from "./meter.js";

/** Maximum number of nested blocks in a function. */
const MAX_NESTING = 10_000;
/** Maximum number of locals of a function. */
const MAX_LOCALS = 50_000;

/** Changes of the pass in a module. */
export interface BodyChanges {
  readonly meter: MeterCode;
  /** Returns the index of a global after the meters were added. */
  global(index: number): number;
  /** Indices of the added functions. */
  readonly added: { readonly bytes: number; readonly items: number; readonly grow: number };
}

/** Instructions that always run together, charged where they begin. */
interface StraightBlock {
  readonly offset: number;
  readonly isChecked: boolean;
  units: number;
}

/** Block of the source that is open. */
interface OpenBlock {
  readonly kind: "block" | "loop" | "if" | "function";
  isTarget: boolean;
}

/** Replacement of an instruction, or code before it. */
interface Edit {
  readonly offset: number;
  readonly end: number;
  readonly code: (out: ByteWriter) => void;
}

/**
 * Returns the body of a function with the code that counts its fuel (WASM-016).
 * @param body - locals and instructions
 */
export function meteredBody(body: ByteReader, changes: BodyChanges): Uint8Array {
  const start = body.offset;
  skipLocals(body);
  const scan = new BodyScan(body, changes);
  return scan.write(start);
}

class BodyScan {
  readonly #body: ByteReader;
  readonly #changes: BodyChanges;
  readonly #edits: Edit[] = [];
  readonly #open: OpenBlock[] = [{ kind: "function", isTarget: false }];
  #current!: StraightBlock;

  constructor(body: ByteReader, changes: BodyChanges) {
    this.#body = body;
    this.#changes = changes;
    this.#begin(true);
    while (this.#open.length > 0) {
      const offset = body.offset;
      this.#visit(readInstruction(body), offset);
    }
    if (!body.done) body.fail("a function has instructions after its end");
  }

  write(start: number): Uint8Array {
    const out = new ByteWriter();
    const { bytes, end } = this.#body;
    let copied = start;
    for (const edit of this.#edits) {
      edit.code(out.raw(bytes.subarray(copied, edit.offset)));
      copied = edit.end;
    }
    return out.raw(bytes.subarray(copied, end)).written;
  }

  #visit({ role, opcode, operands }: Instruction, offset: number): void {
    if (role !== "else" && role !== "end") this.#current.units += 1;
    const { added, global } = this.#changes;
    switch (role) {
      case "block":
      case "loop":
      case "if":
        if (this.#open.length > MAX_NESTING) this.#body.fail("blocks are nested too deeply");
        this.#open.push({ kind: role, isTarget: false });
        if (role !== "block") this.#begin(role === "loop");
        break;
      case "else":
        if (this.#open.at(-1)?.kind !== "if") this.#body.fail("an else without an if");
        this.#begin(false);
        break;
      case "end": {
        const { kind, isTarget } = this.#open.pop() ?? this.#body.fail("an end without a block");
        // Only what follows the end of a loop runs exactly when the instructions before that end have run.
        if (kind === "if" || (kind === "block" && isTarget)) this.#begin(false);
        break;
      }
      case "branch":
      case "branch-if":
      case "branch-table":
        for (const label of operands) this.#target(label);
        this.#begin(false);
        break;
      case "stop":
        this.#begin(false);
        break;
      case "global":
        this.#replace(offset, (out) => out.byte(opcode).u32(global(operands[0] ?? 0)));
        break;
      case "grow":
        this.#replace(offset, (out) => out.byte(0x10).u32(added.grow));
        break;
      case "bytes":
      case "items": {
        const call = (out: ByteWriter) => void out.byte(0x10).u32(added[role]);
        this.#edits.push({ offset, end: offset, code: call });
        break;
      }
      case "plain":
        break;
    }
  }

  #begin(isChecked: boolean): void {
    const block: StraightBlock = { offset: this.#body.offset, isChecked, units: 0 };
    const { meter } = this.#changes;
    const code = (out: ByteWriter) => meter.charge(out, block.units, block.isChecked);
    this.#edits.push({ offset: block.offset, end: block.offset, code });
    this.#current = block;
  }

  #replace(offset: number, code: (out: ByteWriter) => unknown): void {
    this.#edits.push({ offset, end: this.#body.offset, code: (out) => void code(out) });
  }

  #target(label: number): void {
    const block = this.#open[this.#open.length - 1 - label];
    if (block === undefined) this.#body.fail("a branch leaves the function");
    else block.isTarget = true;
  }
}

function skipLocals(body: ByteReader): void {
  let locals = 0;
  for (let groups = body.u32(); groups > 0; groups -= 1) {
    locals += body.u32();
    skipValueType(body);
  }
  if (locals > MAX_LOCALS) body.fail("a function has too many locals");
}
