import { errorMessage, type Timers, waitUnlessAborted } from "@openclaw/foundation";
import { PluginStoppedError } from "./errors.js";
import type { Link, LinkEvents } from "./link.js";
import {
  type Answer,
  type ChildMessage,
  type ChildStart,
  type HostMessage,
  type RegistrationCall,
  restoredError,
} from "./message.js";
import { withoutFunctions } from "./plain-copy.js";
import { Deferred, MOST_UNASKED, Run } from "./run.js";

/** Time between two signs of life, in milliseconds. */
const BEAT_MS = 500;
/** Missing signs of life after which a plugin is ended: found within 3 seconds (PLUG-052). */
const MOST_MISSED = 4;
/** The same while its code is loaded and registers, which may take as long as on the thread of the host. */
const MOST_MISSED_AT_START = 60;
/** Restarts within {@link RESTART_WINDOW_MS} after which a plugin is disabled. */
const MOST_RESTARTS = 3;
const RESTART_WINDOW_MS = 300_000;

/** Dependencies of a {@link Supervisor}. */
export interface SupervisorOptions {
  readonly pluginId: string;
  readonly start: ChildStart;
  readonly timers: Timers;
  /** Returns milliseconds that no change of the clock changes. */
  readonly now: () => number;
  /** Starts the thread or process. */
  launch(events: LinkEvents): Link;
  /** Handles a use of the host's capabilities. */
  use(member: string, values: readonly unknown[]): Promise<unknown>;
  printed(text: string): void;
  /** Is told of an end, and how long it took when the host ended it. */
  stopped(reason: string, killMs: number | undefined): void;
  /** Is called when it runs again. */
  restarted(): void;
  /** Is told once that the plugin is not started again. */
  disabled(reason: string): void;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress of the call. */
  readonly onUpdate?: ((value: unknown) => void) | undefined;
}

interface PendingCall {
  readonly onUpdate: ((value: unknown) => void) | undefined;
  settle(answer: Answer): void;
  fail(error: Error): void;
}

/**
 * Runs the thread or process of one plugin: sends calls, notices when it hangs, floods or ends, and starts it again, at
 * most three times within five minutes (PLUG-052).
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #pending = new Map<number, PendingCall>();
  readonly #restarts: number[] = [];
  #run: Run;
  #registrations: string | undefined;
  #calls = 0;
  #beat: ReturnType<Timers["setTimeout"]>;
  #isClosed = false;
  #disabledFor: string | undefined;
  /** Settles when calls can be sent. */
  #ready: Promise<unknown> = Promise.resolve();

  /** @param options - start of the plugin, and receivers of its uses and ends */
  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#run = new Run(options.now());
  }

  /**
   * Starts the plugin and waits until it has registered.
   * @throws the error of its `register`, or PluginStoppedError
   */
  async open(): Promise<readonly RegistrationCall[]> {
    this.#launch();
    this.#tickLater();
    const run = this.#run;
    const calls = await run.registered.promise;
    this.#registrations = JSON.stringify(calls);
    run.isReady = true;
    return calls;
  }

  /**
   * Calls a function of the plugin.
   * @param handle - number of the function
   * @param values - arguments
   * @param options - signal and receiver of progress
   * @throws PluginStoppedError when the plugin ends before it answers, or the error of the function
   */
  async call(
    handle: number,
    values: readonly unknown[],
    { signal, onUpdate }: CallOptions = {},
  ): Promise<unknown> {
    signal?.throwIfAborted();
    const { pluginId } = this.#options;
    while (!this.#run.isReady) {
      if (this.#disabledFor !== undefined) throw this.#disabledError();
      const ready = this.#ready;
      await (signal === undefined ? ready : waitUnlessAborted(signal, () => ready));
    }
    if (this.#isClosed) throw new PluginStoppedError(pluginId, "it was unloaded", "load it again");
    this.#calls += 1;
    const id = this.#calls;
    const { promise, resolve, reject } = new Deferred<unknown>();
    const abort = () => {
      this.#send({ kind: "abort", id, reason: String(signal?.reason) });
      this.#pending.delete(id);
      reject(signal?.reason);
    };
    this.#pending.set(id, {
      onUpdate,
      settle: (answer) =>
        "error" in answer ? reject(restoredError(answer.error)) : resolve(answer.value),
      fail: reject,
    });
    signal?.addEventListener("abort", abort, { once: true });
    try {
      this.#send({ kind: "call", id, handle, values });
      return await promise;
    } finally {
      this.#pending.delete(id);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Ends the plugin; calls that wait fail. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.timers.clearTimeout(this.#beat);
    this.#run.link?.kill();
  }

  #launch(): void {
    const run = new Run(this.#options.now());
    this.#run = run;
    run.link = this.#options.launch({
      message: (message) => {
        if (run.isOver) return;
        try {
          this.#receive(run, message);
        } catch (error) {
          this.#kill(run, `it sent a message that the host cannot read: ${errorMessage(error)}`);
        }
      },
      broken: (problem) => this.#kill(run, `it sent bytes that are not a message: ${problem}`),
      printed: (text) => this.#options.printed(text),
      ended: (reason) => this.#ended(run, run.killedFor ?? reason),
    });
    run.link.send({ kind: "start", start: this.#options.start });
  }

  #send(message: HostMessage): void {
    const { link } = this.#run;
    try {
      link?.send(message);
    } catch {
      // Functions do not cross; everything else of an event does.
      link?.send(withoutFunctions(message));
    }
  }

  #receive(run: Run, message: ChildMessage): void {
    // A plugin that only sends, and reads nothing, does not answer.
    if (message.kind === "pong" || message.kind === "answer") run.missed = 0;
    // IDs of uses are those of the plugin.
    const call =
      message.kind === "answer" || message.kind === "update"
        ? this.#pending.get(message.id)
        : undefined;
    if (message.kind === "registered") run.registered.resolve(message.calls);
    else if (message.kind === "failed") run.registered.reject(restoredError(message.error));
    // A second answer, or one to a call that was given up, is ignored.
    else if (message.kind === "answer") call?.settle(message);
    else if (message.kind === "update") {
      if (!this.#isFlooded(run)) call?.onUpdate?.(message.value);
    } else if (message.kind === "use" && !this.#isFlooded(run)) void this.#serve(run, message);
  }

  /** A plugin that sends more than the host can handle is ended, before the messages fill its memory. */
  #isFlooded(run: Run): boolean {
    if (!run.countUnasked(this.#options.now())) return false;
    this.#kill(run, `it sent more than ${MOST_UNASKED} messages in a second`);
    return true;
  }

  async #serve(run: Run, { id, member, values }: Extract<ChildMessage, { kind: "use" }>) {
    let answer: Answer;
    try {
      answer = { value: await this.#options.use(member, values) };
    } catch (error) {
      const { name = "Error", message = String(error), code } = asError(error);
      answer = { error: { name, message, code } };
    }
    if (id === undefined || run.isOver || run !== this.#run) return;
    this.#send({ kind: "answer", id, ...answer });
  }

  #tickLater(): void {
    this.#beat = this.#options.timers.setTimeout(() => {
      const run = this.#run;
      if (!run.isOver) {
        // Counted in ticks: after a pause of the host itself, one tick passes and the waiting answers are read.
        if (run.missed >= (run.isReady ? MOST_MISSED : MOST_MISSED_AT_START)) {
          this.#kill(run, `it did not answer for ${(run.missed * BEAT_MS) / 1000} seconds`);
        } else {
          run.missed += 1;
          run.link?.send({ kind: "ping" });
        }
      }
      if (!this.#isClosed && this.#disabledFor === undefined) this.#tickLater();
    }, BEAT_MS);
    unref(this.#beat);
  }

  #kill(run: Run, reason: string): void {
    run.kill(reason, this.#options.now());
  }

  #ended(run: Run, reason: string): void {
    run.isOver = true;
    run.isReady = false;
    const { pluginId } = this.#options;
    const willRestart = this.#registrations !== undefined && !this.#isClosed;
    const next = willRestart ? "it is started again" : "see its log";
    const error = new PluginStoppedError(pluginId, reason, next);
    run.registered.reject(error);
    for (const call of [...this.#pending.values()]) call.fail(error);
    this.#pending.clear();
    if (!willRestart) return;
    this.#options.stopped(reason, run.killMs(this.#options.now()));
    this.#restart(reason);
  }

  #restart(reason: string): void {
    const { now, disabled, restarted } = this.#options;
    const since = now() - RESTART_WINDOW_MS;
    while (this.#restarts[0] !== undefined && this.#restarts[0] < since) this.#restarts.shift();
    if (this.#restarts.length >= MOST_RESTARTS) {
      this.#disabledFor = reason;
      this.#options.timers.clearTimeout(this.#beat);
      disabled(reason);
      return;
    }
    this.#restarts.push(now());
    this.#launch();
    const run = this.#run;
    this.#ready = run.registered.promise.then((calls) => {
      if (JSON.stringify(calls) !== this.#registrations) {
        const problem = "it registered something else than before";
        this.#kill(run, problem);
        throw new PluginStoppedError(this.#options.pluginId, problem, "it is started again");
      }
      run.isReady = true;
      restarted();
    });
    this.#ready.catch(() => this.#kill(run, "its register failed after a restart"));
  }

  #disabledError(): PluginStoppedError {
    return new PluginStoppedError(
      this.#options.pluginId,
      `${this.#disabledFor}, for the fourth time in five minutes`,
      "correct or disable it, and reload the plugins",
    );
  }
}

function asError(thrown: unknown): Partial<Error> & { readonly code?: string } {
  return thrown instanceof Error ? thrown : {};
}

function unref(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer) {
    if (typeof timer.unref === "function") timer.unref();
  }
}
