import { type OpenClawError, parseWellFormed } from "@openclaw/foundation";
import { type RequestFrame, requestFrameSchema } from "@openclaw/protocol";
import { InvalidRequestError, parameterIssues, validatorOf } from "@openclaw/protocol/registry";
import { checkJsonDepth } from "../access/json-depth.js";
import { InvalidFrameError, PayloadTooLargeError } from "../errors.js";

const MAXIMUM_ID_LENGTH = 64;

const requestFrame = validatorOf(requestFrameSchema);

/**
 * Result of reading a frame: the frame, an error for the response to a request with an ID, or an error that ends the
 * connection.
 */
export type ReadFrame =
  | { readonly frame: RequestFrame }
  | { readonly id: string; readonly error: OpenClawError }
  | { readonly fatal: OpenClawError };

/**
 * Reads a frame of a client (GW-019). Never throws.
 * @param text - text of the frame
 * @param depth - maximum depth of its arrays and objects (GW-017)
 */
export function readFrame(text: string, depth: number): ReadFrame {
  try {
    checkJsonDepth(text, depth);
  } catch (error) {
    if (PayloadTooLargeError.isInstance(error)) return { fatal: error };
    throw error;
  }
  let value: unknown;
  try {
    value = parseWellFormed(text);
  } catch {
    return { fatal: new InvalidFrameError("a frame must be JSON; send one JSON object per frame") };
  }
  if (typeof value !== "object" || value === null || !("type" in value) || value.type !== "req") {
    const expected = 'an object with "type": "req", "id" and "method"';
    return { fatal: new InvalidFrameError(`a frame must be ${expected}`) };
  }
  const id = "id" in value ? value.id : undefined;
  // The schema counts visible characters, of which each may consist of any number of code units.
  if (typeof id !== "string" || id === "" || id.length > MAXIMUM_ID_LENGTH) {
    const expected = `a string of 1 to ${MAXIMUM_ID_LENGTH} characters`;
    return { fatal: new InvalidFrameError(`the "id" of a frame must be ${expected}`) };
  }
  if (requestFrame().Check(value)) return { frame: value };
  const issues = parameterIssues(requestFrameSchema, value);
  return { id, error: new InvalidRequestError("the frame", issues) };
}
