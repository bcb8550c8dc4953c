import { type OutputOptions, wrapExternalContent } from "@openclaw/safety";
import type { Subagent, SubagentOutcome } from "@openclaw/store";
import { guardResult } from "../tool-call/result-safety.js";

/** Longest report in UTF-8 bytes; what is left of a text that waits for a turn is for the frame. */
const MAXIMUM_BYTES = 12 * 1024;

/** How a child ended, and why where it came to no answer. */
export interface SubagentEnd {
  readonly outcome: SubagentOutcome;
  readonly error?: string;
}

/**
 * What a parent's model is told of a child that ended. A child's answer is another model's words: it
 * passes the safety engine as a tool's result does, and is marked as no instruction.
 * @param child - the child, with its answer if it has one
 * @param end - how it ended
 * @param safety - rules and limits of the host
 */
export function subagentReport(
  child: Pick<Subagent, "label" | "sessionKey" | "result">,
  end: SubagentEnd,
  safety: OutputOptions,
): string {
  const { label, sessionKey, result } = child;
  const name = label === undefined ? sessionKey : `${JSON.stringify(label)} (${sessionKey})`;
  if (end.outcome !== "ok") return `[The child session ${name} ended ${reasonOf(end)}]`;
  if (result === undefined || result === "") {
    return `[The child session ${name} has ended and said nothing]`;
  }
  const content = [{ type: "text" as const, text: result }];
  const maxLength = Math.min(safety.maxLength ?? MAXIMUM_BYTES, MAXIMUM_BYTES);
  const guarded = guardResult("sessions_spawn", { content }, { ...safety, maxLength });
  const said = guarded.result.content.map((part) => (part.type === "text" ? part.text : ""));
  return `[The child session ${name} has answered]\n${wrapExternalContent({ source: "a child session", content: said.join("\n") })}`;
}

function reasonOf({ outcome, error }: SubagentEnd): string {
  switch (outcome) {
    case "timeout":
      return "without an answer: its time was over";
    case "killed":
      return "without an answer: it was stopped";
    default:
      return `without an answer: ${error ?? "it failed"}`;
  }
}
