import type { PolicyTool } from "../matching/tool.js";
import type { ApplicableRules } from "./compiled-layer.js";
import type { PolicyContext } from "./context.js";
import type { PolicyDecision } from "./decision.js";
import { sameTexts, ToolMemory } from "./tool-memory.js";

/** Maximum number of decisions that a policy remembers (POL-043). */
export const DECISION_CACHE_SIZE = 4096;

/** Remembered rules and decisions of one context. */
export interface Scene {
  /** A copy: a context that was changed in place is another one. */
  readonly context: PolicyContext;
  readonly rules: ApplicableRules;
  readonly decisions: ToolMemory<PolicyDecision>;
}

/** Length ahead of the text: no value can pose as the next field. */
function field(value: string | undefined): string {
  return value === undefined ? "-" : `${value.length}:${value}`;
}

function listField(values: readonly string[] | undefined): string {
  return values === undefined ? "-" : `${values.length}[${values.map(field).join("")}`;
}

/** A text that is equal for contexts in which no decision can differ, and only for those. */
function contextKey(context: PolicyContext): string {
  const flags = (context.senderIsOwner ? 1 : 0) + (context.sandboxed ? 2 : 0);
  return [
    `${flags}/${context.subagentDepth}/`,
    field(context.agentId),
    field(context.provider),
    field(context.model),
    field(context.profile),
    field(context.channel),
    field(context.groupId),
    field(context.senderId),
    field(context.senderName),
    listField(context.parentPolicy),
    listField(context.runAllow),
    listField(context.toolsAllow),
  ].join("");
}

/** Returns whether two contexts have the same `contextKey`, without building it. */
function sameContext(known: PolicyContext, context: PolicyContext): boolean {
  return (
    known.agentId === context.agentId &&
    known.provider === context.provider &&
    known.model === context.model &&
    known.profile === context.profile &&
    known.channel === context.channel &&
    known.groupId === context.groupId &&
    known.senderId === context.senderId &&
    known.senderName === context.senderName &&
    known.senderIsOwner === context.senderIsOwner &&
    known.sandboxed === context.sandboxed &&
    known.subagentDepth === context.subagentDepth &&
    sameTexts(known.parentPolicy, context.parentPolicy) &&
    sameTexts(known.runAllow, context.runAllow) &&
    sameTexts(known.toolsAllow, context.toolsAllow)
  );
}

function copyContext(context: PolicyContext): PolicyContext {
  const { parentPolicy, runAllow, toolsAllow } = context;
  return {
    ...context,
    ...(parentPolicy === undefined ? {} : { parentPolicy: [...parentPolicy] }),
    ...(runAllow === undefined ? {} : { runAllow: [...runAllow] }),
    ...(toolsAllow === undefined ? {} : { toolsAllow: [...toolsAllow] }),
  };
}

/**
 * Remembers the decisions of one policy by context, and drops the oldest context first. A reloaded
 * policy has its own cache, so no decision outlives its rules.
 */
export class DecisionCache {
  readonly #scenes = new Map<string, Scene>();
  #latest: Scene | undefined;
  #size = 0;

  /**
   * Returns the remembered rules and decisions of a context; a turn evaluates many tools in the
   * same one.
   * @param context - compared by value
   * @param resolve - finds the rules of a new context
   */
  scene(context: PolicyContext, resolve: (context: PolicyContext) => ApplicableRules): Scene {
    const latest = this.#latest;
    if (latest !== undefined && sameContext(latest.context, context)) return latest;
    const key = contextKey(context);
    let scene = this.#scenes.get(key);
    if (scene === undefined) {
      if (this.#scenes.size >= DECISION_CACHE_SIZE) this.#forgetOldest();
      const rules = resolve(context);
      scene = { context: copyContext(context), rules, decisions: new ToolMemory() };
      this.#scenes.set(key, scene);
    }
    this.#latest = scene;
    return scene;
  }

  /**
   * @param scene - the context of the decision
   * @param tool - the tool that was evaluated
   * @param decision - frozen
   */
  remember(scene: Scene, tool: PolicyTool, decision: PolicyDecision): void {
    this.#size -= scene.decisions.size;
    scene.decisions.set(tool, decision);
    this.#size += scene.decisions.size;
    if (this.#size > DECISION_CACHE_SIZE) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const [key, scene] of this.#scenes) {
      this.#scenes.delete(key);
      this.#size -= scene.decisions.size;
      if (this.#latest === scene) this.#latest = undefined;
      return;
    }
  }
}
