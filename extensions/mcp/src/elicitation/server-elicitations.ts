import { randomUUID } from "node:crypto";
import type { ElicitRequestParams } from "@modelcontextprotocol/client";
import type { PluginApprovals } from "@openclaw/plugin-sdk/approvals";
import type { RuntimeAgents } from "@openclaw/plugin-sdk/services";
import type { PluginSecretStore } from "@openclaw/plugin-sdk/store";
import { type ParkedCall, ParkedCalls } from "./calls.js";
import { type Answer, elicitationOf } from "./elicitation.js";
import { type ElicitationDecision, Elicitations, type StoredElicitation } from "./elicitations.js";

/** Time in milliseconds in which an elicitation must be answered while its call is open at the server. */
const OPEN_CALL_MS = 9 * 60_000;

/** Elicitation of a server that waits for the answer with its call open, so that it ends with the process. */
interface OpenElicitation {
  readonly openId: string;
}

/** Host of the elicitations. */
export interface ElicitationHost {
  secrets(): PluginSecretStore | undefined;
  readonly approvals: Pick<PluginApprovals, "submit" | "cancel">;
  callTool(): RuntimeAgents["callTool"];
  /**
   * Tells a session the outcome of a call with its next turn.
   * @param sessionKey - the session
   * @param text - outcome
   * @param id - ID of the elicitation
   */
  tell(sessionKey: string, text: string, id: string): Promise<void>;
}

/** Elicitations of servers in both protocol eras: calls that wait for an answer, and requests within an open call. */
export class ServerElicitations {
  readonly #host: ElicitationHost;
  readonly #elicitations: Elicitations<ParkedCall | OpenElicitation>;
  readonly #open = new Map<string, (answer: Answer) => void>();
  readonly calls: ParkedCalls;

  /** @param host - store, approvals and sessions */
  constructor(host: ElicitationHost) {
    this.#host = host;
    this.#elicitations = new Elicitations({
      secrets: () => host.secrets(),
      approvals: host.approvals,
      continue: (stored, answer) => this.#continue(stored, answer),
    });
    this.calls = new ParkedCalls({
      callTool: () => host.callTool(),
      ask: (asked) => this.#elicitations.ask(asked),
    });
  }

  /**
   * Asks a person for a server whose call is open.
   * @param server - name of the server
   * @param sessionKey - session of the call
   * @param params - elicitation of the server
   * @param signal - aborts when the call ends
   * @returns `cancel` where no person can answer
   */
  async askDuringCall(
    server: string,
    sessionKey: string,
    params: ElicitRequestParams,
    signal: AbortSignal,
  ): Promise<Answer> {
    const elicitation = elicitationOf(params);
    if (elicitation === undefined) return { action: "decline" };
    const openId = randomUUID();
    const answered = new Promise<Answer>((resolve) => this.#open.set(openId, resolve));
    const asked = await this.#elicitations.ask({
      ...{ server, sessionKey, elicitation },
      work: { openId },
      timeoutMs: OPEN_CALL_MS,
    });
    if ("reason" in asked) {
      this.#open.delete(openId);
      return { action: "cancel" };
    }
    const ended = () => {
      this.#open.get(openId)?.({ action: "cancel" });
      this.#elicitations.withdraw(asked).catch(() => undefined);
    };
    if (signal.aborted) ended();
    signal.addEventListener("abort", ended, { once: true });
    try {
      return await answered;
    } finally {
      this.#open.delete(openId);
      signal.removeEventListener("abort", ended);
    }
  }

  /**
   * Answers a form by command.
   * @param sessionKey - session of the command
   * @param args - code and answers
   */
  async answer(
    sessionKey: string | undefined,
    args: string,
  ): Promise<{ readonly text: string; readonly agentText?: string }> {
    const [, code = "", text = ""] = /^(\S+)\s*([\s\S]*)$/.exec(args.trim()) ?? [];
    return await this.#elicitations.answer(sessionKey, code, text);
  }

  /**
   * Takes a decision about a request for approval as an answer, and tells the session the outcome.
   * @param approval - request that was decided
   * @returns true when it was about an elicitation
   */
  async resolved(approval: ElicitationDecision): Promise<boolean> {
    const text = await this.#elicitations.resolved(approval);
    if (text === undefined) return false;
    if (text !== "") await this.#host.tell(approval.sessionKey, text, approval.id);
    return true;
  }

  async #continue(
    stored: StoredElicitation<ParkedCall | OpenElicitation>,
    answer: Answer,
  ): Promise<string> {
    const { work } = stored;
    if (!("openId" in work)) return await this.calls.continue({ ...stored, work }, answer);
    const resolve = this.#open.get(work.openId);
    resolve?.(answer);
    // The open call returns the outcome itself.
    return resolve === undefined
      ? `The call of MCP server "${stored.server}" that asked for input has ended, and its outcome is unknown.`
      : "";
  }
}
