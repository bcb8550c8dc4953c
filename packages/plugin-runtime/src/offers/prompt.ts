import { textOf } from "@openclaw/foundation";
import type { PluginPrompt, PromptMessage } from "@openclaw/plugin-sdk/plugin-entry";
import type { ToolInput } from "@openclaw/plugin-sdk/tools";
import { PluginPromptFailedError } from "../errors.js";
import {
  expectFunction,
  expectName,
  expectObject,
  expectOptionalFunction,
  expectText,
  type NameRule,
  wrongArgument,
} from "../registration/check.js";
import type { RegistrationOrigin } from "../registration/origin.js";

/** A prompt of a plugin. */
export interface PluginPromptRegistration extends RegistrationOrigin {
  readonly prompt: PluginPrompt;
}

const NAME: NameRule = {
  pattern: /^[A-Za-z0-9_-]{1,64}$/,
  expected: "1 to 64 of A-Z a-z 0-9 _ -",
};
const ARGUMENT: NameRule = {
  pattern: /^[A-Za-z0-9_.-]{1,64}$/,
  expected: "1 to 64 of A-Z a-z 0-9 _ . -",
};

/**
 * Checks the argument of `api.registerPrompt` (PLUG-350).
 * @throws PluginRegistrationError naming the field
 */
export function readPrompt(
  origin: RegistrationOrigin,
  prompt: PluginPrompt,
): PluginPromptRegistration {
  const call = { origin, member: "registerPrompt" };
  expectObject(call, "prompt", prompt);
  const name = expectName(call, "name", prompt.name, NAME);
  expectText(call, `description of prompt "${name}"`, prompt.description);
  expectFunction(call, `render of prompt "${name}"`, prompt.render);
  const list = prompt.arguments ?? [];
  const member = `arguments of prompt "${name}"`;
  if (!Array.isArray(list))
    throw wrongArgument(call, member, `expected a list, got ${textOf(list)}`);
  const names = new Set<string>();
  for (const argument of list) {
    expectObject(call, member, argument);
    const own = expectName(
      call,
      `name of an argument of prompt "${name}"`,
      argument.name,
      ARGUMENT,
    );
    if (names.has(own)) throw wrongArgument(call, member, `expected "${own}" once, got it twice`);
    names.add(own);
    expectOptionalFunction(call, `complete of argument "${own}"`, argument.complete);
  }
  return { ...origin, prompt };
}

/** Messages of a prompt, or what a plugin returned as a request for input. */
export type PromptRendering =
  | { readonly messages: readonly PromptMessage[] }
  | { readonly input: object };

/**
 * Returns the messages of a prompt, or its request for input.
 * @param registration - prompt of a plugin
 * @param values - values of its arguments; others are left out
 * @param inputs - answers to its requests for input so far, by their names
 * @throws PluginPromptFailedError for a missing argument, a failing plugin, and a result that is not a prompt
 */
export async function renderedPrompt(
  { prompt, pluginId }: PluginPromptRegistration,
  values: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, ToolInput>>,
): Promise<PromptRendering> {
  const { name, arguments: list = [] } = prompt;
  const fail = (problem: string, cause?: unknown) =>
    new PluginPromptFailedError(pluginId, name, problem, cause);
  const missing = list.find(
    (argument) => argument.required === true && !Object.hasOwn(values, argument.name),
  );
  if (missing !== undefined) throw fail(`it needs the argument "${missing.name}"`);
  const own = list
    .filter((argument) => Object.hasOwn(values, argument.name))
    .map((argument) => [argument.name, values[argument.name] ?? ""] as const);
  let rendered: unknown;
  try {
    rendered = await prompt.render(Object.fromEntries(own), inputs);
  } catch (error) {
    throw fail(textOf(error), error);
  }
  if (typeof rendered === "string") {
    return { messages: [{ role: "user", content: { type: "text", text: rendered } }] };
  }
  if (Array.isArray(rendered) && rendered.every(isMessage)) return { messages: rendered };
  if (typeof rendered === "object" && rendered !== null && "input" in rendered) {
    const { input } = rendered;
    if (typeof input === "object" && input !== null) return { input };
  }
  throw fail(
    `render returned ${textOf(rendered)}; expected text, a list of messages or an input request`,
  );
}

/**
 * Returns the text of a prompt for an agent. Messages in the name of the assistant are named as such, and an image is described.
 */
export function promptText(messages: readonly PromptMessage[]): string {
  const hasAssistant = messages.some(({ role }) => role === "assistant");
  return messages
    .map(({ role, content }) => {
      const text = content.type === "text" ? content.text : `[${content.mimeType}]`;
      return hasAssistant ? `${role}: ${text}` : text;
    })
    .join("\n\n");
}

function isMessage(value: unknown): value is PromptMessage {
  if (typeof value !== "object" || value === null) return false;
  if (!("role" in value && "content" in value)) return false;
  const { role, content } = value;
  if (role !== "user" && role !== "assistant") return false;
  if (typeof content !== "object" || content === null || !("type" in content)) return false;
  if (content.type === "text") return "text" in content && typeof content.text === "string";
  return (
    content.type === "image" &&
    "data" in content &&
    typeof content.data === "string" &&
    "mimeType" in content &&
    typeof content.mimeType === "string"
  );
}
