import { setImmediate as nextTurn } from "node:timers/promises";
import {
  DeadlineExceededError,
  errorMessage,
  type Timers,
  waitUnlessAborted,
  withDeadline,
} from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type {
  Channel,
  ChannelContext,
  ChannelEvent,
  IncomingMessage,
} from "@openclaw/plugin-sdk/channel-core";
import { failureRecord } from "../messages/failure-record.js";
import type { ReceivedFiles } from "../messages/received-files.js";
import type { ChannelPairing } from "../senders/pairing.js";
import { readIncoming } from "./incoming.js";
import { channelLogger } from "./logger.js";
import type { ChannelSection } from "./settings.js";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** Time that a stream has to end after its signal aborted (CHAN-002). */
const END_MS = 2000;
/** Time after which a connection counts as stable, so that the next failure is retried quickly again. */
const STABLE_MS = 60_000;

/**
 * State of an account of a channel. `degraded`: its stream failed or ended, and is started again; or messages may need
 * what its plugin lacks.
 */
export type ChannelState = "stopped" | "starting" | "connected" | "degraded";

/** Health of an account of a channel. */
export interface ChannelHealth {
  readonly state: ChannelState;
  /** Last failure of the stream; absent once the channel is connected again. */
  readonly problem?: ChannelProblem | undefined;
  /** Time of the next attempt while it is degraded, in milliseconds since the epoch. */
  readonly retryAt?: number | undefined;
  /** Number of times that the stream was started again. */
  readonly restarts: number;
  readonly received: number;
  /** Messages that its policies did not accept. */
  readonly ignored: number;
  /** Messages of an invalid form. */
  readonly invalid: number;
  /** Time of the last message, in milliseconds since the epoch. */
  readonly lastMessageAt?: number | undefined;
}

/** Fate of a message that a channel yielded. */
export type Reception = "accepted" | "ignored";

/** Problem of an account, for operators. */
export interface ChannelProblem {
  readonly code: string;
  readonly message: string;
}

/** Channel and configuration of one account. */
export interface ChannelAccountOptions {
  readonly channel: Channel;
  readonly pluginId: string;
  readonly accountId: string;
  /** Section of the configuration for the account. */
  readonly config: ChannelSection;
  /** Why it may lose messages; it counts as degraded until the first message has passed (CHAN-520). */
  readonly limit?: ChannelProblem | undefined;
}

/** Receiver of the messages of channels. */
export interface ChannelReceiver {
  /**
   * Takes a message of a channel; resolves once it is stored, or is not accepted.
   * @param message - message of the channel
   * @param account - account that received it
   */
  receive(message: IncomingMessage, account: ChannelAccount): Promise<Reception>;
  /**
   * Takes an edit of a message, or a reaction to one.
   * @param account - account that received it
   */
  observe(event: ChannelEvent, account: ChannelAccount): void;
}

/** Dependencies of {@link ChannelAccount}. */
export interface ChannelAccountDependencies {
  readonly files: Pick<ReceivedFiles, "save">;
  /** Senders whom the operator admits; absent without pairing. */
  readonly pairing?: Pick<ChannelPairing, "access"> | undefined;
  /** Calls code of a plugin, so that its faults are attributed to it. */
  callPlugin<Result>(pluginId: string, call: () => Result): Result;
  readonly logger: Logger;
  readonly timers: Timers;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /**
   * Removes secrets from the message of a failure, which operators see.
   * @param text - message of an error of a channel
   */
  redact(text: string): string;
}

/**
 * Runs the stream of one account of a channel. One message is taken at a time, and the next one is asked for once it
 * is stored: a channel that floods waits for its own messages, and never has more than one ahead of another channel
 * (CHAN-008, CHAN-013).
 */
export class ChannelAccount {
  readonly channel: Channel;
  readonly pluginId: string;
  readonly accountId: string;
  #config: ChannelSection;
  readonly #dependencies: ChannelAccountDependencies;
  /** Aborts when the stream must end; sending is still possible. */
  readonly #receiving = new AbortController();
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;
  #limit: ChannelProblem | undefined;
  #hasLost = false;
  #health: ChannelHealth = { state: "stopped", restarts: 0, received: 0, ignored: 0, invalid: 0 };
  /** Calls of the channel that must not begin before the stream has. */
  readonly #started: Promise<void>;
  /** Calls of the channel that have not settled. */
  readonly #calls = new Set<Promise<unknown>>();
  #resolveStarted: () => void = () => undefined;

  /**
   * @param options - channel and configuration
   * @param dependencies - receiver of messages, plugins, log and clock
   */
  constructor(options: ChannelAccountOptions, dependencies: ChannelAccountDependencies) {
    this.channel = options.channel;
    this.pluginId = options.pluginId;
    this.accountId = options.accountId;
    this.#config = options.config;
    this.#limit = options.limit;
    const { name } = options.channel;
    const logger = channelLogger(dependencies.logger, name, options.accountId);
    this.#dependencies = { ...dependencies, logger };
    this.#started = new Promise((resolve) => {
      this.#resolveStarted = resolve;
    });
  }

  /** Section of the configuration for the account. */
  get config(): ChannelSection {
    return this.#config;
  }

  /**
   * Replaces the section by one that differs only in settings that need no new connection.
   * @param config - section of the configuration for the account
   */
  configure(config: ChannelSection): void {
    this.#config = config;
  }

  get health(): ChannelHealth {
    return this.#health;
  }

  /** Aborts when the account receives no more messages. */
  get receiving(): AbortSignal {
    return this.#receiving.signal;
  }

  /** Aborts when the account stops. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * Starts the stream; further calls have no effect.
   * @param receiver - receiver of its messages
   */
  start(receiver: ChannelReceiver): void {
    this.#running ??= this.#run(receiver);
  }

  /**
   * Ends the stream, and resolves when it has ended, at the latest after 2 seconds (CHAN-002). Messages can still be
   * sent.
   */
  async stopReceiving(): Promise<void> {
    this.#receiving.abort();
    await this.#running;
    this.#update({ state: "stopped", retryAt: undefined });
  }

  /**
   * Ends the stream, waits at most 2 seconds for the calls that have not settled, and ends the others: a message whose call
   * is ended may have been sent.
   */
  async stop(): Promise<void> {
    await this.stopReceiving();
    const { timers } = this.#dependencies;
    const settled = () => Promise.allSettled(this.#calls);
    if (this.#calls.size > 0) await withDeadline(END_MS, settled, timers).catch(() => undefined);
    this.#ending.abort();
  }

  /**
   * Calls a method of the channel, once the stream was started.
   * @throws the error of the call
   */
  async use<Result>(call: (channel: Channel) => Promise<Result>): Promise<Result> {
    const { callPlugin } = this.#dependencies;
    return await waitUnlessAborted(this.signal, async () => {
      await this.#started;
      const called = callPlugin(this.pluginId, () => call(this.channel));
      this.#calls.add(called);
      return await called.finally(() => this.#calls.delete(called));
    });
  }

  async #run(receiver: ChannelReceiver): Promise<void> {
    const { now, logger } = this.#dependencies;
    let wait = FIRST_WAIT_MS;
    while (!this.receiving.aborted) {
      const startedAt = now();
      const problem = await this.#stream(receiver);
      if (this.receiving.aborted) return;
      if (now() - startedAt >= STABLE_MS) wait = FIRST_WAIT_MS;
      const { restarts } = this.#health;
      this.#update({
        state: "degraded",
        problem,
        retryAt: now() + wait,
        restarts: restarts + 1,
      });
      const { message } = problem;
      const subject = message.startsWith("channel ") ? message : `${this.#name}: ${message}`;
      logger.warn(`${subject}; it is started again in ${wait / 1000} s`, {
        code: problem.code,
      });
      await this.#pause(wait);
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    }
  }

  /** Runs the stream once, and returns why it ended. */
  async #stream(receiver: ChannelReceiver): Promise<ChannelProblem> {
    const { callPlugin } = this.#dependencies;
    const signal = this.receiving;
    if (this.#health.state === "stopped") this.#update({ state: "starting" });
    let iterator: AsyncIterator<unknown> | undefined;
    try {
      iterator = callPlugin(this.pluginId, () =>
        this.channel.start(this.#context(receiver))[Symbol.asyncIterator](),
      );
      const stream = iterator;
      for (;;) {
        const next = waitUnlessAborted(signal, () =>
          callPlugin(this.pluginId, () => stream.next()),
        );
        this.#resolveStarted();
        const { done, value } = await next;
        if (done === true) {
          return { code: "CHANNEL_DISCONNECTED", message: "its stream of messages ended" };
        }
        this.connected();
        await this.#take(value, receiver);
      }
    } catch (error) {
      if (!signal.aborted) {
        const { code, message } = failureRecord(error);
        return { code, message: this.#dependencies.redact(message) };
      }
      return { code: "CHANNEL_DISCONNECTED", message: "it was stopped" };
    } finally {
      this.#resolveStarted();
      if (iterator !== undefined) await this.#end(iterator);
    }
  }

  async #take(value: unknown, receiver: ChannelReceiver): Promise<void> {
    const { now, logger } = this.#dependencies;
    let message: IncomingMessage;
    try {
      message = readIncoming(value, this.channel.name);
    } catch (error) {
      this.#update({ invalid: this.#health.invalid + 1 });
      logger.warn(errorMessage(error), { code: failureRecord(error).code });
      return;
    }
    // Not acknowledged when the account stops first; the platform's repeat is then recognised.
    const reception = await waitUnlessAborted(this.receiving, () =>
      receiver.receive(message, this),
    );
    this.#update({
      received: this.#health.received + 1,
      ignored: this.#health.ignored + (reception === "ignored" ? 1 : 0),
      lastMessageAt: now(),
    });
    if (this.#limit !== undefined && !this.#hasLost) {
      this.#limit = undefined;
      this.connected();
    }
    try {
      this.#dependencies.callPlugin(this.pluginId, () => message.acknowledge?.());
    } catch (error) {
      logger.warn(`${this.#name} could not acknowledge a message: ${errorMessage(error)}`);
    }
    // A stream that always has a message ready must not keep timers and sockets waiting.
    await nextTurn();
  }

  #context(receiver: ChannelReceiver): ChannelContext {
    const { logger, files, pairing } = this.#dependencies;
    const { name } = this.channel;
    return {
      ...(pairing && { pairing: pairing.access(name, this.accountId) }),
      signal: this.receiving,
      config: this.config,
      logger,
      accountId: this.accountId,
      connected: () => this.connected(),
      report: (event) => receiver.observe(event, this),
      saveAttachment: (file) => files.save(name, file),
    };
  }

  /** Marks the account as connected. */
  connected(): void {
    if (this.receiving.aborted || this.#health.state === "connected") return;
    const problem = this.#limit;
    const state = problem === undefined ? "connected" : "degraded";
    this.#update({ state, problem, retryAt: undefined });
  }

  /**
   * Marks the account as one that lost a message; it does not count as connected until it is started again.
   * @param problem - why the message was lost
   */
  lost(problem: ChannelProblem): void {
    this.#hasLost = true;
    this.#limit = problem;
    const { state } = this.#health;
    if (state === "connected" || state === "degraded") {
      this.#update({ state: "degraded", problem });
    }
  }

  async #end(iterator: AsyncIterator<unknown>): Promise<void> {
    const { callPlugin, logger, timers } = this.#dependencies;
    try {
      const end = () => callPlugin(this.pluginId, () => iterator.return?.());
      await withDeadline(END_MS, end, timers);
    } catch (error) {
      // A stream that failed while it ended has ended, too.
      if (!DeadlineExceededError.isInstance(error)) return;
      logger.warn(`${this.#name} did not end within ${END_MS} ms after its signal aborted`, {
        code: "CHANNEL_NOT_ENDED",
      });
    }
  }

  async #pause(ms: number): Promise<void> {
    const { timers } = this.#dependencies;
    let timer: unknown;
    try {
      await waitUnlessAborted(
        this.receiving,
        () =>
          new Promise<void>((resolve) => {
            timer = timers.setTimeout(resolve, ms);
          }),
      );
    } catch {
      // The account stops; the loop sees it.
    } finally {
      timers.clearTimeout(timer);
    }
  }

  get #name(): string {
    const { name } = this.channel;
    return this.accountId === "default"
      ? `channel "${name}"`
      : `channel "${name}" (account ${this.accountId})`;
  }

  #update(change: Partial<ChannelHealth>): void {
    this.#health = { ...this.#health, ...change };
  }
}
