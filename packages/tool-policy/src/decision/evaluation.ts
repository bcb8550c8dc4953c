import { LAYER_NAMES, type LayerName, type ListName, layerKey } from "../layers/layer.js";
import type { PolicySource } from "../layers/source.js";
import { EntryList, type ListedRule, type RuleMatch } from "../matching/entry-list.js";
import type { ToolFacts } from "../matching/group-index.js";
import type { PolicyTool } from "../matching/tool.js";
import { OWNER_ONLY_NAMES } from "../matching/tool-group.js";
import { canonicalToolName } from "../matching/tool-name.js";
import type { ApplicableRules, LayerRules } from "./compiled-layer.js";
import type { PolicyContext } from "./context.js";
import type { CapName, DecidedBy, RuleList, RuleReference, Verdict } from "./decision.js";

/** Verdict of one layer, and the rule that decided it. */
export interface LayerEvaluation {
  readonly layer: LayerName;
  readonly verdict: Verdict;
  readonly list: RuleList | undefined;
  readonly match: RuleMatch | undefined;
  /** The layer definition the rule belongs to. */
  readonly rules: LayerRules | undefined;
}

/** Verdict of one cap. */
export interface CapEvaluation {
  readonly cap: CapName;
  readonly verdict: "deny" | "silent";
  readonly list: "runAllow" | "toolsAllow" | undefined;
}

/** The entry that opts an optional tool in. */
export interface OptIn extends ListedRule {
  readonly layer: LayerName;
  readonly list: "allow" | "alsoAllow";
}

/** Result of evaluating one tool in one context. */
export interface Evaluation {
  readonly allowed: boolean;
  readonly decidedBy: DecidedBy;
  readonly layers: readonly LayerEvaluation[];
  readonly caps: readonly CapEvaluation[];
  readonly optIn: OptIn | undefined;
  readonly requiresApproval: boolean;
}

/** Tool and context to evaluate. */
export interface Subject {
  readonly tool: PolicyTool;
  readonly facts: ToolFacts;
  readonly context: PolicyContext;
}

/** Options shared by all decisions of a policy. */
export interface EvaluationOptions {
  readonly default: "allow" | "deny";
  readonly knownNames: ReadonlySet<string>;
}

/** A decision with all of its inputs. */
export interface Consideration {
  readonly subject: Subject;
  readonly applicable: ApplicableRules;
  readonly options: EvaluationOptions;
  readonly evaluation: Evaluation;
}

/** Layers whose allow entries may opt an optional tool in (POL-023). */
const OPTING_LAYERS: readonly LayerName[] = ["profile", "provider", "global", "agent", "group"];

/** The two halves of the run cap. */
const RUN_LISTS = ["runAllow", "toolsAllow"] as const;

interface Found {
  readonly rules: LayerRules;
  readonly match: RuleMatch;
}

function firstMatch(
  rules: readonly LayerRules[],
  list: ListName,
  tool: ToolFacts,
): Found | undefined {
  for (const each of rules) {
    const match = each.lists[list]?.find(tool);
    if (match !== undefined) return { rules: each, match };
  }
  return undefined;
}

interface Listed {
  /** The first allow list that does not match. */
  readonly unlisted: LayerRules | undefined;
  readonly listed: Found | undefined;
}

function matchAllowLists(rules: readonly LayerRules[], tool: ToolFacts): Listed {
  let listed: Found | undefined;
  for (const each of rules) {
    const { allow } = each.lists;
    if (allow === undefined || allow.isEmpty) continue;
    const match = allow.find(tool);
    if (match === undefined) return { unlisted: each, listed: undefined };
    listed ??= { rules: each, match };
  }
  return { unlisted: undefined, listed };
}

function evaluateLayer(
  layer: LayerName,
  rules: readonly LayerRules[],
  tool: ToolFacts,
): LayerEvaluation {
  const extended = firstMatch(rules, "alsoAllow", tool);
  const denying =
    extended === undefined
      ? rules
      : rules.filter(({ definition }) => definition.yieldsToAlsoAllow !== true);
  const denied = firstMatch(denying, "deny", tool);
  if (denied !== undefined) return { layer, verdict: "deny", list: "deny", ...denied };
  const { unlisted, listed } = matchAllowLists(rules, tool);
  if (unlisted !== undefined && extended === undefined) {
    return { layer, verdict: "deny-unlisted", list: "allow", match: undefined, rules: unlisted };
  }
  if (listed !== undefined) return { layer, verdict: "allow", list: "allow", ...listed };
  if (extended !== undefined) return { layer, verdict: "allow", list: "alsoAllow", ...extended };
  return { layer, verdict: "silent", list: undefined, match: undefined, rules: undefined };
}

/** Denies what the parent was denied when it spawned this agent (POL-014). */
function boundByParent(
  evaluation: LayerEvaluation,
  { facts, context: { parentPolicy, subagentDepth } }: Subject,
): LayerEvaluation {
  if (parentPolicy === undefined || subagentDepth < 1) return evaluation;
  if (evaluation.layer !== "subagent" || evaluation.verdict.startsWith("deny")) return evaluation;
  if (parentPolicy.some((name) => canonicalToolName(name) === facts.name)) return evaluation;
  return {
    layer: "subagent",
    verdict: "deny-unlisted",
    list: "parentPolicy",
    match: undefined,
    rules: undefined,
  };
}

function evaluateCaps(subject: Subject, options: EvaluationOptions): readonly CapEvaluation[] {
  const { tool, facts, context } = subject;
  const ownerOnly = tool.ownerOnly === true || OWNER_ONLY_NAMES.has(facts.name);
  const closed = RUN_LISTS.find((list) => {
    const entries = context[list];
    if (entries === undefined) return false;
    return new EntryList(entries, options.knownNames).find(facts) === undefined;
  });
  return [
    {
      cap: "owner",
      verdict: ownerOnly && !context.senderIsOwner ? "deny" : "silent",
      list: undefined,
    },
    { cap: "run", verdict: closed === undefined ? "silent" : "deny", list: closed },
  ];
}

function findOptIn(applicable: ApplicableRules, tool: ToolFacts): OptIn | undefined {
  for (const layer of OPTING_LAYERS) {
    for (const { lists } of applicable[layer]) {
      for (const list of ["allow", "alsoAllow"] as const) {
        const rule = lists[list]?.findNaming(tool);
        if (rule !== undefined) return { ...rule, layer, list };
      }
    }
  }
  return undefined;
}

/** Returns the location of the rule that decided a verdict. */
function sourceOf({ list, match, rules }: LayerEvaluation): PolicySource | undefined {
  if (match?.source !== undefined) return match.source;
  if (rules === undefined) return undefined;
  const { definition } = rules;
  if (definition.builtIn === true) return definition.source;
  const listed = match === undefined ? rules.lists.allow?.source : undefined;
  return listed ?? { ...definition.source, key: `${layerKey(definition)}.${list}` };
}

/** Returns the rule that decided a verdict, as explanations show it. */
export function ruleReference(evaluation: LayerEvaluation): RuleReference {
  const { match, list } = evaluation;
  const source = sourceOf(evaluation);
  return {
    ...(match === undefined ? {} : { rule: match.rule }),
    ...(list === undefined ? {} : { list }),
    ...(match?.impliedBy === undefined ? {} : { impliedBy: match.impliedBy }),
    ...(source === undefined ? {} : { source }),
  };
}

function settle(
  layers: readonly LayerEvaluation[],
  notOptedIn: boolean,
  caps: readonly CapEvaluation[],
  options: EvaluationOptions,
): DecidedBy {
  const of = (verdict: Exclude<Verdict, "silent">): DecidedBy | undefined => {
    const evaluation = layers.find((each) => each.verdict === verdict);
    if (evaluation === undefined) return undefined;
    return { kind: "layer", layer: evaluation.layer, verdict, ...ruleReference(evaluation) };
  };
  const denied = of("deny") ?? of("deny-unlisted");
  if (denied !== undefined) return denied;
  const allowed = of("allow");
  if (allowed === undefined && options.default === "deny") {
    return { kind: "default", default: "deny", verdict: "deny" };
  }
  if (notOptedIn) return { kind: "optional", verdict: "not-opted-in" };
  for (const { cap, verdict, list } of caps) {
    if (verdict === "deny") {
      return { kind: "cap", cap, verdict, ...(list === undefined ? {} : { list }) };
    }
  }
  return allowed ?? { kind: "default", default: "allow", verdict: "allow" };
}

/**
 * Evaluates a tool: first every layer, of which any can deny; then the opt-in of optional tools;
 * then the caps (D6).
 * @param subject - tool and context
 * @param applicable - the rules that apply in that context
 * @param options - options shared by all decisions
 */
export function evaluate(
  subject: Subject,
  applicable: ApplicableRules,
  options: EvaluationOptions,
): Evaluation {
  const { tool, facts } = subject;
  const layers = LAYER_NAMES.map((layer) =>
    boundByParent(evaluateLayer(layer, applicable[layer], facts), subject),
  );
  const optIn = tool.optional ? findOptIn(applicable, facts) : undefined;
  const caps = evaluateCaps(subject, options);
  const decidedBy = settle(layers, tool.optional && optIn === undefined, caps, options);
  const requiresApproval = LAYER_NAMES.some(
    (layer) => firstMatch(applicable[layer], "requireApproval", facts) !== undefined,
  );
  const allowed = decidedBy.verdict === "allow";
  return { allowed, decidedBy, layers, caps, optIn, requiresApproval };
}
