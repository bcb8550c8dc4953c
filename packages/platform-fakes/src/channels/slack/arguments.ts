import { fieldsOf } from "../../models/rejection.js";
import type { PlatformRequest } from "../platform-server.js";
import { blocksProblem, isTooLong } from "./blocks.js";

// Limits and codes of https://docs.slack.dev/reference/methods/chat.postMessage and of the other methods.
/** Characters of a message that Slack does not cut. */
const MAXIMUM_TEXT = 40_000;
const MAXIMUM_MARKDOWN = 12_000;
const MAXIMUM_ATTACHMENTS = 100;

/** Rejection of a call, by the code that Slack documents. */
export class ApiError extends Error {
  readonly details: object;
  constructor(code: string, details: object = {}) {
    super(code);
    this.details = details;
  }
}

/** Arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Returns the arguments of a call, of JSON or of a form.
 * @throws ApiError
 */
export function argumentsOf({ headers, body, query }: PlatformRequest): Arguments {
  const type = headers["content-type"] ?? "";
  const text = body.toString("utf8");
  if (type.startsWith("application/json")) {
    const value = jsonOf(text, "invalid_json");
    const fields = fieldsOf(value);
    if (fields === undefined) throw new ApiError("json_not_object");
    return fields;
  }
  return Object.fromEntries([...query, ...new URLSearchParams(text)]);
}

/**
 * Reads the content of a message, and rejects what Slack rejects.
 * @param given - arguments of the call
 * @throws ApiError
 */
export function contentOf(given: Arguments): { text: string; blocks: readonly unknown[] } {
  const { text, markdown_text: markdown } = given;
  if (markdown !== undefined && (text !== undefined || given.blocks !== undefined)) {
    throw new ApiError("markdown_text_conflict");
  }
  const blocks = jsonOf(given.blocks, "invalid_blocks_format");
  const problem = blocks === undefined ? undefined : blocksProblem(blocks);
  if (problem !== undefined) {
    const messages = [`[ERROR] ${problem}`];
    throw new ApiError("invalid_blocks", { errors: [problem], response_metadata: { messages } });
  }
  const attachments = jsonOf(given.attachments, "invalid_attachments") ?? [];
  if (!Array.isArray(attachments)) throw new ApiError("invalid_attachments");
  if (attachments.length > MAXIMUM_ATTACHMENTS) throw new ApiError("too_many_attachments");
  const shown = markdown ?? text ?? "";
  if (typeof shown !== "string") throw new ApiError("invalid_arguments");
  const limit = markdown === undefined ? MAXIMUM_TEXT : MAXIMUM_MARKDOWN;
  if (shown.length > limit) throw new ApiError("msg_too_long");
  const list: readonly unknown[] = Array.isArray(blocks) ? blocks : [];
  if (isTooLong(list)) throw new ApiError("msg_blocks_too_long");
  if (shown.trim() === "" && list.length === 0) throw new ApiError("no_text");
  return { text: shown, blocks: list };
}

/**
 * Returns an argument as JSON; those of a form are JSON in strings.
 * @param value - the argument
 * @param code - code of the error for a string that is not JSON
 * @throws ApiError
 */
export function jsonOf(value: unknown, code = "invalid_arguments"): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new ApiError(code);
  }
}

/**
 * Returns an argument that a call must have.
 * @param given - arguments of the call
 * @param field - name of the argument
 * @throws ApiError
 */
export function requiredText(given: Arguments, field: string): string {
  const value = optionalText(given, field);
  if (value === undefined) throw missing(field);
  return value;
}

/**
 * Returns an argument that a call may have.
 * @param given - arguments of the call
 * @param field - name of the argument
 */
export function optionalText(given: Arguments, field: string): string | undefined {
  const value = given[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Returns the error of a call without an argument.
 * @param field - name of the argument
 */
export function missing(field: string): ApiError {
  const messages = [`[ERROR] missing required field: ${field}`];
  return new ApiError("invalid_arguments", { response_metadata: { messages } });
}
