import { errorMessage, escapeUnseen, type TimerHandle } from "@openclaw/foundation";
import { approvalInstructions } from "@openclaw/messaging";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { OpenAiHost } from "./host.js";

/** Time that a request without a stream waits for an approval, in milliseconds (GW-036). */
const APPROVAL_WAIT_MS = 60_000;
/** Interval of the comments in a stream during a wait for an approval, in milliseconds. */
const APPROVAL_COMMENT_MS = 15_000;

/** Observes the wait of a turn for an approval. */
export class ApprovalWatch implements Disposable {
  readonly #host: Pick<OpenAiHost, "pendingApproval" | "timers" | "logger">;
  #timer: TimerHandle;
  #approvalId: string | undefined;

  /** @param host - approval requests and timers */
  constructor(host: Pick<OpenAiHost, "pendingApproval" | "timers" | "logger">) {
    this.#host = host;
  }

  /**
   * Comments the wait in a stream: at its begin, and in intervals until it ends.
   * @param approvalId - request that the turn waits for; undefined when it continues
   * @param comment - sends a comment
   */
  commentOn(approvalId: string | undefined, comment: (text: string) => void): void {
    this.#wait(approvalId, 0, (approval) => {
      comment(`waiting for approval ${nameOf(approval)}`);
      return APPROVAL_COMMENT_MS;
    });
  }

  /**
   * Calls a function when the turn has waited too long for a response without a stream.
   * @param approvalId - request that the turn waits for; undefined when it continues
   * @param giveUp - receives the request
   */
  giveUpOn(approvalId: string | undefined, giveUp: (approval: ApprovalSummary) => void): void {
    this.#wait(approvalId, APPROVAL_WAIT_MS, (approval) => {
      giveUp(approval);
      return undefined;
    });
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  #wait(
    approvalId: string | undefined,
    delayMs: number,
    act: (approval: ApprovalSummary) => number | undefined,
  ): void {
    this.#stop();
    this.#approvalId = approvalId;
    if (approvalId === undefined) return;
    const check = async () => {
      const approval = await this.#host.pendingApproval(approvalId);
      if (approval === undefined || this.#approvalId !== approvalId) return;
      const next = act(approval);
      if (next !== undefined) start(next);
    };
    const start = (ms: number) => {
      this.#timer = this.#host.timers.setTimeout(() => void check().catch(report), ms);
    };
    const report = (error: unknown) => {
      const problem = `a pending approval could not be read: ${errorMessage(error)}`;
      this.#host.logger.error(problem, { code: "APPROVAL_NOT_SHOWN", approvalId });
    };
    if (delayMs === 0) check().catch(report);
    else start(delayMs);
  }

  #stop(): void {
    this.#approvalId = undefined;
    if (this.#timer !== undefined) this.#host.timers.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/**
 * Returns the text of the reply to a request whose turn still waits for an approval.
 * @param approval - the request
 * @param sessionKey - session in which the reply will be
 */
export function approvalNotice(approval: ApprovalSummary, sessionKey: string): string {
  return `The approval ${nameOf(approval)} is pending. ${approvalInstructions(approval)} The turn continues after the decision; its reply will be in the session ${sessionKey}.`;
}

function nameOf({ code, tool, title }: ApprovalSummary): string {
  return `${code} (${escapeUnseen(tool ?? title)})`;
}
