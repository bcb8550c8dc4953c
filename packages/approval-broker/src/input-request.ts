import { canonicalJson, defined, jsonCopy, sha256 } from "@openclaw/foundation";
import type {
  InputRequest,
  InputSchema,
  JsonObject,
  JsonValue,
  ToolInput,
} from "@openclaw/plugin-sdk/tools";
import { Compile } from "typebox/compile";
import type { ApprovalVerdict } from "./verdict.js";

/** Most input requests of one call. */
export const MAXIMUM_ROUNDS = 10;

/** Longest schema with state of an input request, in characters of JSON. */
const LONGEST_REQUEST = 64 * 1024;
const LONGEST_MESSAGE = 512;
const LONGEST_URL = 4096;

/** Input request with its defaults. */
export interface OwnInputRequest extends InputRequest {
  readonly name: string;
  /** Value that a call receives with the input. */
  readonly state?: JsonValue;
}

/**
 * Returns an input request of a tool or plugin, as a copy.
 * @param input - the request
 * @returns a sentence about the problem of one that cannot be used
 */
export function ownInputRequest(input: unknown): OwnInputRequest | string {
  const copy = jsonCopy(input);
  if (typeof copy !== "object" || copy === null || Array.isArray(copy)) {
    return "expected an object with message and schema";
  }
  const { name = "input", message, schema, url, state } = copy;
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name)) {
    return "expected a name of 1 to 64 characters of A-Z a-z 0-9 _ -";
  }
  if (typeof message !== "string" || message === "" || message.length > LONGEST_MESSAGE) {
    return `expected a message of 1 to ${LONGEST_MESSAGE} characters`;
  }
  if (!isInputSchema(schema)) return "expected a schema of an object with properties";
  if (url !== undefined && !isPage(url)) {
    return `expected an http or https URL of at most ${LONGEST_URL} characters`;
  }
  if (JSON.stringify(copy).length > LONGEST_REQUEST) {
    return `expected at most ${LONGEST_REQUEST} characters of JSON`;
  }
  return { name, message, schema, ...defined({ url, state }) };
}

/**
 * Returns the content that a decision about an input request applies to; of the state only the digest, because it is not shown.
 * @param parameters - arguments of the call that asks
 * @param request - the input request
 * @param round - number of the request among those of the call, from 1
 */
export function boundInput(
  parameters: unknown,
  { message, schema, url, state }: Omit<OwnInputRequest, "name">,
  round: number,
) {
  const digest = state === undefined ? undefined : sha256(canonicalJson(state));
  return { parameters, input: { message, schema, round, ...defined({ url, state: digest }) } };
}

/**
 * Returns the input with which a call is made once more.
 * @param request - name and state of its request
 * @param verdict - decision about the request; none where no person could be asked
 */
export function givenInput(
  { name, state }: { readonly name: string; readonly state?: JsonValue | undefined },
  verdict: ApprovalVerdict | undefined,
): ToolInput {
  const about = { name, ...defined({ state }) };
  if (verdict?.status === "allowed" && verdict.approval?.answer !== undefined) {
    return { ...about, action: "accept", content: verdict.approval.answer };
  }
  const isDeclined =
    verdict?.status === "denied" && !verdict.cancelled && verdict.isUndecided !== true;
  return { ...about, action: isDeclined ? "decline" : "cancel" };
}

function isPage(url: JsonValue): url is string {
  if (typeof url !== "string" || url.length > LONGEST_URL) return false;
  return ["http:", "https:"].includes(URL.parse(url)?.protocol ?? "");
}

function isInputSchema(schema: JsonValue | undefined): schema is JsonObject & InputSchema {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const { type, properties } = schema;
  if (type !== "object" || typeof properties !== "object" || properties === null) return false;
  try {
    Compile(schema);
    return true;
  } catch {
    return false;
  }
}
