import { errorMessage, waitUnlessAborted } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Approval } from "@openclaw/store/decisions";
import type { ApprovalActor } from "./actor.js";
import type { ApprovalBroker } from "./broker.js";
import { ApprovalAlreadyDecidedError } from "./errors.js";
import type { ApprovalAnswer } from "./settlement.js";

/** Person who can be asked for a decision while a process waits for it. */
export interface Approver {
  /** Actor in whose name the decisions are made. */
  readonly actor: ApprovalActor;
  /**
   * Shows an approval request to the person and waits for the decision.
   * @param approval - stored approval request
   * @param signal - aborts when the decision no longer counts, because the request is settled
   *   otherwise
   */
  ask(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer>;
}

/**
 * Shows a stored approval request to an approver, and settles it with the decision unless it is
 * settled otherwise first. A request that cannot be shown, or whose decision is not valid, is
 * denied (D5).
 * @param approval - approval request
 * @param approver - person to ask
 * @param broker - broker that settles the request
 * @param signal - stops the wait; the request stays pending
 * @param logger - receives the error of an approver that failed
 */
export async function requestDecision(
  approval: Approval,
  approver: Approver,
  broker: Pick<ApprovalBroker, "onDecided" | "decide">,
  signal: AbortSignal,
  logger: Logger,
): Promise<void> {
  const { id, digest } = approval;
  const { actor } = approver;
  const over = new AbortController();
  const stop = () => over.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const unsubscribe = broker.onDecided((decided) => {
    if (decided.id === id) over.abort(new Error("the approval request was settled"));
  });
  try {
    signal.throwIfAborted();
    const answer = await waitUnlessAborted(over.signal, () => approver.ask(approval, over.signal));
    const { state } = await broker.decide(id, { ...answer, digest }, actor);
    // Other people must allow it too; they are asked elsewhere.
    if (state === "pending") await waitUnlessAborted(over.signal, () => new Promise(() => {}));
  } catch (error) {
    if (over.signal.aborted || ApprovalAlreadyDecidedError.isInstance(error)) return;
    const problem = `approver ${actor.channel}:${actor.senderId} gave no valid decision, so the request is denied: ${errorMessage(error)}`;
    logger.error(problem, { code: "APPROVER_FAILED", approvalId: id });
    await broker.decide(id, { decision: "deny", via: "failure" }, HOST).catch((late: unknown) => {
      if (!ApprovalAlreadyDecidedError.isInstance(late)) throw late;
    });
  } finally {
    signal.removeEventListener("abort", stop);
    unsubscribe();
  }
}

/** Actor in whose name the host denies a request that no approver could decide. */
const HOST: ApprovalActor = { channel: "host", senderId: "host", isOwner: true };
