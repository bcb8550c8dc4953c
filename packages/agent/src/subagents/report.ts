import { type OutputOptions, WITHHELD_OUTPUT, wrapExternalContent } from "@openclaw/safety";
import type { Subagent, SubagentOutcome } from "@openclaw/store";
import { guardResult } from "../tool-call/result-safety.js";

/** Longest report in UTF-8 bytes; the rest of a prompt injection's limit is for the frame. */
const MAXIMUM_BYTES = 12 * 1024;

/** Outcome of a subagent, and the reason if it has no answer. */
export interface SubagentEnd {
  readonly outcome: SubagentOutcome;
  readonly error?: string;
}

/**
 * Returns the report to the parent's model about a subagent that ended. The answer comes from another
 * model: it passes the safety engine like a tool result and is marked as data. A report has
 * no approver, so an answer that requires a review is replaced.
 * @param subagent - the subagent, with its answer if it has one
 * @param end - outcome of the subagent
 * @param safety - rules and limits of the host
 */
export function subagentReport(
  subagent: Pick<Subagent, "label" | "sessionKey" | "result">,
  end: SubagentEnd,
  safety: OutputOptions,
): string {
  const { label, sessionKey, result } = subagent;
  const name = label === undefined ? sessionKey : `${JSON.stringify(label)} (${sessionKey})`;
  if (end.outcome !== "ok") return `[Subagent ${name} ended ${reasonOf(end)}]`;
  if (result === undefined || result === "") {
    return `[Subagent ${name} ended without an answer]`;
  }
  const content = [{ type: "text" as const, text: result }];
  const maxLength = Math.min(safety.maxLength ?? MAXIMUM_BYTES, MAXIMUM_BYTES);
  const guarded = guardResult("sessions_spawn", { content }, { ...safety, maxLength });
  const said =
    guarded.review === undefined
      ? guarded.result.content.map((part) => (part.type === "text" ? part.text : ""))
      : [WITHHELD_OUTPUT];
  return `[Subagent ${name} has answered]\n${wrapExternalContent({ source: "a subagent", content: said.join("\n") })}`;
}

function reasonOf({ outcome, error }: SubagentEnd): string {
  switch (outcome) {
    case "timeout":
      return "without an answer: its timeout expired";
    case "killed":
      return "without an answer: it was stopped";
    default:
      return `without an answer: ${error ?? "it failed"}`;
  }
}
