import { type FinalOutcome, splitReply, type TurnWrite } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import type { OutboxRow, Store, Turn, TurnOutcome as TurnEnding } from "@openclaw/store";
import { StoreUnavailableError } from "@openclaw/store/errors";
import type { Delivery } from "../delivery/chunk.js";
import { replyTarget } from "../delivery/target.js";
import { type FailureRecord, failureRecord } from "../messages/failure-record.js";
import type { HookTraces } from "../messages/hook-traces.js";
import type { ReplyOutcome } from "../messages/inbound.js";
import { tracedRun } from "../messages/traced-run.js";
import type { TurnInput } from "./input.js";
import { type LateEndingDependencies, storeEndLater } from "./late-ending.js";

/** Dependencies of {@link TurnEndings}. */
export interface TurnEndingsDependencies {
  readonly store: Store;
  readonly approvals: Pick<ApprovalBroker, "cancelFor">;
  readonly traces: Pick<HookTraces, "hold" | "take">;
  /** Dependencies for retrying ends that could not be stored. */
  readonly late: LateEndingDependencies;
}

/** Settings of {@link TurnEndings.store}. */
export interface EndWriting {
  /** Last writes of the run. */
  readonly write: TurnWrite<void>;
  /** Set to store the reply as delivered: the caller of the turn reads it from the outcome. */
  readonly isReadByCaller: boolean;
  /** Text for the sender if the turn failed; absent when the caller reads the failure from the outcome. */
  readonly failureText?: string | undefined;
}

/** Stores the ends of turns. */
export class TurnEndings {
  readonly #dependencies: TurnEndingsDependencies;

  /** @param dependencies - store, approvals, traces and retries */
  constructor(dependencies: TurnEndingsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Records the hooks of a turn until the returned handle is disposed. */
  trace(turn: Turn): Disposable {
    const traced = tracedRun(turn);
    return this.#dependencies.traces.hold(traced.traceId, traced);
  }

  /**
   * Ends a turn that has not started.
   * @param runId - ID of the turn
   * @param stopReason - reason of the end
   */
  async interrupt(runId: string, stopReason: "caller-gone" | "interrupted"): Promise<void> {
    const { store, approvals } = this.#dependencies;
    if (stopReason === "interrupted") await approvals.cancelFor({ runId }, "interrupt");
    await store.turns.finish(runId, { state: "interrupted", stopReason });
  }

  /**
   * Ends a turn that failed in the host, outside the agent.
   * @param error - cause of the failure
   */
  async fail(
    { runId, inboxId: messageId, sessionKey }: Turn,
    error: FailureRecord,
  ): Promise<Extract<ReplyOutcome, { status: "failed" }>> {
    const { store, approvals, late } = this.#dependencies;
    const { logger } = late;
    const { code } = error;
    logger.error(`a turn could not be completed: ${error.message}`, {
      code,
      runId,
      sessionKey,
    });
    const end = async () => {
      await store.turns.finish(runId, { state: "failed", error: { ...error, stage: "internal" } });
      await approvals.cancelFor({ runId }, "turn-failed");
    };
    try {
      await end();
    } catch (cause) {
      const { message } = failureRecord(cause);
      logger.error(`the end of a turn could not be stored: ${message}`, { runId, sessionKey });
      if (StoreUnavailableError.isInstance(cause)) storeEndLater(runId, end, late);
    }
    return { status: "failed", messageId, runId, error: { ...error, retryable: false } };
  }

  /**
   * Stores the end of a turn with its reply and the last writes of the run, in one transaction: none is stored
   * without the others.
   * @param input - destination of the reply
   * @param outcome - outcome of the turn
   * @param writing - last writes of the run, and the reader of the reply
   * @returns the stored reply; undefined when there is none to deliver
   */
  store(
    turn: Turn,
    input: TurnInput,
    outcome: FinalOutcome,
    { write, isReadByCaller, failureText }: EndWriting,
  ): Promise<OutboxRow | undefined> {
    const { store, traces } = this.#dependencies;
    const { runId, inboxId, sessionKey, trigger } = turn;
    const end = async (unit: Store) => {
      await write(unit);
      await unit.turns.finish(runId, turnEnding(outcome));
      const segment = traces.take(tracedRun(turn), { withheld: outcome.status === "blocked" });
      if (segment !== undefined) await unit.turns.traces.add(segment);
      const replies = outcome.status === "completed" || outcome.status === "blocked";
      const text = replies ? outcome.text : (failureText ?? "");
      if (text === "") return undefined;
      if (trigger === "job") {
        // Jobs deliver their results themselves; a failure is not one.
        if (replies) await unit.jobs.runs.keepAnswer(runId, text);
        return undefined;
      }
      if (trigger === "cron" || trigger === "heartbeat") {
        // So do routines.
        if (replies) await unit.routines.runs.keepAnswer(runId, text);
        return undefined;
      }
      if (trigger === "subagent") {
        // A subagent replies to its parent, not to the conversation of the parent.
        await unit.sessions.subagents.keepResult(runId, text);
        return undefined;
      }
      const target = replyTarget(input);
      const reply = { runId, part: 0, inboxId, sessionKey, target, content: text };
      const { outbox } = unit.messages;
      const { row } = await outbox.add(reply);
      return isReadByCaller ? await outbox.delivered(row.id) : row;
    };
    return store.transaction(end, { session: sessionKey });
  }

  /**
   * Returns the outcome of a turn's message for the callers that waited.
   * @param outcome - outcome of the turn
   * @param delivery - delivery of its reply; undefined when it has none
   */
  replyOutcome(
    { runId, inboxId: messageId, sessionKey }: Turn,
    outcome: FinalOutcome,
    delivery: Delivery | undefined,
  ): Exclude<ReplyOutcome, { status: "duplicate" }> {
    const shown = delivery?.status === "delivered" ? delivery.text : undefined;
    switch (outcome.status) {
      case "completed": {
        if (delivery?.status === "failed") {
          const { code, error: message } = delivery;
          return { status: "failed", messageId, runId, error: { code, message, retryable: false } };
        }
        const { text, stopReason, usage, ...further } = outcome;
        if (text !== "" && shown === undefined) {
          return {
            status: "withheld",
            messageId,
            runId,
            text: "",
            reason: "a plugin cancelled the reply",
          };
        }
        const replied = { status: "replied", messageId, runId, text: shown ?? "" } as const;
        // A plugin may have changed the text on its way to the caller.
        const parts = outcome.parts && splitReply(shown ?? "", outcome.parts);
        const { stopSequence, clientCalls, reasoning, unapprovedTools, deniedTools } = further;
        const unapproved = { unapprovedTools, deniedTools };
        const told = defined({ stopSequence, parts, clientCalls, reasoning, ...unapproved });
        return { ...replied, stopReason, usage, ...told };
      }
      case "blocked":
        return {
          status: "withheld",
          messageId,
          runId,
          text: shown ?? "",
          reason: "a plugin blocked the run",
        };
      case "interrupted":
        return { status: "interrupted", messageId, runId };
      case "failed": {
        const { stage, ...error } = outcome.error;
        const { code, message } = error;
        const { logger } = this.#dependencies.late;
        logger.error(`a turn failed: ${message}`, { code, stage, runId, sessionKey });
        return { status: "failed", messageId, runId, error };
      }
    }
  }
}

function turnEnding(outcome: FinalOutcome): TurnEnding {
  switch (outcome.status) {
    case "completed":
      return { state: "completed", stopReason: outcome.stopReason, usage: outcome.usage };
    case "failed": {
      const { code, message, stage } = outcome.error;
      return { state: "failed", error: { code, message, stage } };
    }
    case "blocked":
    case "interrupted":
      return { state: outcome.status };
  }
}
