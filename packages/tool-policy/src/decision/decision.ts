import type { LayerName } from "../layers/layer.js";
import type { PolicySource } from "../layers/source.js";

/** Verdict of one layer about a tool (POL-004). */
export type Verdict = "deny" | "allow" | "deny-unlisted" | "silent";

/** A limit that only removes tools, asked after the layers (POL-015). */
export type CapName = "owner" | "run";

/** Place of a rule: a list of its layer, or the context. */
export type RuleList = "allow" | "deny" | "alsoAllow" | "parentPolicy";

/** The rule behind a verdict. */
export interface RuleReference {
  /** The entry as written, in lower case; absent where it is the absence of one that decides. */
  readonly rule?: string;
  readonly list?: RuleList;
  /** The name an entry gives where it counts for the tool too (POL-020). */
  readonly impliedBy?: string;
  readonly source?: PolicySource;
}

/** Rule, cap or default that settled a decision. */
export type DecidedBy =
  | ({
      readonly kind: "layer";
      readonly layer: LayerName;
      readonly verdict: Exclude<Verdict, "silent">;
    } & RuleReference)
  /** The layers allow an optional tool that no entry opts in (POL-024). */
  | { readonly kind: "optional"; readonly verdict: "not-opted-in" }
  | {
      readonly kind: "cap";
      readonly cap: CapName;
      readonly verdict: "deny";
      readonly list?: "runAllow" | "toolsAllow";
    }
  /** No layer matches. */
  | {
      readonly kind: "default";
      readonly default: "allow" | "deny";
      readonly verdict: "allow" | "deny";
    };

/** The outcome for one tool in one context; frozen. */
export interface PolicyDecision {
  readonly allowed: boolean;
  readonly decidedBy: DecidedBy;
  /** Set when a `requireApproval` list, usually of a group, matches an allowed tool (POL-012). */
  readonly approval?: "always";
}
