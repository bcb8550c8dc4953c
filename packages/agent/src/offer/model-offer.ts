import { defined } from "@openclaw/foundation";
import {
  type ModelRequest,
  type ModelTool,
  type ModelToolChoice,
  toolTokens,
} from "@openclaw/models";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { escapeRoleMarkers } from "@openclaw/safety";
import type { ToolEntry, ToolSet } from "../tool-call/tool-entry.js";
import { loadedTools, TOOL_SEARCH } from "./loaded-tools.js";

/** Offers by schema and name, so that what is derived from an offer is derived once, and not in each turn. */
const offers = new WeakMap<ToolEntry["parameters"], Map<string, KnownOffer>>();

interface KnownOffer {
  /** Description as the tool has it. */
  readonly written: string;
  readonly offer: ModelTool;
}

/** Returns the tools that a model is offered with a conversation. */
export type ToolOffer = (conversation: readonly AgentMessage[]) => ModelRequest["tools"];

/**
 * Creates the offer of a turn: its tools as the model receives them. Deferred tools that `tool_search` loaded in the
 * conversation come after all others, in the order in which they were loaded, so that the part before them stays equal for
 * prompt caches. Without `tool_search` nothing is left out, because nothing could load it.
 * @param tools - tools of the turn
 * @param toolChoice - choice of the client; `none` offers no tools
 */
export function createToolOffer(
  tools: ToolSet,
  toolChoice: ModelToolChoice | undefined,
): ToolOffer {
  if (toolChoice === "none") return () => [];
  const isSearchable = tools.get(TOOL_SEARCH)?.kind === "builtin";
  const chosen = typeof toolChoice === "object" ? [toolChoice.toolName] : [];
  const [deferred, always] = parted(
    [...tools.values()],
    (entry) => isSearchable && isLeftOut(entry),
  );
  const base = always.map(offerOf);
  if (deferred.length === 0) return () => base;
  const left = new Map(deferred.map((entry) => [entry.name, entry]));
  let latest = { key: "", offered: base };
  return (conversation) => {
    const loaded = loadedTools(conversation).flatMap((name) => left.get(name) ?? []);
    const key = loaded.map(({ name }) => name).join(" ");
    // The same array for the same tools, because digests of requests are derived once for each.
    if (key !== latest.key) latest = { key, offered: [...base, ...loaded.map(offerOf)] };
    return latest.offered;
  };

  function isLeftOut({ name, isDeferred }: ToolEntry): boolean {
    return isDeferred === true && !chosen.includes(name);
  }
}

/**
 * Returns the tokens that the definition of a tool costs in each request, estimated.
 * @param entry - tool of a turn
 */
export function tokensOf(entry: ToolEntry): number {
  const offer = offerOf(entry);
  const known = tokens.get(offer) ?? toolTokens(offer);
  tokens.set(offer, known);
  return known;
}

const tokens = new WeakMap<ModelTool, number>();

function parted<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function offerOf({ name, description: written, parameters, strict }: ToolEntry): ModelTool {
  const known = offers.get(parameters) ?? new Map<string, KnownOffer>();
  offers.set(parameters, known);
  const before = known.get(name);
  if (before?.written === written && before.offer.strict === strict) return before.offer;
  const offer = {
    // Chat templates put descriptions into the system message.
    ...{ name, description: escapeRoleMarkers(written) },
    ...{ parameters: withoutRoleMarkers(parameters), ...defined({ strict }) },
  };
  known.set(name, { written, offer });
  return offer;
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
