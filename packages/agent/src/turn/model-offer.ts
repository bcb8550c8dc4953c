import { defined } from "@openclaw/foundation";
import type { ModelRequest, ModelTool, ModelToolChoice } from "@openclaw/models";
import { escapeRoleMarkers } from "@openclaw/safety";
import type { ToolEntry, ToolSet } from "../tool-call/tool-entry.js";

/** Offers by schema and name, so that what is derived from an offer is derived once, and not in each turn. */
const offers = new WeakMap<ToolEntry["parameters"], Map<string, ModelTool>>();

/**
 * Returns the tools of a turn as its model receives them.
 * @param tools - tools of the turn
 * @param toolChoice - choice of the client; `none` offers no tools
 */
export function offeredTools(
  tools: ToolSet,
  toolChoice: ModelToolChoice | undefined,
): ModelRequest["tools"] {
  if (toolChoice === "none") return [];
  return [...tools.values()].map(offerOf);
}

function offerOf({ name, description: written, parameters, strict }: ToolEntry): ModelTool {
  // Chat templates put descriptions into the system message.
  const description = escapeRoleMarkers(written);
  const known = offers.get(parameters) ?? new Map<string, ModelTool>();
  offers.set(parameters, known);
  const offer = known.get(name);
  if (offer?.description === description && offer.strict === strict) return offer;
  const made = {
    ...{ name, description, parameters: withoutRoleMarkers(parameters) },
    ...defined({ strict }),
  };
  known.set(name, made);
  return made;
}

/** Keywords whose strings are expressions or references and not text. */
const EXPRESSIONS = new Set(["pattern", "$ref", "$dynamicRef", "$schema", "$id"]);

/**
 * Returns a schema in which no name, description or value is a role marker, because a chat template writes all of it into
 * the system message; the same object when there is none. A tool whose values are such markers cannot be called with them.
 */
function withoutRoleMarkers<Value>(value: Value): Value;
function withoutRoleMarkers(value: unknown): unknown {
  if (typeof value === "string") return escapeRoleMarkers(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withoutRoleMarkers(item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let isSame = true;
  const entries = Object.entries(value).map(([key, member]: [string, unknown]) => {
    const name = escapeRoleMarkers(key);
    const isText = !(EXPRESSIONS.has(key) && typeof member === "string");
    const escaped = isText ? withoutRoleMarkers(member) : member;
    isSame &&= name === key && escaped === member;
    return [name, escaped] as const;
  });
  return isSame ? value : Object.fromEntries(entries);
}
