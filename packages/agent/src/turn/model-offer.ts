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
  const made = { name, description, parameters, ...defined({ strict }) };
  known.set(name, made);
  return made;
}
