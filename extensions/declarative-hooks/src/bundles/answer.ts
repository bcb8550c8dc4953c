import { isRecord } from "@openclaw/plugin-sdk/kit";
import { block, type Outcome } from "../definition/outcome.js";
import type { BundleEvent } from "../points/bundle-event.js";

/** Output of a handler that is not an answer. */
export interface AnswerProblem {
  readonly problem: string;
}

/** Events whose output as plain text is context for the model. */
const TEXT_IS_CONTEXT: ReadonlySet<BundleEvent> = new Set(["UserPromptSubmit", "SessionStart"]);
/** Events that a hook can stop or send back to the model. */
const STOPPABLE: ReadonlySet<BundleEvent> = new Set([
  ...(["PreToolUse", "PostToolUse", "PostToolUseFailure"] as const),
  ...(["UserPromptSubmit", "Stop", "SubagentStop"] as const),
]);
/** Longest context of one answer, in UTF-16 code units. */
const LONGEST_CONTEXT = 10_000;

/**
 * Reads the answer of a program of a bundle: exit code 0 with JSON or text, 2 with the reason on standard error. Every other
 * code is a problem (EXT-542).
 * @param event - event of the hook
 * @param result - exit code and output
 */
export function readExit(
  event: BundleEvent,
  result: { readonly code: number | null; readonly stdout: string; readonly stderr: string },
): Outcome | AnswerProblem {
  const { code, stdout, stderr } = result;
  if (code === 0) return readAnswer(event, stdout);
  if (code === 2) {
    return STOPPABLE.has(event) ? block(stderr) : { problem: `it ended with 2: ${stderr.trim()}` };
  }
  const said = stderr.trim().slice(-200);
  return { problem: `the program ended with ${code}${said === "" ? "" : `: ${said}`}` };
}

/**
 * Reads the answer of a handler: nothing, an object as Claude Code documents it, or text. Text that begins like an object
 * and is none is a problem, so that half a denial never allows.
 * @param event - event of the hook
 * @param text - output of a program, or body of a response
 */
export function readAnswer(event: BundleEvent, text: string): Outcome | AnswerProblem {
  const trimmed = text.trim();
  if (trimmed === "") return { action: "continue" };
  if (!trimmed.startsWith("{")) {
    return TEXT_IS_CONTEXT.has(event)
      ? { action: "continue", context: trimmed.slice(0, LONGEST_CONTEXT) }
      : { action: "continue" };
  }
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return { problem: "its answer begins with { and is not valid JSON" };
  }
  return isRecord(value) ? readObject(event, value) : { problem: "its answer is not an object" };
}

function readObject(
  event: BundleEvent,
  value: Readonly<Record<string, unknown>>,
): Outcome | AnswerProblem {
  const { decision, reason, stopReason, systemMessage, hookSpecificOutput = {} } = value;
  // A message for the user is the only reason that some hooks give.
  const why = textOf(reason) ?? textOf(stopReason) ?? textOf(systemMessage) ?? "";
  if (!isRecord(hookSpecificOutput)) return { problem: "its hookSpecificOutput is not an object" };
  const { hookEventName, permissionDecision, permissionDecisionReason, updatedInput } =
    hookSpecificOutput;
  if (hookEventName !== undefined && hookEventName !== event) {
    return { problem: `its hookSpecificOutput is for ${JSON.stringify(hookEventName)}` };
  }
  const context = textOf(hookSpecificOutput.additionalContext)?.slice(0, LONGEST_CONTEXT);
  if (value.continue === false) {
    return STOPPABLE.has(event) && event !== "Stop" && event !== "SubagentStop"
      ? block(textOf(stopReason) ?? why)
      : { action: "continue" };
  }
  if (decision !== undefined && decision !== "block" && decision !== "approve") {
    return { problem: `its decision is ${JSON.stringify(decision)}, expected block or approve` };
  }
  if (event !== "PreToolUse") {
    if (decision === "block") return STOPPABLE.has(event) ? block(why) : { action: "continue" };
    return { action: "continue", ...(context === undefined ? {} : { context }) };
  }
  const permission = permissionDecision ?? (decision === "block" ? "deny" : "allow");
  const told = textOf(permissionDecisionReason) ?? why;
  if (permission === "deny") return block(told);
  const isKnown = permission === "allow" || permission === "ask" || permission === "defer";
  if (!isKnown) {
    return {
      problem: `its permissionDecision is ${JSON.stringify(permission)}, expected allow, deny, ask or defer`,
    };
  }
  if (updatedInput !== undefined && !isRecord(updatedInput)) {
    return { problem: "its updatedInput is not an object" };
  }
  const more = context === undefined ? {} : { context };
  if (permission === "ask") {
    const params = updatedInput === undefined ? {} : { params: updatedInput };
    return { action: "ask", reason: told, ...params, ...more };
  }
  // An allow is no more than the absence of a denial: policy and approvals still decide.
  return updatedInput === undefined
    ? { action: "continue", ...more }
    : { action: "modify", params: updatedInput, ...more };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
