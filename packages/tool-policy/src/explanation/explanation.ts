import { defined } from "@openclaw/foundation";
import { type ApplicableRules, inapplicable } from "../decision/compiled-layer.js";
import type { CapName, DecidedBy, RuleReference, Verdict } from "../decision/decision.js";
import { decisionId } from "../decision/digest.js";
import {
  type Consideration,
  type LayerEvaluation,
  ruleReference,
  type Subject,
} from "../decision/evaluation.js";
import type { LayerName } from "../layers/layer.js";
import type { PolicySource } from "../layers/source.js";
import { FlipSearch, type PolicyFlip } from "./flip.js";

/** Verdict of one of the seven layers, with its reason. */
export interface LayerExplanation extends RuleReference {
  readonly layer: LayerName;
  readonly verdict: Verdict;
  /** Rules that matched, or why none did. */
  readonly note?: string;
}

/** Verdict of one cap. */
export interface CapExplanation {
  readonly cap: CapName;
  readonly verdict: "deny" | "silent";
  readonly note: string;
}

/** Optional state of a tool, and the entry that opts it in (POL-023). */
export interface OptionalExplanation {
  readonly isOptional: boolean;
  readonly optedInBy?: {
    readonly layer: LayerName;
    readonly list: "allow" | "alsoAllow";
    readonly rule: string;
    readonly source?: PolicySource;
  };
}

/** Reason why a tool is allowed or denied (POL-026). */
export interface PolicyExplanation {
  /** Equal for equal policies, tools and contexts, on any machine (POL-027). */
  readonly decisionId: string;
  readonly policyHash: string;
  /** The requested name. */
  readonly tool: string;
  readonly canonicalName: string;
  readonly pluginId?: string;
  readonly allowed: boolean;
  readonly decidedBy: DecidedBy;
  readonly layers: readonly LayerExplanation[];
  readonly caps: readonly CapExplanation[];
  readonly optional: OptionalExplanation;
  /** Set when a `requireApproval` list, usually of a group, matches an allowed tool (POL-012). */
  readonly approval?: "always";
  /** Change that reverses the decision; absent when no entry can name the tool. */
  readonly flip?: PolicyFlip;
}

function noteOf(
  evaluation: LayerEvaluation,
  applicable: ApplicableRules,
  { context }: Subject,
): string | undefined {
  const { layer, list, rules, verdict } = evaluation;
  if (list === "parentPolicy") return "the parent agent was denied it";
  const reason = inapplicable(layer, context);
  if (reason !== undefined) return reason;
  if (rules !== undefined) return rules.definition.label;
  if (verdict === "silent" && applicable[layer].length === 0) return `no ${layer} rules`;
  return undefined;
}

/**
 * Explains a decision.
 * @param consideration - the decision with all of its inputs
 * @param policyHash - hash of the policy that decided
 */
export function explain(consideration: Consideration, policyHash: string): PolicyExplanation {
  const { subject, applicable, evaluation } = consideration;
  const { tool, facts, context } = subject;
  const { allowed, decidedBy, optIn } = evaluation;
  const flip = new FlipSearch(consideration).find();
  return {
    decisionId: decisionId(policyHash, tool, context),
    policyHash,
    tool: tool.name,
    canonicalName: facts.name,
    ...defined({ pluginId: tool.pluginId }),
    allowed,
    decidedBy,
    layers: evaluation.layers.map((evaluation) => {
      const note = noteOf(evaluation, applicable, subject);
      return {
        layer: evaluation.layer,
        verdict: evaluation.verdict,
        ...ruleReference(evaluation),
        ...defined({ note }),
      };
    }),
    caps: evaluation.caps.map(({ cap, verdict, list }) => {
      if (cap === "owner") {
        const note = verdict === "deny" ? "only owners may use it" : "does not apply";
        return { cap, verdict, note };
      }
      return { cap, verdict, note: list === undefined ? "does not apply" : `not in ${list}` };
    }),
    optional: {
      isOptional: tool.optional,
      ...(optIn === undefined
        ? {}
        : {
            optedInBy: {
              layer: optIn.layer,
              list: optIn.list,
              rule: optIn.rule,
              ...defined({ source: optIn.source }),
            },
          }),
    },
    ...(allowed && evaluation.requiresApproval ? { approval: "always" } : {}),
    ...defined({ flip }),
  };
}
