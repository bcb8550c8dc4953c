import { type RefusedFeature, WasmFeatureError } from "../errors.js";

/** Throws a WasmFeatureError with the name of the proposal that a module needs. */
export function refuse(feature: RefusedFeature, place: string): never {
  throw new WasmFeatureError(feature, place);
}

/** Proposal of each value type that is not accepted. */
const REFUSED_TYPES: Readonly<Record<number, RefusedFeature>> = {
  105: "exception-handling",
  104: "stack-switching",
  117: "stack-switching",
  116: "exception-handling",
  100: "function-references",
  99: "function-references",
  106: "gc",
  107: "gc",
  108: "gc",
  109: "gc",
  110: "gc",
  113: "gc",
  114: "gc",
  115: "gc",
};

/** Value types: numbers, vectors, functions and external references. */
const VALUE_TYPES = new Set([0x7f, 0x7e, 0x7d, 0x7c, 0x7b, 0x70, 0x6f]);

/**
 * Checks the first byte of a value type.
 * @returns false when it is not a value type at all
 * @throws WasmFeatureError for the type of a proposal that is not accepted
 */
export function isValueType(byte: number, place: string): boolean {
  if (VALUE_TYPES.has(byte)) return true;
  const refused = REFUSED_TYPES[byte];
  if (refused !== undefined) refuse(refused, place);
  return false;
}
