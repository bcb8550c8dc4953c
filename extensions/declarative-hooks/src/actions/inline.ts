import type { InlineAction, Replacement } from "../definition/definition.js";
import { block, CONTINUE, type Outcome } from "../definition/outcome.js";
import { type HookInput, textOf } from "../points/input.js";

const PLACEHOLDER = /\{\{(content|sender|channel|tool)\}\}/g;

/**
 * Applies a rule: `when`, the rejection, the replacements in order, then what is prepended and appended; or a template
 * (DHOOK-025). Replacements in a tool call change the strings of its parameters.
 * @param action - the rule
 * @param input - the event
 */
export function runInline(action: InlineAction, input: HookInput): Outcome {
  const { when, rejectReason, replacements, prepend = "", append = "", template } = action;
  if (when !== undefined && !when.test(textOf(input))) return CONTINUE;
  if (rejectReason !== undefined) return block(rejectReason);
  if (input.params !== undefined && input.content === undefined) {
    const params = replacedIn(input.params, replacements);
    return params === input.params ? CONTINUE : { action: "modify", params };
  }
  const content = input.content ?? "";
  const changed =
    template === undefined
      ? prepend + replaced(content, replacements) + append
      : filled(template, input);
  return changed === content ? CONTINUE : { action: "modify", content: changed };
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  let changed = text;
  for (const { pattern, replacement } of replacements)
    changed = pattern.replace(changed, replacement);
  return changed;
}

/** Values are never read as templates. */
function filled(template: string, input: HookInput): string {
  return template.replaceAll(
    PLACEHOLDER,
    (_placeholder, name: "content" | "sender" | "channel" | "tool") => input[name] ?? "",
  );
}

/** Returns the same value when no string in it changes. */
function replacedIn<Value>(value: Value, replacements: readonly Replacement[]): Value;
function replacedIn(value: unknown, replacements: readonly Replacement[]): unknown {
  if (typeof value === "string") return replaced(value, replacements);
  if (typeof value !== "object" || value === null) return value;
  let isChanged = false;
  const change = (part: unknown): unknown => {
    const next = replacedIn(part, replacements);
    if (next !== part) isChanged = true;
    return next;
  };
  const next: unknown = Array.isArray(value)
    ? value.map(change)
    : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]));
  return isChanged ? next : value;
}
