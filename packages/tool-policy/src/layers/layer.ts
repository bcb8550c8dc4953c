import type { PolicySource } from "./source.js";

/** The seven layers in the order in which they are listed and consulted (POL-003). */
export const LAYER_NAMES = [
  "profile",
  "provider",
  "global",
  "agent",
  "group",
  "sandbox",
  "subagent",
] as const;

/** Name of a layer. */
export type LayerName = (typeof LAYER_NAMES)[number];

/** The lists a layer may carry. */
export const LIST_NAMES = ["allow", "deny", "alsoAllow", "requireApproval"] as const;

/** Name of a list within a layer. */
export type ListName = (typeof LIST_NAMES)[number];

/**
 * A tool name, a pattern with `*` and `?`, `group:<name>`, `plugin:<id>` or a bare plugin id;
 * as an object where the place it was written at is known.
 */
export type PolicyEntry = string | { readonly value: string; readonly source?: PolicySource };

/**
 * The contexts a layer speaks for: every given field must equal the context's, and `*` stands for
 * any value that is set. Names are compared without regard to case, group and sender ids exactly.
 */
export interface LayerScope {
  readonly agentId?: string;
  readonly profile?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly channel?: string;
  readonly groupId?: string;
  readonly senderId?: string;
  readonly senderName?: string;
  /** Applies from this depth of subagents on. */
  readonly minimumSubagentDepth?: number;
}

/**
 * Rules of one of the seven layers. Several layers may carry the same name; where more than one
 * applies, a tool must pass them all.
 */
export interface PolicyLayer {
  readonly layer: LayerName;
  /** Absent: every context. `group` layers speak in groups only, `sandbox` layers in sandboxes
   * only, `subagent` layers from depth 1 on. */
  readonly when?: LayerScope;
  /** Among layers with the same name and slot, only those with the narrowest scope apply. */
  readonly slot?: string;
  /** If not empty, denies what it does not match. */
  readonly allow?: readonly PolicyEntry[];
  /** Denies what it matches, whatever another list says. */
  readonly deny?: readonly PolicyEntry[];
  /** Admits what it matches in spite of the allow lists of this layer; restricts nothing. */
  readonly alsoAllow?: readonly PolicyEntry[];
  /** Changes no verdict; every call of a matching tool needs approval (POL-012). */
  readonly requireApproval?: readonly PolicyEntry[];
  /** True: its deny list yields to an `alsoAllow` entry of the same layer. */
  readonly yieldsToAlsoAllow?: boolean;
  /** Layers of the same name that apply only where this one does. */
  readonly within?: readonly PolicyLayer[];
  /** Name for display, for example `profile "coding"`. */
  readonly label?: string;
  /** Location of the layer; `key` names the object that contains its lists. */
  readonly source?: PolicySource;
  /** True: its lists ship with the product and no edit of the configuration changes them. */
  readonly builtIn?: boolean;
}

/** The key of the object that holds a layer's lists. */
export function layerKey(layer: PolicyLayer): string {
  return layer.source?.key ?? layer.layer;
}

/** Returns the value of an entry, without its source. */
export function entryValue(entry: PolicyEntry): string {
  return typeof entry === "string" ? entry : entry.value;
}

/** Returns the location of an entry, if known. */
export function entrySource(entry: PolicyEntry): PolicySource | undefined {
  return typeof entry === "string" ? undefined : entry.source;
}
