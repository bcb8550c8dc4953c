import type { ElicitRequestParams } from "@modelcontextprotocol/client";
import type { CallDeadline } from "./deadline.js";
import type { Answer } from "./elicitation.js";
import type { CallTurn, OpenElicitations } from "./open-elicitations.js";

interface OpenCall {
  readonly turn: CallTurn;
  readonly deadline: CallDeadline;
  readonly signal: AbortSignal;
}

/**
 * Calls that are open at one server. A server of the protocol of 2025 does not say to which of them its elicitation belongs: it is
 * asked in the session of the calls, and cancelled when there are several sessions or none.
 */
export class OpenCalls {
  readonly #server: string;
  readonly #elicitations: OpenElicitations;
  readonly #calls = new Set<OpenCall>();

  /** @param elicitations - asks people */
  constructor(server: string, elicitations: OpenElicitations) {
    this.#server = server;
    this.#elicitations = elicitations;
  }

  /**
   * Runs a call.
   * @param call - turn, deadline and signal of the call
   * @param run - makes the call
   */
  async during<Result>(call: OpenCall, run: () => Promise<Result>): Promise<Result> {
    const ended = new AbortController();
    const known = { ...call, signal: AbortSignal.any([call.signal, ended.signal]) };
    this.#calls.add(known);
    try {
      return await run();
    } finally {
      this.#calls.delete(known);
      ended.abort();
      call.deadline.end();
    }
  }

  /**
   * Asks the person of the open calls.
   * @param params - elicitation of the server
   * @returns `cancel` where no person can answer
   */
  async ask(params: ElicitRequestParams): Promise<Answer> {
    const calls = [...this.#calls];
    const [first] = calls;
    const isOne = calls.every(({ turn }) => turn.sessionKey === first?.turn.sessionKey);
    if (first === undefined || !isOne) return { action: "cancel" };
    for (const { deadline } of calls) deadline.pause();
    try {
      const { turn, signal } = first;
      return await this.#elicitations.ask(this.#server, turn, params, signal);
    } catch {
      // The server learns no more about this host than that there is no answer.
      return { action: "cancel" };
    } finally {
      for (const { deadline } of calls) deadline.resume();
    }
  }
}
