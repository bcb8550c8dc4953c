import { canonicalJson, sha256 } from "@openclaw/foundation";
import { hiddenPlugins } from "../checks/hidden-plugin.js";
import { LayerCheck } from "../checks/layer.js";
import { unknownEntries } from "../checks/unknown-entry.js";
import { DECISION_CACHE_SIZE, DecisionCache } from "../decision/cache.js";
import {
  type ApplicableRules,
  applicableRules,
  LayerCompiler,
} from "../decision/compiled-layer.js";
import type { PolicyContext } from "../decision/context.js";
import type { PolicyDecision } from "../decision/decision.js";
import { decisionId } from "../decision/digest.js";
import { type Consideration, type EvaluationOptions, evaluate } from "../decision/evaluation.js";
import { ToolMemory } from "../decision/tool-memory.js";
import { PolicyConfigError } from "../errors.js";
import { explain, type PolicyExplanation } from "../explanation/explanation.js";
import { entryValue, type PolicyLayer } from "../layers/layer.js";
import type { PolicyWarning } from "../layers/problem.js";
import { entryDigest, parseEntry } from "../matching/entry.js";
import { GroupIndex, type ToolFacts } from "../matching/group-index.js";
import type { PolicyTool } from "../matching/tool.js";
import { CORE_TOOL_NAMES, type PolicyGroup } from "../matching/tool-group.js";
import { canonicalToolName, normalizeName } from "../matching/tool-name.js";
import { type PolicySnapshotText, readSnapshot, writeSnapshot } from "./snapshot.js";

/** Options of a policy besides its layers. */
export interface CompileOptions {
  /** Outcome when no layer matches; default `allow`. */
  readonly default?: "allow" | "deny";
  /** Groups in addition to the built-in ones. */
  readonly groups?: readonly PolicyGroup[];
  /**
   * Every tool that exists. With them, entries that name nothing are reported (POL-022), and a
   * bare name that is a tool's never stands for a plugin (POL-019).
   */
  readonly tools?: readonly PolicyTool[];
}

/**
 * A compiled policy, which decides and explains decisions. Immutable; a reload compiles a new one.
 */
export interface Policy {
  /**
   * SHA-256 of the meaning of the rules; formatting and order of a file do not change it (POL-027).
   */
  readonly hash: string;
  /** Warnings about the policy. */
  readonly warnings: readonly PolicyWarning[];
  /** The tools it was compiled with. */
  readonly tools: readonly PolicyTool[];
  /** Serialized input of the policy; `policyFromSnapshot` recreates the same policy from it. */
  readonly snapshot: PolicySnapshotText;
  /**
   * Decides whether a tool may be used.
   * @param tool - known or not
   * @param context - the context of the call
   */
  decide(tool: PolicyTool, context: PolicyContext): PolicyDecision;
  /**
   * Returns the id of a decision, for logs: `pd_` and 20 hexadecimal digits (POL-027).
   * @param tool - known or not
   * @param context - the context of the call
   */
  decisionId(tool: PolicyTool, context: PolicyContext): string;
  /**
   * Explains a decision: the same outcome as `decide`, with every layer, source and the change that
   * reverses it.
   * @param tool - known or not
   * @param context - the context of the call
   */
  explain(tool: PolicyTool, context: PolicyContext): PolicyExplanation;
}

class CompiledPolicy implements Policy {
  readonly hash: string;
  readonly tools: readonly PolicyTool[];
  readonly #groups: GroupIndex;
  readonly #options: EvaluationOptions;
  readonly #review: () => readonly PolicyWarning[];
  readonly #takeSnapshot: () => PolicySnapshotText;
  readonly #resolve: (context: PolicyContext) => ApplicableRules;
  readonly #cache = new DecisionCache();
  readonly #facts = new ToolMemory<ToolFacts>();
  #warnings: readonly PolicyWarning[] | undefined;
  #snapshot: PolicySnapshotText | undefined;

  constructor(
    layers: readonly PolicyLayer[],
    groups: readonly PolicyGroup[],
    tools: readonly PolicyTool[],
    fallback: "allow" | "deny",
    emptyLists: readonly PolicyWarning[],
  ) {
    const knownNames = new Set([
      ...CORE_TOOL_NAMES,
      ...tools.map((tool) => canonicalToolName(tool.name)),
    ]);
    const compiled = new LayerCompiler(knownNames).compile(layers);
    this.tools = tools;
    this.#resolve = (context) => applicableRules(compiled.index, context);
    this.#groups = new GroupIndex(groups, knownNames);
    this.#options = { default: fallback, knownNames };
    this.hash = sha256(
      canonicalJson({
        default: fallback,
        layers: compiled.digest,
        groups: Object.fromEntries(
          groups.map(({ name, members }) => [
            `group:${normalizeName(name)}`,
            [
              ...new Set(
                members.map((member) => entryDigest(parseEntry(entryValue(member), knownNames))),
              ),
            ].sort(),
          ]),
        ),
      }),
    );
    this.#takeSnapshot = () => writeSnapshot({ default: fallback, layers, groups, tools });
    this.#review = () => [
      ...emptyLists,
      ...(tools.length === 0 ? [] : unknownEntries(layers, groups, tools, knownNames)),
      ...hiddenPlugins(layers, tools, (tool, context) => this.#consider(tool, context)),
    ];
  }

  get warnings(): readonly PolicyWarning[] {
    this.#warnings ??= this.#review();
    return this.#warnings;
  }

  get snapshot(): PolicySnapshotText {
    this.#snapshot ??= this.#takeSnapshot();
    return this.#snapshot;
  }

  decide(tool: PolicyTool, context: PolicyContext): PolicyDecision {
    const scene = this.#cache.scene(context, this.#resolve);
    const remembered = scene.decisions.get(tool);
    if (remembered !== undefined) return remembered;
    const subject = { tool, facts: this.#factsOf(tool), context };
    const { allowed, decidedBy, requiresApproval } = evaluate(subject, scene.rules, this.#options);
    const decision: PolicyDecision = Object.freeze({
      allowed,
      decidedBy: Object.freeze(decidedBy),
      ...(allowed && requiresApproval ? { approval: "always" } : {}),
    });
    this.#cache.remember(scene, tool, decision);
    return decision;
  }

  decisionId(tool: PolicyTool, context: PolicyContext): string {
    return decisionId(this.hash, tool, context);
  }

  explain(tool: PolicyTool, context: PolicyContext): PolicyExplanation {
    return explain(this.#consider(tool, context), this.hash);
  }

  #factsOf(tool: PolicyTool): ToolFacts {
    const remembered = this.#facts.get(tool);
    if (remembered !== undefined) return remembered;
    if (this.#facts.size >= DECISION_CACHE_SIZE) this.#facts.clear();
    const facts = this.#groups.factsOf(tool);
    this.#facts.set(tool, facts);
    return facts;
  }

  #consider(tool: PolicyTool, context: PolicyContext): Consideration {
    const subject = { tool, facts: this.#factsOf(tool), context };
    const applicable = this.#resolve(context);
    const options = this.#options;
    return { subject, applicable, options, evaluation: evaluate(subject, applicable, options) };
  }
}

/**
 * Compiles layers into a policy.
 * @param layers - in any order; several may carry the same name
 * @param options - groups, known tools and the default
 * @throws PolicyConfigError with all problems (POL-037)
 */
export function compilePolicy(
  layers: readonly PolicyLayer[],
  { default: fallback = "allow", groups = [], tools = [] }: CompileOptions = {},
): Policy {
  const check = new LayerCheck(layers, groups);
  const problems = [...check.problems];
  if (fallback !== "allow" && fallback !== "deny") {
    problems.push({
      code: "POLICY_BAD_VALUE",
      key: "tools.default",
      message: `expected "allow" or "deny", got ${JSON.stringify(fallback)}`,
      suggestion: 'write "deny" to admit only what a layer allows',
    });
  }
  if (problems.length > 0) throw new PolicyConfigError(problems);
  return new CompiledPolicy(layers, groups, tools, fallback, check.warnings);
}

/**
 * Compiles the policy of a snapshot, with the same decisions and explanations as the original
 * (POL-030).
 * @param snapshot - parsed JSON
 * @throws PolicySnapshotError when it is not a snapshot, or is one of a newer version
 * @throws PolicyConfigError when its rules do not compile
 */
export function policyFromSnapshot(snapshot: unknown): Policy {
  const { layers, ...options } = readSnapshot(snapshot);
  return compilePolicy(layers, options);
}
