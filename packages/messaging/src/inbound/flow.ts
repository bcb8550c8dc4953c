import { logRejection } from "@openclaw/agent";
import { wellFormed } from "@openclaw/foundation";
import type { InboundRow } from "@openclaw/store";
import { StoreUnavailableError } from "@openclaw/store/errors";
import { MessageRefusedError } from "../errors.js";
import { messageContext } from "../messages/context.js";
import { failureRecord } from "../messages/failure-record.js";
import type { Caller, InboundMessage, ReplyOutcome } from "../messages/inbound.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { StoredMessage } from "../messages/stored-message.js";
import { messageTrace } from "../messages/trace.js";
import { channelTrace } from "../messages/tracing.js";
import type { AwaitedInput } from "../submissions/command-input.js";
import type { SubmissionReply } from "../submissions/submissions.js";
import type { UnstoredMessage } from "./direct.js";
import { MessageEntry } from "./entry.js";
import type { MessageFlowDependencies, MessageSteps } from "./steps.js";

/** Outcome of a routed message, wrapped so that a queued turn is awaited outside the queue of arrivals. */
interface Routed {
  readonly outcome: ReplyOutcome | Promise<ReplyOutcome>;
}

/**
 * Processes every incoming message: accepts, admits, inspects and routes it, queues it as a turn, and delivers
 * the reply.
 */
export class MessageFlow {
  readonly #steps: MessageSteps;
  readonly #dependencies: MessageFlowDependencies;
  readonly #entry: MessageEntry;
  readonly #underway = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  /**
   * @param steps - one component for each step
   * @param dependencies - sessions, recovery, waits, traces, events, outcomes and log
   */
  constructor(steps: MessageSteps, dependencies: MessageFlowDependencies) {
    this.#steps = steps;
    this.#dependencies = dependencies;
    this.#entry = new MessageEntry(steps, dependencies.settings);
  }

  /**
   * Processes a message. It is stored first; a later failure is its outcome and is not thrown. Messages of
   * one session are admitted and answered in order. Halves of characters in it are replaced (TURN-202).
   * @param message - message from a surface
   * @param caller - receiver of the reply
   * @throws MessageRefusedError when the text is empty, or the host is stopping or drained
   * @throws InboxFullError when too many messages have no outcome yet
   * @throws store errors when the message could not be stored
   */
  receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome> {
    const { channel } = message;
    const accepted = channelTrace.trace(
      () => ({ direction: "inbound", channel, messageId: undefined }),
      () => this.#accept(wellFormed(message), caller),
      ({ status, messageId }) => ({ outcome: status, messageId }),
    );
    const { handled } = this.#dependencies;
    return this.#track(
      handled === undefined
        ? accepted
        : accepted.then((outcome) => {
            handled(message, outcome);
            return outcome;
          }),
    );
  }

  /**
   * Resumes the work that an earlier process left: turns continue from their last step, messages without a
   * turn are processed, and replies are sent if their channel still exists. Must be called before the first
   * `receive`; otherwise it would treat that message as one of an earlier process.
   * @returns number of resumed turns
   */
  async recover(): Promise<number> {
    await this.#dependencies.authentication.load();
    return await this.takeOver();
  }

  /**
   * Takes over the work of nodes that are gone (SCALE-009), or what an earlier process left.
   * @returns number of turns
   */
  async takeOver(): Promise<number> {
    const { recovery, logger } = this.#dependencies;
    const { messages, turns, replies } = await recovery.load();
    const resumed = await recovery.resumeTurns(turns);
    for (const row of messages) this.#reprocess(row);
    logRejection(this.#track(recovery.sendReplies(replies)), logger);
    return resumed;
  }

  /**
   * Accepts no new messages but those that end a turn or decide its approval, or accepts all again.
   * @param isDraining - true to leave new messages to other nodes
   */
  drain(isDraining: boolean): void {
    this.#entry.isDraining = isDraining;
  }

  /** Stops accepting messages, and resolves when none is being processed. */
  async close(): Promise<void> {
    const { live, waits } = this.#dependencies;
    this.#closing.abort();
    // The next start resumes the turns that wait for approval.
    waits.close();
    live.stopWaiting();
    await Promise.allSettled(this.#underway);
    await live.idle();
  }

  async #accept(message: InboundMessage, caller: Caller): Promise<ReplyOutcome> {
    if (this.#closing.signal.aborted) {
      const problem = "the host is stopping; send the message again later";
      throw new MessageRefusedError("stopping", problem);
    }
    const unstored = this.#steps.intake.prepare(message);
    // Before the message itself is counted.
    const backlog = this.#underway.size;
    return await this.#dependencies.outcomes.keep(unstored.message, async () => {
      await this.#entry.assertOpen(message, backlog);
      return this.#acceptNew(message, unstored, caller);
    });
  }

  async #acceptNew(
    message: InboundMessage,
    unstored: UnstoredMessage,
    caller: Caller,
  ): Promise<ReplyOutcome> {
    const startedAt = performance.now();
    const { intake, direct, credentials } = this.#steps;
    const { live } = this.#dependencies;
    const route = direct.routeOf(message);
    if (route !== undefined && credentials.isAwaited(route.sessionKey)) {
      const taken = await credentials.take({ message, unstored, route, caller });
      if (taken !== undefined) return this.#ended(route.sessionKey, taken);
    }
    if (route !== undefined && live.find(route.sessionKey)?.mayStoreDirectly !== false) {
      const routed = direct.find(message, unstored, route, caller);
      const reply = routed && (await this.#processDirectly(routed, unstored));
      if (reply !== undefined) return reply;
    }
    // A message that cannot be routed has no place among others.
    const entering = route && (await live.of(route.sessionKey).enter());
    try {
      const { row, duplicate } = await intake.accept(unstored);
      if (duplicate) return { status: "duplicate", messageId: row.id };
      const context = messageContext(message, row.id);
      const queued = () => entering?.end();
      return await this.#process({ message, row, context, caller, startedAt }, queued);
    } finally {
      entering?.end();
    }
  }

  /**
   * Stores a message together with its turn. Returns undefined when the turn cannot be stored: the message is
   * then stored alone, so that the failure is its outcome.
   */
  async #processDirectly(
    routed: RoutedMessage,
    unstored: UnstoredMessage,
  ): Promise<ReplyOutcome | undefined> {
    const { enqueuer, intake } = this.#steps;
    const { live, traces } = this.#dependencies;
    using _trace = traces.hold(messageTrace(routed.row.id).traceId);
    try {
      const session = live.of(routed.route.sessionKey);
      const { outcome } = await session.storeDirectly(() => enqueuer.enqueue(routed, unstored));
      if (unstored.isStored) this.#tellStored(routed);
      else intake.countDuplicate();
      return await outcome;
    } catch (error) {
      if (unstored.isStored) return this.#fail(routed, error);
      if (StoreUnavailableError.isInstance(error)) throw error;
      return undefined;
    }
  }

  /** A surface that fails does not keep the turn from its answer, which is stored already. */
  #tellStored({ caller, row }: RoutedMessage): void {
    try {
      caller.onStored?.(row.id);
    } catch (error) {
      const { code, message } = failureRecord(error);
      const problem = `a surface could not take that its message is stored: ${message}`;
      this.#dependencies.logger.error(problem, { code, messageId: row.id });
    }
  }

  /**
   * Processes a message that this or an earlier process stored.
   * @param queued - called when it is among the arrivals of its session
   */
  async #process(stored: StoredMessage, queued = () => {}): Promise<ReplyOutcome> {
    const { router, submissions } = this.#steps;
    const { live, traces } = this.#dependencies;
    const { message, row, caller } = stored;
    using _trace = traces.hold(messageTrace(row.id).traceId);
    try {
      caller.onStored?.(row.id);
      const { sessionKey } = router.route(message);
      const end = (outcome: ReplyOutcome) => this.#ended(sessionKey, outcome);
      // A message that interrupts a turn or decides its approval must not wait behind messages that wait for
      // that turn.
      // Checked one after another, because a check that reads the store must not be overtaken.
      const check = () => submissions.isUrgent(message.text, sessionKey);
      if (await live.of(sessionKey).run("checks", check)) {
        return end(await (await this.#admit(stored)).outcome);
      }
      const arrival = live.of(sessionKey).run("arrivals", () => this.#admit(stored));
      queued();
      return end(await (await arrival).outcome);
    } catch (error) {
      return this.#fail(stored, error);
    }
  }

  /** Publishes the outcome of a message that did not become a turn; a turn publishes its own. */
  #ended(sessionKey: string, outcome: ReplyOutcome): ReplyOutcome {
    const isOfTurn = "runId" in outcome && outcome.runId !== undefined;
    if (!isOfTurn && outcome.status !== "duplicate") {
      this.#dependencies.events.ended(sessionKey, outcome);
    }
    return outcome;
  }

  #reprocess(row: InboundRow): void {
    const { recovery, outcomes, logger } = this.#dependencies;
    const process = () => this.#process(recovery.restore(row));
    logRejection(this.#track(outcomes.keep(row, process)), logger);
  }

  async #admit(stored: StoredMessage): Promise<Routed> {
    const { admission, responder } = this.#steps;
    // It was admitted before its command asked for input.
    if (stored.message.awaitedInput !== undefined) return this.#route(stored, stored.message);
    const messageId = stored.row.id;
    const admitted = await admission.admit(stored);
    switch (admitted.outcome) {
      case "cancelled": {
        responder.announce(stored, { outcome: "cancelled" });
        const { text, reason } = admitted;
        return { outcome: { status: "withheld", messageId, text, reason } };
      }
      case "claimed":
        responder.announce(stored, { outcome: "claimed", content: admitted.content });
        return { outcome: { status: "answered", messageId, text: admitted.text } };
      case "admitted":
        return this.#route(stored, admitted.message);
    }
  }

  /** Routes a message, and answers it if it is a command (SUB-047). */
  async #route(stored: StoredMessage, admitted: InboundMessage): Promise<Routed> {
    const { router, submissions } = this.#steps;
    const routed = { ...stored, admitted, route: router.route(admitted) };
    return await this.#reply(routed, await submissions.answer(routed));
  }

  async #reply(routed: RoutedMessage, reply: SubmissionReply | undefined): Promise<Routed> {
    const { responder } = this.#steps;
    const { admitted } = routed;
    if (reply === undefined) return this.#inspect(routed);
    if (reply.awaits !== undefined) return { outcome: this.#resume(routed, reply.awaits) };
    if (reply.continuesWithAgent !== true) return { outcome: await this.#deliver(routed, reply) };
    await responder.notify(routed, reply.text);
    if (reply.agentText === undefined) return this.#inspect(routed);
    return this.#inspect({ ...routed, admitted: { ...admitted, text: reply.agentText } });
  }

  /** Continues a command once its input was decided; meanwhile, other messages of the session are processed. */
  async #resume(routed: RoutedMessage, awaited: AwaitedInput): Promise<ReplyOutcome> {
    const { submissions } = this.#steps;
    const { live } = this.#dependencies;
    const { signal } = this.#closing;
    try {
      await submissions.decided(awaited, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      const reason = "the host is stopping; the command waits for its input after the next start";
      return { status: "withheld", messageId: routed.row.id, text: "", reason };
    }
    const { outcome } = await live
      .of(routed.route.sessionKey)
      .run("arrivals", async () => this.#reply(routed, await submissions.resume(awaited, routed)));
    return await outcome;
  }

  async #inspect(routed: RoutedMessage): Promise<Routed> {
    const { inspection, responder, enqueuer } = this.#steps;
    const inspected = inspection.inspect(routed, routed.admitted);
    if ("message" in inspected) {
      return await enqueuer.enqueue({ ...routed, admitted: inspected.message });
    }
    return { outcome: await responder.refuse(routed, failureRecord(inspected.refusal)) };
  }

  /** Replies to a command, and then shows what plugins say about it (LIFE-041). */
  async #deliver(routed: RoutedMessage, reply: SubmissionReply): Promise<ReplyOutcome> {
    const { responder } = this.#steps;
    const outcome = await responder.respond(routed, reply);
    if (reply.action === undefined) return outcome;
    return await responder.followUp(routed, outcome, reply.action);
  }

  /** Stores a failure, so that every stored message gets an outcome. */
  async #fail(stored: StoredMessage, cause: unknown): Promise<ReplyOutcome> {
    const { intake, responder } = this.#steps;
    const { id: messageId } = stored.row;
    const { error, stored: isStored } = await intake.fail(messageId, cause);
    if (isStored) responder.announce(stored, { outcome: "failed", error: error.message });
    const outcome = { status: "failed", messageId, error: { ...error, retryable: false } } as const;
    const sessionKey = this.#steps.direct.routeOf(stored.message)?.sessionKey;
    return sessionKey === undefined ? outcome : this.#ended(sessionKey, outcome);
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const tracked = work.finally(() => this.#underway.delete(tracked));
    this.#underway.add(tracked);
    return tracked;
  }
}
