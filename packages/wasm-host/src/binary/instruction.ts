import type { RefusedFeature } from "../errors.js";
import { isValueType, refuse } from "./features.js";
import type { ByteReader } from "./reader.js";

/** Role of an instruction in the instrumentation; `plain` ones are copied. */
export type InstructionRole =
  | "plain"
  | "block"
  | "loop"
  | "if"
  | "else"
  | "end"
  | "branch"
  | "branch-if"
  | "branch-table"
  | "stop"
  | "call"
  | "local"
  | "global"
  | "bytes"
  | "items"
  | "grow";

/** One instruction of a function. */
export interface Instruction {
  readonly role: InstructionRole;
  readonly opcode: number;
  /** Labels of a branch, and the index of a called function, a local or a global. */
  readonly operands: readonly number[];
}

const NONE: readonly number[] = [];

/** Proposal of each opcode that is not accepted. */
const REFUSED: Readonly<Record<number, RefusedFeature>> = {
  ...Object.fromEntries(
    [0x06, 0x07, 0x08, 0x09, 0x0a, 0x18, 0x19, 0x1f].map((opcode) => [
      opcode,
      "exception-handling" as const,
    ]),
  ),
  18: "tail-call",
  19: "tail-call",
  20: "function-references",
  21: "function-references",
  211: "gc",
  212: "function-references",
  213: "function-references",
  214: "function-references",
  251: "gc",
  254: "threads",
  ...Object.fromEntries(
    [0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5].map((opcode) => [opcode, "stack-switching" as const]),
  ),
};

/**
 * Reads one instruction.
 * @throws WasmFeatureError for an instruction of a proposal that is not accepted
 * @throws WasmFormatError for bytes that are not an instruction
 */
export function readInstruction(reader: ByteReader): Instruction {
  const start = reader.offset;
  const opcode = reader.u8();
  const plain = instruction("plain", opcode);
  // Numeric instructions have no operands.
  if (opcode >= 0x45 && opcode <= 0xc4) return plain;
  if (opcode >= 0x28 && opcode <= 0x3e) {
    skipMemoryArgument(reader);
    return plain;
  }
  switch (opcode) {
    case 0x01:
    case 0x1a:
    case 0x1b:
    case 0xd1:
      return plain;
    case 0x00:
    case 0x0f:
      return instruction("stop", opcode);
    case 0x02:
    case 0x03:
    case 0x04:
      skipBlockType(reader);
      return instruction(opcode === 0x02 ? "block" : opcode === 0x03 ? "loop" : "if", opcode);
    case 0x05:
      return instruction("else", opcode);
    case 0x0b:
      return instruction("end", opcode);
    case 0x0c:
      return instruction("branch", opcode, [reader.u32()]);
    case 0x0d:
      return instruction("branch-if", opcode, [reader.u32()]);
    case 0x0e:
      return instruction("branch-table", opcode, readLabels(reader));
    case 0x10:
      return instruction("call", opcode, [reader.u32()]);
    case 0x20:
    case 0x21:
    case 0x22:
      return instruction("local", opcode, [reader.u32()]);
    case 0x25:
    case 0x26:
    case 0xd2:
      reader.u32();
      return plain;
    case 0x23:
    case 0x24:
      return instruction("global", opcode, [reader.u32()]);
    case 0x11:
      reader.u32();
      reader.u32();
      return instruction("call", opcode);
    case 0x1c:
      skipTypes(reader);
      return plain;
    case 0x3f:
      onlyMemory(reader, reader.u32());
      return plain;
    case 0x40:
      onlyMemory(reader, reader.u32());
      return instruction("grow", opcode);
    case 0x41:
      reader.skipSigned(32);
      return plain;
    case 0x42:
      reader.skipSigned(64);
      return plain;
    case 0x43:
      reader.skip(4);
      return plain;
    case 0x44:
      reader.skip(8);
      return plain;
    case 0xd0:
      skipHeapType(reader);
      return plain;
    case 0xfc:
      return readBulk(reader, opcode);
    case 0xfd:
      skipVector(reader);
      return plain;
    default: {
      const refused = REFUSED[opcode];
      if (refused !== undefined) refuse(refused, `an instruction at byte ${start}`);
      return reader.fail(`unknown instruction 0x${opcode.toString(16)}`);
    }
  }
}

/** Skips the types of a `select`, of parameters or of results, and returns their number. */
function skipTypes(reader: ByteReader): number {
  const count = reader.u32();
  for (let rest = count; rest > 0; rest -= 1) skipValueType(reader);
  return count;
}

/** Skips one value type. */
export function skipValueType(reader: ByteReader): void {
  if (!isValueType(reader.peek(), `a type at byte ${reader.offset}`)) {
    reader.fail("unknown value type");
  }
  reader.u8();
}

function instruction(
  role: InstructionRole,
  opcode: number,
  operands: readonly number[] = NONE,
): Instruction {
  return { role, opcode, operands };
}

function readLabels(reader: ByteReader): number[] {
  const labels: number[] = [];
  for (let rest = reader.u32(); rest >= 0; rest -= 1) labels.push(reader.u32());
  return labels;
}

function skipBlockType(reader: ByteReader): void {
  const byte = reader.peek();
  if (byte === 0x40) reader.u8();
  // Types have the second highest bit of one byte; what has not is the index of a type.
  else if (byte < 0x80 && byte >= 0x40) skipValueType(reader);
  else reader.skipSigned(33);
}

function skipHeapType(reader: ByteReader): void {
  const place = `a type at byte ${reader.offset}`;
  if (reader.peek() < 0x40) refuse("function-references", place);
  skipValueType(reader);
}

function skipMemoryArgument(reader: ByteReader): void {
  const place = reader.offset;
  const alignment = reader.u32();
  if (alignment >= 64) refuse("multi-memory", `a memory access at byte ${place}`);
  reader.u32();
}

function onlyMemory(reader: ByteReader, index: number): void {
  if (index !== 0) refuse("multi-memory", `a memory access at byte ${reader.offset}`);
}

function readBulk(reader: ByteReader, opcode: number): Instruction {
  const start = reader.offset;
  const bulk = reader.u32();
  switch (bulk) {
    case 8:
      reader.u32();
      onlyMemory(reader, reader.u32());
      return instruction("bytes", opcode);
    case 10:
      onlyMemory(reader, reader.u32());
      onlyMemory(reader, reader.u32());
      return instruction("bytes", opcode);
    case 11:
      onlyMemory(reader, reader.u32());
      return instruction("bytes", opcode);
    case 12:
    case 14:
      reader.u32();
      reader.u32();
      return instruction("items", opcode);
    case 15:
    case 17:
      reader.u32();
      return instruction("items", opcode);
    case 9:
    case 13:
    case 16:
      reader.u32();
      return instruction("plain", opcode);
    default:
      if (bulk <= 7) return instruction("plain", opcode);
      if (bulk >= 19 && bulk <= 22) refuse("wide-arithmetic", `an instruction at byte ${start}`);
      return reader.fail(`unknown instruction 0xfc ${bulk}`);
  }
}

function skipVector(reader: ByteReader): void {
  const start = reader.offset;
  const vector = reader.u32();
  if (vector >= 256) refuse("relaxed-simd", `an instruction at byte ${start}`);
  if (vector <= 11 || vector === 92 || vector === 93) skipMemoryArgument(reader);
  else if (vector === 12 || vector === 13) reader.skip(16);
  else if (vector >= 21 && vector <= 34) reader.skip(1);
  else if (vector >= 84 && vector <= 91) {
    skipMemoryArgument(reader);
    reader.skip(1);
  }
}
