import type { ElicitRequestParams } from "@modelcontextprotocol/client";
import type { PluginApprovals, ResolvedApproval } from "@openclaw/plugin-sdk/approvals";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { ToolRequester } from "@openclaw/plugin-sdk/tools";
import { type Answer, acceptance, inputRequestOf } from "./elicitation.js";

/** Time in milliseconds in which an elicitation must be answered while its call is open at the server. */
const OPEN_CALL_MS = 9 * 60_000;

/** Turn in which a call is made. */
export interface CallTurn {
  readonly sessionKey: string;
  readonly requester?: ToolRequester | undefined;
}

/** Host of the elicitations. */
export interface ElicitationHost {
  readonly approvals: Pick<PluginApprovals, "submit" | "cancel">;
  /**
   * Tells a session with its next turn.
   * @param text - the event, in one sentence
   * @param id - ID of the request
   */
  tell(sessionKey: string, text: string, id: string): Promise<void>;
}

/** Decision about a request for input. */
type Decided = Pick<ResolvedApproval, "id" | "sessionKey" | "decision" | "input">;

/**
 * Elicitations of servers whose call is open meanwhile (protocol of 2025). Each is a request for input in the conversation of the
 * call; the request outlives the process, and the call does not.
 */
export class OpenElicitations {
  readonly #host: ElicitationHost;
  /** Receivers of the answers, by ID of the request. */
  readonly #waiting = new Map<string, (decided: Decided) => void>();
  readonly #asking = new Set<Promise<unknown>>();

  /** @param host - approvals and sessions */
  constructor(host: ElicitationHost) {
    this.#host = host;
  }

  /**
   * Asks a person for a server whose call is open.
   * @param params - elicitation of the server
   * @param signal - aborts when the call ends
   * @returns `cancel` where no person can answer
   */
  async ask(
    server: string,
    turn: CallTurn,
    params: ElicitRequestParams,
    signal: AbortSignal,
  ): Promise<Answer> {
    let resolve: (decided: Decided) => void = () => undefined;
    const answered = new Promise<Decided>((done) => {
      resolve = done;
    });
    const asking = this.#submit(server, turn, params, resolve);
    this.#asking.add(asking);
    const id = await asking.finally(() => this.#asking.delete(asking));
    if (id === "not-on-the-web") return { action: "decline" };
    if (id === undefined) return { action: "cancel" };
    const ended = () => {
      resolve({ id, sessionKey: turn.sessionKey, decision: "cancelled" });
      if (this.#waiting.has(id)) this.#host.approvals.cancel(id).catch(() => undefined);
    };
    if (signal.aborted) ended();
    signal.addEventListener("abort", ended, { once: true });
    try {
      const { decision, input = {} } = await answered;
      if (decision === "deny") return { action: "decline" };
      if (decision === "timeout" || decision === "cancelled") return { action: "cancel" };
      return acceptance(params, input);
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener("abort", ended);
    }
  }

  /**
   * Takes a decision about a request as the answer.
   * @param decided - request that was decided
   * @returns true when a call waited for it
   */
  async resolved(decided: Decided): Promise<boolean> {
    // The decision may come before the ID of its request.
    await Promise.allSettled([...this.#asking]);
    const resolve = this.#waiting.get(decided.id);
    resolve?.(decided);
    return resolve !== undefined;
  }

  /**
   * Tells a session that the input of a person reached no server, because the call has ended, for example with its process.
   * @param decided - request that was decided
   */
  async tellUnused({ id, sessionKey, input }: Decided): Promise<void> {
    if (input === undefined) return;
    const text =
      "The call of an MCP server that asked for input has ended before the person gave it, and its outcome is unknown.";
    await this.#host.tell(sessionKey, text, id);
  }

  async #submit(
    server: string,
    { sessionKey, requester }: CallTurn,
    params: ElicitRequestParams,
    resolve: (decided: Decided) => void,
  ): Promise<string | undefined> {
    const input = inputRequestOf(server, params);
    if (input === undefined) return "not-on-the-web";
    const submitted = await this.#host.approvals.submit({
      title: startOfText(`MCP server ${server} asks for input`, 80),
      description: input.message,
      severity: "info",
      ...{ sessionKey, timeoutMs: OPEN_CALL_MS, input },
      ...defined({ requester }),
    });
    if (submitted.status === "denied") return undefined;
    this.#waiting.set(submitted.id, resolve);
    return submitted.id;
  }
}
