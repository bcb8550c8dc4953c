import { writeSync } from "node:fs";
import { get } from "node:http";
import type { Logger } from "@openclaw/plugin-sdk";

/** Time between two checks, in milliseconds. */
const INTERVAL_MS = 5000;
/** Time for the answer of `/healthz`, in milliseconds. */
const DEADLINE_MS = 10_000;
/** Failed checks in a row after which the process ends. */
const MOST_FAILURES = 3;
/** Exit code of a gateway that cannot serve: an internal software error, as in sysexits.h. */
export const UNHEALTHY_EXIT = 70;
const STDERR = 2;

// Taken before the first plugin runs, since a plugin may replace them.
const { setTimeout: startTimer, clearTimeout: endTimer } = globalThis;
const exit = process.exit.bind(process);
const kill = process.kill.bind(process);

/** Dependencies of a {@link HealthWatch}. */
export interface HealthWatchDependencies {
  /** Returns the URL of `/healthz`; undefined while the host does not serve. */
  url(): string | undefined;
  /**
   * Compares what plugins may have changed of the language, and restores it.
   * @returns true when something was changed
   */
  restore(): boolean;
  readonly logger: Pick<Logger, "error">;
  /** Ends the process; default `process.exit`, and SIGKILL when that throws. */
  readonly end?: ((exitCode: number) => void) | undefined;
  /** Time between two checks, in milliseconds; default 5,000. */
  readonly intervalMs?: number | undefined;
}

/**
 * Checks that a gateway still answers `/healthz`, and that plugins left the language as it was. A gateway that cannot
 * answer although everything was restored ends its process, so that its supervisor starts it again.
 */
export class HealthWatch {
  readonly #dependencies: HealthWatchDependencies;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isStopped = false;

  /** @param dependencies - URL to ask, and how to restore and to end */
  constructor(dependencies: HealthWatchDependencies) {
    this.#dependencies = dependencies;
    this.#schedule();
  }

  /** Ends the watch. */
  stop(): void {
    this.#isStopped = true;
    endTimer(this.#timer);
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const { intervalMs = INTERVAL_MS } = this.#dependencies;
    this.#timer = startTimer(() => this.#check(), intervalMs);
    this.#timer.unref();
  }

  /** Without promises, because a plugin may have replaced those. */
  #check(): void {
    const { url, restore } = this.#dependencies;
    try {
      restore();
      const target = url();
      if (target === undefined) this.#schedule();
      else askHealth(target, (isHealthy) => this.#judge(isHealthy));
    } catch {
      this.#judge(false);
    }
  }

  #judge(isHealthy: boolean): void {
    if (this.#isStopped) return;
    const { restore, logger, end = endProcess, url } = this.#dependencies;
    this.#failures = isHealthy ? 0 : this.#failures + 1;
    if (!isHealthy) attempt(restore);
    if (this.#failures < MOST_FAILURES || url() === undefined) {
      this.#schedule();
      return;
    }
    const line =
      "the gateway cannot serve /healthz, and ends so that its supervisor starts it again";
    attempt(() => logger.error(line));
    attempt(() => writeSync(STDERR, `openclaw: ${line}\n`));
    this.stop();
    end(UNHEALTHY_EXIT);
  }
}

/** Asks once; a second answer, such as an error after the deadline, is ignored. */
function askHealth(url: string, tell: (isHealthy: boolean) => void): void {
  let isTold = false;
  const answer = (isHealthy: boolean) => {
    if (isTold) return;
    isTold = true;
    endTimer(deadline);
    tell(isHealthy);
  };
  const deadline = startTimer(() => answer(false), DEADLINE_MS);
  deadline.unref();
  const request = get(url, { agent: false }, (response) => {
    response.resume();
    answer(response.statusCode === 200);
  });
  request.on("error", () => answer(false));
}

function endProcess(exitCode: number): void {
  try {
    exit(exitCode);
  } finally {
    kill(process.pid, "SIGKILL");
  }
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // A broken language must not keep the process from ending.
  }
}
