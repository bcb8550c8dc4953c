import type { JournalEntry, JournalStep } from "@openclaw/store";

/** A step of one kind. */
export type StepOf<Kind extends JournalStep["kind"]> = Extract<JournalStep, { kind: Kind }>;

/** Purpose of a model request. */
export type RequestPurpose = "answer" | "summary";

/** A step that decides how the turn continues, in the order in which they were taken. */
export type PathStep =
  | {
      readonly kind: "reply";
      readonly purpose: RequestPurpose;
      readonly step: StepOf<"model-answered">;
    }
  | {
      readonly kind: "failure";
      readonly purpose: RequestPurpose;
      readonly step: StepOf<"model-failed">;
    }
  | { readonly kind: "shortening"; readonly step: StepOf<"conversation-shortened"> }
  | { readonly kind: "revision"; readonly step: StepOf<"answer-revised"> }
  | { readonly kind: "steering"; readonly step: StepOf<"message-steered"> };

/**
 * Returns the steps that decide how a turn continues, without those that a later step replaced: requests
 * without a result are made again, and the steps that led to the prepared prompt, or to a shorter
 * conversation, are part of that result.
 * @param entries - the journal of the run
 */
export function journalSteps(entries: readonly JournalEntry[]): readonly PathStep[] {
  const path: PathStep[] = [];
  const purposes = new Map<string, RequestPurpose>();
  for (const { step } of entries) {
    switch (step.kind) {
      case "turn-prepared":
        path.length = 0;
        break;
      case "model-requested":
        purposes.set(step.callId, step.purpose ?? "answer");
        break;
      case "model-answered":
        path.push({ kind: "reply", purpose: purposes.get(step.callId) ?? "answer", step });
        break;
      case "model-failed":
        path.push({ kind: "failure", purpose: purposes.get(step.callId) ?? "answer", step });
        break;
      case "conversation-shortened":
        while (isOfSummary(path.at(-1))) path.pop();
        path.push({ kind: "shortening", step });
        break;
      case "answer-revised":
        path.push({ kind: "revision", step });
        break;
      case "message-steered":
        path.push({ kind: "steering", step });
        break;
    }
  }
  return path.filter((each, index) => each.kind !== "failure" || wasActedOn(path, index));
}

function isOfSummary(each: PathStep | undefined): boolean {
  return (each?.kind === "reply" || each?.kind === "failure") && each.purpose === "summary";
}

/**
 * Returns true if the turn continued after the failure, as it does only for a conversation that is too
 * long; other requests are repeated.
 */
function wasActedOn(path: readonly PathStep[], index: number): boolean {
  if (isOfSummary(path[index])) return false;
  const next = path
    .slice(index + 1)
    .find((each) => each.kind !== "failure" || each.purpose !== "summary");
  return next?.kind === "shortening" || isOfSummary(next);
}
