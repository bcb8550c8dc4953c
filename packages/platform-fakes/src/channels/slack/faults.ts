import { HangUp } from "../../loopback-server.js";
import type { PlatformAnswer, PlatformFault } from "../platform-server.js";

/**
 * Returns how Slack rejects a call of a client that sends too fast.
 * @param retryAfterS - seconds to wait
 */
export function rateLimited(retryAfterS: number): PlatformAnswer {
  const headers = { "retry-after": String(retryAfterS) };
  return { status: 429, headers, body: { ok: false, error: "ratelimited" } };
}

/** Failures of the next calls, by method. */
export class SlackFaults {
  readonly #faults = new Map<string, PlatformFault[]>();

  /**
   * Lets the next calls of a method fail, one for each fault.
   * @param method - method of the Web API
   * @param faults - failures, in order
   */
  add(method: string, faults: readonly PlatformFault[]): void {
    this.#faults.set(method, [...(this.#faults.get(method) ?? []), ...faults]);
  }

  /**
   * Answers a call, or lets it fail.
   * @param method - method of the Web API
   * @param answer - answers the call
   */
  apply(method: string, answer: () => PlatformAnswer): PlatformAnswer {
    const fault = this.#faults.get(method)?.shift();
    switch (fault?.kind) {
      case "rate-limit":
        return rateLimited(fault.retryAfterS);
      case "outage":
        return { status: fault.status ?? 503, body: Buffer.from("Service Unavailable") };
      case "hang-up":
        throw new HangUp();
      case "lost-answer":
        answer();
        throw new HangUp();
      default:
        return answer();
    }
  }
}
