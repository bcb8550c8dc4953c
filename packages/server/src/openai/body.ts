import { parseWellFormed } from "@openclaw/foundation";
import { ENCRYPTED_REASONING } from "@openclaw/protocol/openai";
import type { Context } from "hono";
import type { Static, TSchema } from "typebox";
import type { Validator } from "typebox/compile";
import { issueOf } from "./body-issue.js";
import { invalid, type OpenAiFailure } from "./error.js";
import { nameIgnored, withoutIgnored } from "./ignored-parameters.js";
import { isDefaultValue, type ParameterRules, unsupportedParameter } from "./parameters.js";

/**
 * Reads the body of a request. What does not change the meaning of the answer is left out and named in a header of the
 * response; what would change it is rejected by name.
 * @param context - context of the request
 * @param schema - schema of the parameters that the gateway forwards or uses
 * @param rules - further parameters
 */
export async function readBody<Schema extends TSchema>(
  context: Context,
  schema: Validator<Record<never, never>, Schema>,
  rules: ParameterRules,
): Promise<Static<Schema> | OpenAiFailure> {
  let body: unknown;
  try {
    body = parseWellFormed(await context.req.text());
  } catch {
    return invalid("invalid_json", "the body is not JSON");
  }
  if (isRecord(body)) {
    const isDefault = (name: string, value: unknown) => isDefaultValue(rules, name, value);
    const accepted = withoutIgnored(body, rules.ignored, isDefault);
    nameIgnored(context, accepted.ignored);
    body = accepted.body;
  }
  if (isRecord(body)) {
    const refuseContent = rules.unsupportedContent ?? unsupportedContent;
    const refusal = unsupportedParameter(body, rules) ?? refuseContent(body);
    if (refusal !== undefined) return refusal;
  }
  if (schema.Check(body)) return body;
  const { place, problem } = issueOf(schema, body);
  const message = `${place || "the body"} ${problem}`;
  return invalid("invalid_request", message, place === "" ? undefined : parameterName(place));
}

const SUPPORTED_PARTS: ReadonlySet<unknown> = new Set([
  "text",
  "file",
  "refusal",
  "image_url",
  "input_text",
  "input_image",
  "input_file",
  "output_text",
]);

const SUPPORTED_ITEMS: ReadonlySet<unknown> = new Set([
  undefined,
  "message",
  "function_call",
  "function_call_output",
  "item_reference",
  "reasoning",
]);

/** Names the first part of a message, item or tool of a type that the gateway does not support. */
function unsupportedContent(body: Readonly<Record<string, unknown>>): OpenAiFailure | undefined {
  for (const name of ["messages", "input"]) {
    for (const [index, item] of records(body[name])) {
      const place = `${name}[${index}]`;
      if (name === "input" && !SUPPORTED_ITEMS.has(item.type)) return unsupported(item, place);
      // The content of reasoning, which clients send back, is not read.
      const fields = item.type === "reasoning" ? [] : (["content", "output"] as const);
      for (const field of fields) {
        for (const [at, part] of records(item[field])) {
          const isSupported = typeof part.type !== "string" || SUPPORTED_PARTS.has(part.type);
          if (!isSupported) return unsupported(part, `${place}.${field}[${at}]`);
        }
      }
    }
  }
  for (const [index, tool] of records(body.tools)) {
    if (tool.type !== "function") return unsupported(tool, `tools[${index}]`);
  }
  const { tool_choice: choice, include } = body;
  // A choice of a tool that was ignored would make the answer one to another request.
  if (isRecord(choice) && choice.type !== "function") return unsupported(choice, "tool_choice");
  const entries: readonly unknown[] = Array.isArray(include) ? include : [];
  const unknown = entries.findIndex((entry) => entry !== ENCRYPTED_REASONING);
  if (unknown < 0) return undefined;
  const message = `\`include\` has ${JSON.stringify(entries[unknown])}, which this gateway does not support; remove it from the request`;
  return invalid("unsupported_parameter", message, `include[${unknown}]`);
}

/**
 * Returns the failure of a request with content of an unsupported type.
 * @param item - the content
 * @param place - its place in the body
 */
export function unsupported(
  { type }: Readonly<Record<string, unknown>>,
  place: string,
): OpenAiFailure {
  const message = `${place} has the type ${JSON.stringify(type)}, which this gateway does not support`;
  return invalid("unsupported_content", message, place);
}

/**
 * Returns the objects of a list with their indices.
 * @param value - value of a request
 */
export function records(value: unknown): [number, Readonly<Record<string, unknown>>][] {
  if (!Array.isArray(value)) return [];
  return [...value.entries()].flatMap(([index, item]) => (isRecord(item) ? [[index, item]] : []));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Converts `/messages/0/content` to `messages[0].content`. */
function parameterName(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join("")
    .replace(/^\./, "");
}
