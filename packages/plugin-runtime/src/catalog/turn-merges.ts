import type { BeforeAgentFinalizeRetry, HookMap } from "@openclaw/plugin-sdk/hooks";
import type { CustomMerge } from "./merge.js";

type FinalizeAction = NonNullable<HookMap["before_agent_finalize"]["result"]["action"]>;

/** Each list narrows the one before it; any other value allows no tool at all. */
export const narrowTools: CustomMerge<string[]> = {
  rule: "intersect; an empty or malformed list allows no tool",
  merge(earlier, next) {
    const wellFormed: unknown = next;
    if (!Array.isArray(wellFormed)) return [];
    if (!wellFormed.every((name) => typeof name === "string")) return [];
    return earlier === undefined ? [...next] : earlier.filter((name) => next.includes(name));
  },
};

const WEIGHT: Readonly<Record<FinalizeAction, number>> = { continue: 0, revise: 1, finalize: 2 };

/** The strongest action wins, in any order: finalize over revise over continue. */
export const mergeAction: CustomMerge<FinalizeAction> = {
  rule: "finalize over revise over continue",
  merge: (earlier, next) =>
    earlier !== undefined && WEIGHT[earlier] > WEIGHT[next] ? earlier : next,
};

/**
 * The reasons of all handlers that request another pass are joined; a finalizing handler's reason
 * is used alone.
 */
export const mergeReason: CustomMerge<string> = {
  rule: "concatenate; the finalizing handler's alone",
  merge(earlier, next, { terminal }) {
    if (terminal || earlier === undefined || earlier === "") return next;
    return next === "" ? earlier : `${earlier}\n\n${next}`;
  },
};

/**
 * One pass serves every request: instructions are joined; key and limit are those of the first
 * handler.
 */
export const mergeRetry: CustomMerge<BeforeAgentFinalizeRetry> = {
  rule: "instructions concatenate; key and limit of the first",
  merge(earlier, next) {
    if (earlier === undefined) return { ...next };
    return { ...earlier, instruction: `${earlier.instruction}\n\n${next.instruction}` };
  },
};
