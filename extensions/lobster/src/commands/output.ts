import { stdout } from "node:process";
import type { Envelope } from "../envelope/envelope.js";
import type { SuspendedRun } from "../gates/run.js";

/**
 * Prints a result: as JSON with `--json`, otherwise as text.
 * @param json - true for JSON
 * @param value - result of the command
 * @param text - lines for a person
 */
export function print(json: boolean, value: unknown, text: () => readonly string[]): void {
  stdout.write(`${json ? JSON.stringify(value, null, 2) : text().join("\n")}\n`);
}

/**
 * Returns the lines of an envelope.
 * @param envelope - result of a run
 */
export function envelopeLines(envelope: Envelope): string[] {
  if (!envelope.ok) {
    const { type, message, step } = envelope.error;
    return [`Failed (${type})${step === undefined ? "" : ` at ${step}`}: ${message}`];
  }
  const { status, output, requiresApproval, requiresInput, warnings = [] } = envelope;
  const notes = warnings.map((warning) => `Warning: ${warning}`);
  switch (status) {
    case "ok":
      return [
        ...output.map((item) =>
          typeof item === "string" ? item.replace(/\n$/, "") : JSON.stringify(item),
        ),
        ...notes,
      ];
    case "cancelled":
      return ["Cancelled.", ...notes];
    case "needs_approval":
      return [
        `Waiting for approval: ${requiresApproval?.prompt ?? ""}`,
        ...(requiresApproval?.items ?? []).map((item) => `  ${JSON.stringify(item)}`),
        `Continue: openclaw lobster resume ${requiresApproval?.approvalId} --approve`,
        `Cancel:   openclaw lobster cancel ${requiresApproval?.approvalId}`,
        ...notes,
      ];
    case "needs_input":
      return [
        `Waiting for an answer: ${requiresInput?.prompt ?? ""}`,
        `  schema ${JSON.stringify(requiresInput?.responseSchema)}`,
        `Answer: openclaw lobster resume ${requiresInput?.approvalId} --response-json '<JSON>'`,
        ...notes,
      ];
  }
}

/** Returns a run without its continuation, for output. */
export function shownRun(run: SuspendedRun) {
  const { id, code, gate, kind, sessionKey, agentId, status, need, name, prompt } = run;
  return {
    ...{ id, code, status, kind, name, waitsFor: need, gate, prompt, sessionKey, agentId },
    ...(run.approvalCode === null ? {} : { approvalCode: run.approvalCode }),
    createdAt: new Date(run.createdAt).toISOString(),
    expiresAt: new Date(run.expiresAt).toISOString(),
    ...(run.result === "" ? {} : { result: JSON.parse(run.result) as unknown }),
  };
}
