import { errorMessage } from "@openclaw/foundation";
import type { Usage } from "@openclaw/plugin-sdk/tools";

/** Checked result of an attempt. */
export interface HarnessReply {
  /** The answer; undefined when the result has a list of strings only. */
  readonly text: string | undefined;
  /** All strings of the attempt. */
  readonly texts: readonly string[];
  /** Use of models; empty when not reported. */
  readonly usage: Usage;
  /** True when the harness has sent the answer by itself, so that the result may be empty. */
  readonly isDelivered: boolean;
}

const TOKENS = ["input", "output", "cacheRead", "cacheWrite", "reasoning", "total"] as const;

/**
 * Reads the result of a harness, which untyped plugins return in any form.
 * @param value - the result
 * @throws Error when it reports a failure or is not a result
 */
export function readHarnessReply(value: unknown): HarnessReply {
  if (typeof value !== "object" || value === null) {
    throw new Error("runAttempt returned no result; it must return an object with text");
  }
  const result = new Map<string, unknown>(Object.entries(value));
  const problem = result.get("promptError");
  if (problem !== undefined && problem !== null && problem !== false) {
    throw new Error(errorMessage(problem));
  }
  if (result.get("timedOut") === true) throw new Error("it reported that its time was over");
  if (result.get("aborted") === true) throw new Error("it reported that it was aborted");
  const text = result.get("text");
  const texts = result.get("assistantTexts");
  if (text !== undefined && typeof text !== "string") {
    throw new Error(`runAttempt returned a text of type ${typeof text}`);
  }
  if (text === undefined && !Array.isArray(texts)) {
    throw new Error("runAttempt returned neither text nor assistantTexts");
  }
  return {
    text,
    texts: Array.isArray(texts) ? texts.filter((each) => typeof each === "string") : [],
    usage: readUsage(result.get("usage") ?? result.get("attemptUsage")),
    isDelivered: result.get("didSendViaMessagingTool") === true,
  };
}

/**
 * Returns the numbers of tokens of a reported usage.
 * @param value - usage of any form
 */
export function readUsage(value: unknown): Usage {
  const usage: Usage = {};
  if (typeof value !== "object" || value === null) return usage;
  const fields = new Map<string, unknown>(Object.entries(value));
  for (const field of TOKENS) {
    const tokens = fields.get(field);
    if (typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens >= 0) {
      usage[field] = tokens;
    }
  }
  return usage;
}
