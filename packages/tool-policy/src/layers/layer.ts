import type { PolicySource } from "./source.js";

/** The seven layers, in the order of evaluation (POL-003). */
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

/** The lists a layer may have. */
export const LIST_NAMES = ["allow", "deny", "alsoAllow", "requireApproval"] as const;

/** Name of a list within a layer. */
export type ListName = (typeof LIST_NAMES)[number];

/**
 * A tool name, a pattern with `*` and `?`, `group:<name>`, `plugin:<id>` or a bare plugin id; an
 * object when its location is known.
 */
export type PolicyEntry = string | { readonly value: string; readonly source?: PolicySource };

/**
 * Contexts that a layer applies to: every given field must equal the context's, and `*` matches any
 * value that is set. Names are compared without regard to case, group and sender ids exactly.
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
  /** Minimum depth of subagents that it applies to. */
  readonly minimumSubagentDepth?: number;
}

/**
 * Rules of one of the seven layers. Several layers may have the same name; when more than one
 * applies, a tool must pass them all.
 */
export interface PolicyLayer {
  readonly layer: LayerName;
  /**
   * Absent: every context. `group` layers apply in groups only, `sandbox` layers in sandboxes only,
   * `subagent` layers from depth 1 on.
   */
  readonly when?: LayerScope;
  /** Among layers with the same name and slot, only those with the narrowest scope apply. */
  readonly slot?: string;
  /** If not empty, denies what it does not match. */
  readonly allow?: readonly PolicyEntry[];
  /** Denies what it matches, regardless of other lists. */
  readonly deny?: readonly PolicyEntry[];
  /** Admits what it matches despite the allow lists of this layer; restricts nothing. */
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
  /** True when its lists are built in, so that no edit of the configuration changes them. */
  readonly builtIn?: boolean;
}

/** Returns the key of the object that contains a layer's lists. */
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
