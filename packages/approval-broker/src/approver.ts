import { errorMessage, waitUnlessAborted } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Approval } from "@openclaw/store/decisions";
import type { ApprovalActor } from "./actor.js";
import type { ApprovalBroker } from "./broker.js";
import { ApprovalAlreadyDecidedError } from "./errors.js";
import type { ApprovalAnswer } from "./settlement.js";

/** Someone who can be asked while a process waits for the answer. */
export interface Approver {
  /** In whose name the answers are given. */
  readonly actor: ApprovalActor;
  /**
   * Puts a question and waits for its answer.
   * @param approval - the stored question
   * @param signal - aborts when the answer no longer counts: somebody else, or the time, was first
   */
  ask(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer>;
}

/**
 * Puts a stored question to someone, and settles it by the answer unless somebody else is first. A question
 * that cannot be put, or is answered with what does not answer it, is denied (D5).
 * @param approval - the question
 * @param approver - who is asked
 * @param broker - settles it
 * @param signal - ends the asking; the question stays
 * @param logger - told of an approver that failed
 */
export async function putToApprover(
  approval: Approval,
  approver: Approver,
  broker: ApprovalBroker,
  signal: AbortSignal,
  logger: Logger,
): Promise<void> {
  const { id, digest } = approval;
  const { actor } = approver;
  const over = new AbortController();
  const stop = () => over.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const unsubscribe = broker.onDecided((decided) => {
    if (decided.id === id) over.abort(new Error("the question was answered"));
  });
  try {
    signal.throwIfAborted();
    const answer = await waitUnlessAborted(over.signal, () => approver.ask(approval, over.signal));
    await broker.decide(id, { ...answer, digest }, actor);
  } catch (error) {
    if (over.signal.aborted || ApprovalAlreadyDecidedError.isInstance(error)) return;
    const problem = `a question could not be put to ${actor.channel}:${actor.senderId}, and is denied: ${errorMessage(error)}`;
    logger.error(problem, { code: "APPROVER_FAILED", approvalId: id });
    await broker.decide(id, { decision: "deny", via: "failure" }, HOST).catch((late: unknown) => {
      if (!ApprovalAlreadyDecidedError.isInstance(late)) throw late;
    });
  } finally {
    signal.removeEventListener("abort", stop);
    unsubscribe();
  }
}

/** In whose name the host denies what it cannot have answered. */
const HOST: ApprovalActor = { channel: "host", senderId: "host", isOwner: true };
