import { type ChildProcess, spawn } from "node:child_process";
import { endOfText, errorMessage } from "@openclaw/plugin-sdk/kit";
import { RunClock } from "./clock.js";
import type { ChildMessage, ChildTask, Effect, EffectResult, ParentMessage } from "./messages.js";

/** Time between SIGTERM and SIGKILL, in milliseconds (LOB-015). */
const GRACE_MS = 2000;
const KEPT_ERRORS = 2048;
/** Time in milliseconds in which a process has to be ready; the time limit of the run begins then. */
const START_MS = 30_000;

/** End of a child process. */
export type ChildOutcome =
  | { readonly kind: "envelope"; readonly text: string }
  | { readonly kind: "timeout"; readonly step: string | undefined }
  | { readonly kind: "aborted"; readonly reason: unknown }
  | { readonly kind: "limit"; readonly message: string; readonly step: string | undefined }
  | { readonly kind: "denied"; readonly message: string; readonly step: string | undefined }
  | {
      readonly kind: "crashed";
      readonly code: number | null;
      readonly signal: string | null;
      /** Last 2 KiB of standard error. */
      readonly stderr: string;
    };

/** Performs the effect of a step. */
export type PerformEffect = (
  effect: Effect,
  step: string | undefined,
  control: {
    readonly signal: AbortSignal;
    /** Stops the clock of the run while a person decides, and starts it again. */
    pause(): void;
    resume(): void;
  },
) => Promise<EffectResult>;

/** Options of {@link runChild}. */
export interface ChildOptions {
  /** File of the child process. */
  readonly file: string;
  /** Flags of Node. */
  readonly flags: readonly string[];
  /** Private folder of the run, which is the current folder of the process. */
  readonly folder: string;
  /** Complete environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly task: ChildTask;
  /** Time limit in milliseconds. */
  readonly timeoutMs: number;
  /** Aborts the run. */
  readonly signal: AbortSignal;
  readonly perform: PerformEffect;
  /** Called once the process is ready, before it gets its task; a rejection ends it. */
  readonly onReady?: (() => Promise<void>) | undefined;
  /** Reports the step or stage that starts. */
  readonly onStage?: ((name: string) => void) | undefined;
}

/**
 * Runs one task in a child process that leads a process group, and ends the whole group with it (LOB-011, LOB-015).
 * @param options - process, task and limits
 */
export async function runChild(options: ChildOptions): Promise<ChildOutcome> {
  const { file, flags, folder, env, task, timeoutMs, signal } = options;
  if (signal.aborted) return { kind: "aborted", reason: signal.reason };
  const child = spawn(process.execPath, [...flags, file], {
    cwd: folder,
    env: { ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const watched = new WatchedChild(child, options);
  const expired = () => watched.stop({ kind: "timeout", step: watched.step });
  let clock = new RunClock(START_MS, expired);
  const begin = () => {
    clock.stop();
    clock = new RunClock(timeoutMs, expired);
    return clock;
  };
  const abort = () => watched.stop({ kind: "aborted", reason: signal.reason });
  signal.addEventListener("abort", abort, { once: true });
  try {
    watched.listen(task, begin);
    return await watched.outcome;
  } finally {
    clock.stop();
    signal.removeEventListener("abort", abort);
    await watched.end();
  }
}

class WatchedChild {
  readonly outcome: Promise<ChildOutcome>;
  /** Step that runs. */
  step: string | undefined;
  readonly #child: ChildProcess;
  readonly #options: ChildOptions;
  readonly #exited: Promise<void>;
  readonly #effects = new Map<number, AbortController>();
  #settle: (outcome: ChildOutcome) => void = () => undefined;
  #isSettled = false;
  #errors = "";
  #bytes = 0;

  constructor(child: ChildProcess, options: ChildOptions) {
    this.#child = child;
    this.#options = options;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#exited = new Promise((resolve) => {
      child.once("error", (error) => {
        this.#errors += error.message;
        this.stop({ kind: "crashed", code: null, signal: null, stderr: this.#errors });
        resolve();
      });
      child.once("exit", () => resolve());
      child.once("close", (code, signal) =>
        this.stop({ kind: "crashed", code, signal, stderr: this.#errors }),
      );
    });
  }

  /** Settles with the first outcome. */
  stop(outcome: ChildOutcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    for (const effect of this.#effects.values()) effect.abort(new Error("the run ended"));
    this.#settle(outcome);
  }

  /**
   * Receives the messages of the process.
   * @param task - task that the process gets when it is ready
   * @param begin - starts the clock of the run
   */
  listen(task: ChildTask, begin: () => RunClock): void {
    const { onReady, onStage } = this.#options;
    let clock: RunClock | undefined;
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#bytes += Buffer.byteLength(text);
        this.#errors = endOfText(this.#errors + text, KEPT_ERRORS);
        if (this.#bytes > task.maxBytes) this.#limit(`more than ${task.maxBytes} bytes`);
      });
    }
    this.#child.on("message", (message: ChildMessage) => {
      switch (message.kind) {
        case "ready":
          Promise.resolve(onReady?.()).then(
            () => {
              if (this.#isSettled) return;
              clock = begin();
              this.#send(task);
            },
            (reason: unknown) => this.stop({ kind: "aborted", reason }),
          );
          return;
        case "stage":
          this.step = message.name;
          onStage?.(message.name);
          return;
        case "effect":
          this.step = message.step ?? this.step;
          if (clock !== undefined) void this.#perform(message, clock);
          return;
        case "cancel-effect":
          this.#effects.get(message.id)?.abort(new Error("the step was stopped"));
          return;
        case "limit":
          this.step = message.step;
          this.#limit(message.message);
          return;
        case "envelope":
          if (Buffer.byteLength(message.text) > task.maxBytes) {
            this.#limit(`more than ${task.maxBytes} bytes`);
          } else this.stop({ kind: "envelope", text: message.text });
      }
    });
  }

  /** Ends what is left of the process group. */
  async end(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    const isOver = this.#child.exitCode !== null || this.#child.signalCode !== null;
    if (!isOver || isRunning(pid)) signalGroup(pid, "SIGTERM");
    let timer: NodeJS.Timeout | undefined;
    const killed = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        signalGroup(pid, "SIGKILL");
        resolve();
      }, GRACE_MS);
    });
    await Promise.race([this.#exited, killed]);
    clearTimeout(timer);
    await this.#exited;
    // Programs of the engine are run by the host; this ends any other process of the group.
    if (isRunning(pid)) signalGroup(pid, "SIGKILL");
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    if (this.#child.connected) this.#child.disconnect();
  }

  #limit(problem: string): void {
    this.stop({ kind: "limit", message: problem, step: this.step });
  }

  async #perform(
    { id, step, effect }: Extract<ChildMessage, { kind: "effect" }>,
    clock: RunClock,
  ): Promise<void> {
    const stop = new AbortController();
    this.#effects.set(id, stop);
    let result: EffectResult;
    try {
      result = await this.#options.perform(effect, step, {
        signal: stop.signal,
        pause: () => clock.pause(),
        resume: () => clock.resume(),
      });
    } catch (error) {
      result = { ok: false, message: errorMessage(error) };
    } finally {
      this.#effects.delete(id);
    }
    if (!result.ok && result.fatal === true) {
      this.stop({ kind: "denied", message: result.message, step });
      return;
    }
    this.#send({ kind: "effect-result", id, result });
  }

  #send(message: ParentMessage): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}
