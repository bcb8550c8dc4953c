import type { ApprovalSummary } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { takeUp } from "../../state/approvals.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { call } from "../../state/link.js";
import type { FormValues } from "./form-fields.js";

/** Answer of a person to a request. */
export type Answer =
  | {
      readonly decision: "allow-once";
      /** Values of a request for input. */
      readonly input?: FormValues | undefined;
    }
  | {
      readonly decision: "deny";
      /** Note for the model. */
      readonly note?: string | undefined;
    }
  | {
      readonly decision: "allow-always";
      readonly scope?: "session" | "agent" | "global" | undefined;
      readonly prefixes?: readonly string[] | undefined;
    };

/** Answer that was sent, and has not been accepted. */
export interface SentAnswer {
  readonly decision: Answer["decision"];
  /** Error of the gateway that rejected it; absent while it is being sent. */
  readonly fault?: Fault | undefined;
}

/** Answers of this page by the ID of the request. */
export const sentAnswers = signal<ReadonlyMap<string, SentAnswer>>(new Map());

/** Requests that this page decided, so that it reports only these as its own. */
export const decidedHere: Set<string> = new Set();

/**
 * Sends an answer, bound to what is on the screen. The request changes only with the answer of the gateway.
 * @param approval - request as it is shown
 * @param answer - decision
 */
export async function decide(approval: ApprovalSummary, answer: Answer): Promise<void> {
  const { id, digest } = approval;
  const sent = sentAnswers.value.get(id);
  if (sent !== undefined && sent.fault === undefined) return;
  note(id, { decision: answer.decision });
  try {
    const settled = await call("approvals.resolve", { id, digest, ...payloadOf(answer) });
    decidedHere.add(id);
    note(id, undefined);
    takeUp(settled);
  } catch (error) {
    note(id, { decision: answer.decision, fault: faultOf(error) });
    // Somebody else may have decided it, or it may have changed.
    await call("approvals.get", { id }).then(takeUp, () => undefined);
  }
}

function payloadOf(answer: Answer) {
  if (answer.decision === "allow-once") {
    const { decision, input } = answer;
    return { decision, ...(input === undefined ? {} : { input: { ...input } }) };
  }
  if (answer.decision === "deny") {
    const note = answer.note?.trim() ?? "";
    return { decision: answer.decision, ...(note === "" ? {} : { note }) };
  }
  const { scope, prefixes } = answer;
  return {
    decision: answer.decision,
    ...(scope === undefined ? {} : { scope }),
    ...(prefixes === undefined ? {} : { prefixes: [...prefixes] }),
  };
}

function note(id: string, sent: SentAnswer | undefined): void {
  const next = new Map(sentAnswers.value);
  if (sent === undefined) next.delete(id);
  else next.set(id, sent);
  sentAnswers.value = next;
}
