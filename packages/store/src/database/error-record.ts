import { isJsonObject } from "./json-column.js";

/** Error as stored in a row. */
export interface ErrorRecord {
  readonly code: string;
  readonly message: string;
}

/** Returns true for an error record. */
export function isErrorRecord(value: unknown): value is ErrorRecord {
  return isJsonObject(value) && typeof value.code === "string" && typeof value.message === "string";
}
