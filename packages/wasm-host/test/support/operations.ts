/** Value types of generated code. */
export type ValueType = "i32" | "i64" | "f32" | "f64" | "v128";

/** Numeric instruction with its types; `tail` are bytes after the opcode, for example a lane. */
export interface Operation {
  readonly name: string;
  readonly code: readonly number[];
  readonly params: readonly ValueType[];
  readonly result: ValueType;
}

/** Returns operations with consecutive opcodes. */
function range(
  first: number,
  last: number,
  params: readonly ValueType[],
  result: ValueType,
): Operation[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const code = first + index;
    return { name: `0x${code.toString(16)}`, code: [code], params, result };
  });
}

function saturating(index: number, param: ValueType, result: ValueType): Operation {
  return { name: `0xfc ${index}`, code: [0xfc, index], params: [param], result };
}

/** Returns vector operations; `tail` has the lane where there is one. */
function vectors(
  codes: readonly number[],
  params: readonly ValueType[],
  result: ValueType,
  tail: readonly number[] = [],
): Operation[] {
  return codes.map((code) => ({
    name: `0xfd ${code}`,
    code: [0xfd, ...(code < 0x80 ? [code] : [(code & 0x7f) | 0x80, code >> 7]), ...tail],
    params,
    result,
  }));
}

function codes(first: number, last: number, without: readonly number[] = []): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (code) => !without.includes(code),
  );
}

const SHIFTS = [107, 108, 109, 139, 140, 141, 171, 172, 173, 203, 204, 205];
/** Vector instructions with one operand. */
const UNARY = [
  ...[77, 94, 95, 96, 97, 98, 103, 104, 105, 106, 116, 117, 122, 124, 125, 126, 127, 128, 129, 148],
  ...[135, 136, 137, 138, 160, 161, 167, 168, 169, 170, 192, 193, 199, 200, 201, 202],
  ...[224, 225, 227, 236, 237, 239, 248, 249, 250, 251, 252, 253, 254, 255],
];
const TESTS = [83, 99, 100, 131, 132, 163, 164, 195, 196];
/** Numbers that no instruction has. */
const UNUSED = [
  ...[154, 162, 165, 166, 175, 176, 178, 179, 180, 187, 194, 197, 198, 207, 208, 210, 211, 212],
  ...[226, 238],
];

/** Every numeric, vector and memory instruction of the accepted feature set that computes a value. */
export const OPERATIONS: readonly Operation[] = [
  ...range(0x45, 0x45, ["i32"], "i32"),
  ...range(0x46, 0x4f, ["i32", "i32"], "i32"),
  ...range(0x50, 0x50, ["i64"], "i32"),
  ...range(0x51, 0x5a, ["i64", "i64"], "i32"),
  ...range(0x5b, 0x60, ["f32", "f32"], "i32"),
  ...range(0x61, 0x66, ["f64", "f64"], "i32"),
  ...range(0x67, 0x69, ["i32"], "i32"),
  ...range(0x6a, 0x78, ["i32", "i32"], "i32"),
  ...range(0x79, 0x7b, ["i64"], "i64"),
  ...range(0x7c, 0x8a, ["i64", "i64"], "i64"),
  ...range(0x8b, 0x91, ["f32"], "f32"),
  ...range(0x92, 0x98, ["f32", "f32"], "f32"),
  ...range(0x99, 0x9f, ["f64"], "f64"),
  ...range(0xa0, 0xa6, ["f64", "f64"], "f64"),
  ...range(0xa7, 0xa7, ["i64"], "i32"),
  ...range(0xa8, 0xa9, ["f32"], "i32"),
  ...range(0xaa, 0xab, ["f64"], "i32"),
  ...range(0xac, 0xad, ["i32"], "i64"),
  ...range(0xae, 0xaf, ["f32"], "i64"),
  ...range(0xb0, 0xb1, ["f64"], "i64"),
  ...range(0xb2, 0xb3, ["i32"], "f32"),
  ...range(0xb4, 0xb5, ["i64"], "f32"),
  ...range(0xb6, 0xb6, ["f64"], "f32"),
  ...range(0xb7, 0xb8, ["i32"], "f64"),
  ...range(0xb9, 0xba, ["i64"], "f64"),
  ...range(0xbb, 0xbb, ["f32"], "f64"),
  ...range(0xbc, 0xbc, ["f32"], "i32"),
  ...range(0xbd, 0xbd, ["f64"], "i64"),
  ...range(0xbe, 0xbe, ["i32"], "f32"),
  ...range(0xbf, 0xbf, ["i64"], "f64"),
  ...range(0xc0, 0xc1, ["i32"], "i32"),
  ...range(0xc2, 0xc4, ["i64"], "i64"),
  saturating(0, "f32", "i32"),
  saturating(1, "f32", "i32"),
  saturating(2, "f64", "i32"),
  saturating(3, "f64", "i32"),
  saturating(4, "f32", "i64"),
  saturating(5, "f32", "i64"),
  saturating(6, "f64", "i64"),
  saturating(7, "f64", "i64"),
  ...vectors(
    [13],
    ["v128", "v128"],
    "v128",
    [...Array(16).keys()].map((lane) => (lane * 2) % 32),
  ),
  ...vectors([14], ["v128", "v128"], "v128"),
  ...vectors([15, 16, 17], ["i32"], "v128"),
  ...vectors([18], ["i64"], "v128"),
  ...vectors([19], ["f32"], "v128"),
  ...vectors([20], ["f64"], "v128"),
  ...vectors([21, 22, 24, 25, 27], ["v128"], "i32", [1]),
  ...vectors([23, 26, 28], ["v128", "i32"], "v128", [1]),
  ...vectors([29], ["v128"], "i64", [1]),
  ...vectors([30], ["v128", "i64"], "v128", [0]),
  ...vectors([31], ["v128"], "f32", [1]),
  ...vectors([32], ["v128", "f32"], "v128", [1]),
  ...vectors([33], ["v128"], "f64", [1]),
  ...vectors([34], ["v128", "f64"], "v128", [1]),
  ...vectors([82], ["v128", "v128", "v128"], "v128"),
  ...vectors(SHIFTS, ["v128", "i32"], "v128"),
  ...vectors(UNARY, ["v128"], "v128"),
  ...vectors(TESTS, ["v128"], "i32"),
  ...vectors(
    [...codes(35, 81, [77]), ...codes(101, 255, [...SHIFTS, ...UNARY, ...TESTS, ...UNUSED])],
    ["v128", "v128"],
    "v128",
  ),
];

/** Loads from a 32-bit address, with the bytes of their memory argument. */
export const LOADS: readonly Operation[] = [
  ...load([0x28, 0x2c, 0x2d, 0x2e, 0x2f], "i32"),
  ...load([0x29, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35], "i64"),
  ...load([0x2a], "f32"),
  ...load([0x2b], "f64"),
  ...vectors([...codes(0, 10), 92, 93], ["i32"], "v128", [0, 4]),
  ...vectors(codes(84, 87), ["i32", "v128"], "v128", [0, 4, 0]),
];

/** Stores to a 32-bit address; the result is that of the stored value. */
export const STORES: readonly Operation[] = [
  ...store([0x36, 0x3a, 0x3b], "i32"),
  ...store([0x37, 0x3c, 0x3d, 0x3e], "i64"),
  ...store([0x38], "f32"),
  ...store([0x39], "f64"),
  ...vectors([11], ["i32", "v128"], "v128", [0, 4]),
  ...vectors(codes(88, 91), ["i32", "v128"], "v128", [0, 4, 0]),
];

function load(opcodes: readonly number[], result: ValueType): Operation[] {
  return opcodes.map((opcode) => ({
    name: `0x${opcode.toString(16)}`,
    code: [opcode, 0, 8],
    params: ["i32"],
    result,
  }));
}

function store(opcodes: readonly number[], value: ValueType): Operation[] {
  return opcodes.map((opcode) => ({
    name: `0x${opcode.toString(16)}`,
    code: [opcode, 0, 8],
    params: ["i32", value],
    result: value,
  }));
}
