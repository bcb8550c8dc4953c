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
  /** Returns the index of the function to which the fuel of a call is passed, if there is one. */
  passing(index: number): number | undefined;
}

/**
 * Way in which a function receives its fuel and gives it back: by the global, or by its last parameter and its last result, which
 * engines keep in registers. `results` is the type of a block with the results of the source.
 */
export type FuelForm =
  | { readonly kind: "global" }
  | { readonly kind: "passed"; readonly results: Uint8Array };

/** Declared locals of a function. */
interface Locals {
  readonly groups: number;
  readonly count: number;
  /** Offset of the first group. */
  readonly start: number;
}

const CALL = 0x10;
const BLOCK = 0x02;
const END = 0x0b;
const RETURN = 0x0f;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;

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
 * @param parameters - number of parameters of the function in the source
 */
export function meteredBody(
  body: ByteReader,
  parameters: number,
  form: FuelForm,
  changes: BodyChanges,
): Uint8Array {
  const locals = readLocals(body);
  const end = body.offset;
  const isPassed = form.kind === "passed";
  const fuel = isPassed ? parameters : parameters + locals.count;
  const scan = new BodyScan(body, { fuel, form, changes });
  const out = new ByteWriter().u32(locals.groups + (isPassed ? 0 : 1));
  out.raw(body.bytes.subarray(locals.start, end));
  // One local more, which keeps the fuel.
  if (!isPassed) out.u32(1).byte(0x7e);
  return scan.write(end, out);
}

/** Returns the body of a function that takes the fuel from the global for one to which it is passed. */
export function passingBody(parameters: number, inner: number, meter: MeterCode): Uint8Array {
  const out = new ByteWriter().byte(0x00);
  for (let index = 0; index < parameters; index += 1) out.byte(LOCAL_GET).u32(index);
  meter.push(out);
  meter.pop(out.byte(CALL).u32(inner));
  return out.byte(END).written.slice();
}

/** Adds the functions that a body calls by their index, not through a table. */
export function addCalled(body: ByteReader, called: Set<number>): void {
  readLocals(body);
  while (!body.done) {
    const { opcode, role, operands } = readInstruction(body);
    if (role === "call" && opcode === CALL) called.add(operands[0] ?? 0);
  }
}

class BodyScan {
  readonly #body: ByteReader;
  readonly #changes: BodyChanges;
  readonly #form: FuelForm;
  /** Index of the local that keeps the fuel. */
  readonly #fuel: number;
  readonly #edits: Edit[] = [];
  readonly #open: OpenBlock[] = [{ kind: "function", isTarget: false }];
  #current!: StraightBlock;

  constructor(
    body: ByteReader,
    {
      fuel,
      form,
      changes,
    }: { readonly fuel: number; readonly form: FuelForm; readonly changes: BodyChanges },
  ) {
    this.#body = body;
    this.#fuel = fuel;
    this.#form = form;
    this.#changes = changes;
    this.#insert(body.offset, (out) => {
      // Branches that leave the function end this block, after which the fuel joins the results.
      if (form.kind === "passed") out.byte(BLOCK).raw(form.results);
      else changes.meter.take(out, fuel);
    });
    this.#begin(true);
    while (this.#open.length > 0) {
      const offset = body.offset;
      this.#visit(readInstruction(body), offset);
    }
    if (!body.done) body.fail("a function has instructions after its end");
  }

  write(start: number, out: ByteWriter): Uint8Array {
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
        if (kind === "function") this.#finish(offset);
        // Only what follows the end of a loop runs exactly when the instructions before that end have run.
        if (kind === "if" || (kind === "block" && isTarget)) this.#begin(false);
        break;
      }
      case "branch":
      case "branch-if":
      case "branch-table":
        for (const label of operands) this.#target(label);
        if (
          this.#form.kind === "global" &&
          operands.some((label) => label === this.#open.length - 1)
        ) {
          this.#store(offset);
        }
        this.#begin(false);
        break;
      case "stop":
        if (opcode === RETURN && this.#form.kind === "passed") {
          this.#insert(offset, (out) => out.byte(LOCAL_GET).u32(this.#fuel));
        } else this.#store(offset);
        this.#begin(false);
        break;
      case "call":
        this.#callSource(offset, opcode === CALL ? operands[0] : undefined);
        break;
      case "local": {
        const local = operands[0] ?? 0;
        if (this.#form.kind === "passed" && local >= this.#fuel) {
          this.#replace(offset, (out) => out.byte(opcode).u32(local + 1));
        }
        break;
      }
      case "global":
        this.#replace(offset, (out) => out.byte(opcode).u32(global(operands[0] ?? 0)));
        break;
      case "grow":
        this.#replace(offset, (out) => this.#call(out, added.grow));
        break;
      case "bytes":
      case "items":
        this.#insert(offset, (out) => this.#call(out, added[role]));
        break;
      case "plain":
        break;
    }
  }

  /** Ends the function, whose results are followed by the fuel when it was passed. */
  #finish(offset: number): void {
    if (this.#form.kind === "global") this.#store(offset);
    else this.#insert(offset, (out) => out.byte(END).byte(LOCAL_GET).u32(this.#fuel));
  }

  /** Counts a call of the source: the fuel is passed, or kept in the global while functions run that take it from there. */
  #callSource(offset: number, callee: number | undefined): void {
    const passing = callee === undefined ? undefined : this.#changes.passing(callee);
    const fuel = this.#fuel;
    if (passing !== undefined) {
      this.#replace(offset, (out) =>
        out.byte(LOCAL_GET).u32(fuel).byte(CALL).u32(passing).byte(LOCAL_SET).u32(fuel),
      );
      return;
    }
    this.#store(offset);
    this.#insert(this.#body.offset, (out) => this.#changes.meter.take(out, fuel));
  }

  #begin(isChecked: boolean): void {
    const block: StraightBlock = { offset: this.#body.offset, isChecked, units: 0 };
    const { meter } = this.#changes;
    this.#insert(block.offset, (out) =>
      meter.charge(out, this.#fuel, block.units, block.isChecked),
    );
    this.#current = block;
  }

  /** Calls an added function, which charges the fuel itself. */
  #call(out: ByteWriter, index: number): void {
    const { meter } = this.#changes;
    meter.store(out, this.#fuel);
    out.byte(CALL).u32(index);
    meter.take(out, this.#fuel);
  }

  /** Stores the fuel before an instruction with which the function ends or calls another one. */
  #store(offset: number): void {
    this.#insert(offset, (out) => this.#changes.meter.store(out, this.#fuel));
  }

  #insert(offset: number, code: (out: ByteWriter) => void): void {
    this.#edits.push({ offset, end: offset, code });
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

function readLocals(body: ByteReader): Locals {
  const groups = body.u32();
  const start = body.offset;
  let count = 0;
  for (let rest = groups; rest > 0; rest -= 1) {
    count += body.u32();
    skipValueType(body);
  }
  // Engines accept 50 000, of which one keeps the fuel.
  if (count >= MAX_LOCALS) body.fail("a function has too many locals");
  return { groups, count, start };
}
