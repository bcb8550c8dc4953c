import type { ChatStatus } from "./view.js";

/** Facts of a chat from which its status line follows. */
export interface StatusFacts {
  readonly isConnected: boolean;
  /** Number of approval requests that the user can decide. */
  readonly approvals: number;
  readonly isCommandRunning: boolean;
  /** True while a message waits for its answer. */
  readonly isBusy: boolean;
  /** Start of the running turn in milliseconds since the epoch. */
  readonly since: number | undefined;
  /** Key that leaves when it is pressed again. */
  readonly asksToLeave: string | undefined;
  /** Effect of leaving on the gateway. */
  readonly afterLeaving: string;
  readonly facts: ChatStatus["facts"];
  readonly context: ChatStatus["context"];
  readonly jobs: ChatStatus["jobs"];
}

/**
 * Returns the status line of a chat.
 * @param facts - state of the chat
 */
export function chatStatus({
  isConnected,
  approvals,
  isCommandRunning,
  isBusy,
  since,
  asksToLeave,
  afterLeaving,
  facts,
  context,
  jobs,
}: StatusFacts): ChatStatus {
  const state = !isConnected
    ? "connecting"
    : approvals > 0
      ? "waiting for approval"
      : isBusy
        ? "working"
        : isCommandRunning
          ? "running your command"
          : "ready";
  const hint =
    asksToLeave !== undefined
      ? `press ${asksToLeave} again to leave; ${afterLeaving}`
      : isCommandRunning
        ? "Ctrl-C ends the command"
        : isBusy
          ? "Ctrl-C interrupts"
          : "/help for commands";
  return { state, since, hint, facts, context, jobs };
}
