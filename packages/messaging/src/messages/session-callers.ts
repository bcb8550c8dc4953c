import type { Caller, JobStatus } from "./inbound.js";

type JobCaller = Pick<Caller, "onJobStarted">;

/** The callers that wait for an answer in a session, who are told of the jobs that begin in it. */
export class SessionCallers {
  readonly #callers = new Map<string, JobCaller[]>();

  /**
   * Adds a caller of a session; the latest one is told.
   * @param sessionKey - full key of the session
   * @param caller - receiver of the answer
   * @returns handle whose `end` removes the caller
   */
  attend(sessionKey: string, caller: JobCaller): { end(): void } {
    const entry = { onJobStarted: (status: JobStatus) => caller.onJobStarted?.(status) };
    this.#callers.set(sessionKey, [...(this.#callers.get(sessionKey) ?? []), entry]);
    return {
      end: () => {
        const left = (this.#callers.get(sessionKey) ?? []).filter((other) => other !== entry);
        if (left.length === 0) this.#callers.delete(sessionKey);
        else this.#callers.set(sessionKey, left);
      },
    };
  }

  /**
   * Tells the latest caller of a session of a job; nothing happens when no caller waits.
   * @param sessionKey - full key of the session that asked for it
   * @param status - the job
   */
  jobStarted(sessionKey: string, status: JobStatus): void {
    this.#callers.get(sessionKey)?.at(-1)?.onJobStarted?.(status);
  }
}
