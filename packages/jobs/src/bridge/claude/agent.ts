import { setTimeout } from "node:timers/promises";
import type { AgentCallDecision } from "../../workers/api/requests.js";
import { BridgeError } from "../errors.js";
import type { AgentConversation, AgentHost, AgentTurn, ExternalAgent } from "../external-agent.js";
import { decision, denied, proveWithCanary, refusalOf } from "./canary.js";
import type { ClaudeCall, ClaudeLine, ControlRequest } from "./lines.js";
import { type ClaudeCommand, ClaudeProcess } from "./process.js";
import { hostCall } from "./tool-names.js";

/**
 * Time that the callback before a call waits for a decision. Claude Code takes a callback that does not answer in a minute
 * for one without an opinion; after this time it asks for permission, and waits as long as an approval takes.
 */
const PATIENCE_MS = 5000;

/** Start of Claude Code, without the session. */
export interface ClaudeAgentOptions extends Omit<ClaudeCommand, "resume"> {
  /** Time that the callback before a call waits for a decision; five seconds when absent. */
  readonly patienceMs?: number | undefined;
}

/**
 * Creates the adapter of the user's own Claude Code (JOB-045): its lines become events, and each of its calls is authorized
 * by the host before it runs.
 * @param options - program, folders, model and limits
 */
export function createClaudeAgent(options: ClaudeAgentOptions): ExternalAgent {
  return {
    prove: (host) => proveWithCanary(options, host),
    async start(host, session) {
      const conversation = new ClaudeConversation(options, host, session);
      return (await conversation.open()) ? conversation : undefined;
    },
  };
}

class ClaudeConversation implements AgentConversation {
  readonly #host: AgentHost;
  readonly #resumed: string | undefined;
  readonly #patienceMs: number;
  readonly #claude: ClaudeProcess;
  readonly #decisions = new Map<string, Promise<AgentCallDecision>>();
  readonly #allowed = new Set<string>();
  readonly #turns: AgentTurn[] = [];
  #wake: () => void = () => {};
  #hasEnded = false;
  #session = "";
  #violation: string | undefined;
  #errors = "";

  constructor(options: ClaudeAgentOptions, host: AgentHost, session: string | undefined) {
    this.#host = host;
    this.#resumed = session;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.#claude = new ClaudeProcess(
      { ...options, resume: session },
      { answer: (request) => this.#answer(request), line: (line) => this.#line(line) },
    );
    void this.#claude.ended.then((errors) => {
      this.#errors = errors;
      this.#hasEnded = true;
      this.#wake();
    });
  }

  /** Returns false when it does not know the session. */
  async open(): Promise<boolean> {
    try {
      await this.#claude.initialize();
      return true;
    } catch (error) {
      // A program that ends at once when it continues a session does not have it.
      if (this.#resumed !== undefined && this.#hasEnded) return false;
      throw error;
    }
  }

  say(text: string): void {
    this.#claude.say(text);
  }

  async nextTurn(): Promise<AgentTurn> {
    for (;;) {
      if (this.#violation !== undefined) throw new BridgeError(this.#violation);
      const turn = this.#turns.shift();
      if (turn !== undefined) return turn;
      if (this.#hasEnded) {
        const said = this.#errors === "" ? "" : `: ${this.#errors}`;
        throw new BridgeError(`Claude Code ended before it gave an answer${said}`);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async close(): Promise<AgentTurn | undefined> {
    await this.#claude.close();
    if (this.#violation !== undefined) throw new BridgeError(this.#violation);
    return this.#turns.at(-1);
  }

  stop(): void {
    this.#claude.stop();
  }

  #line(line: ClaudeLine): void {
    if (line.kind === "unknown") this.#host.report(line.event);
    else if (line.kind === "session") {
      // Every turn names it.
      if (line.session !== this.#session) this.#host.session(line.session);
      this.#session = line.session;
    } else if (line.kind === "said") for (const event of line.events) this.#host.report(event);
    else if (line.kind === "results") {
      for (const event of line.events) this.#host.report(event);
      const own = line.results.find(({ id, isError }) => !isError && !this.#allowed.has(id));
      if (own !== undefined) {
        this.#violation = `Claude Code made the call ${own.id} without asking the host; use another version of it`;
        this.stop();
      }
    } else if (line.kind === "turn") {
      this.#turns.push(line.turn);
      this.#wake();
    }
  }

  async #answer(request: ControlRequest): Promise<object> {
    if (request.kind === "other" || request.call === undefined) return refusalOf(request);
    const { call } = request;
    const decided = this.#decide(call);
    if (request.kind === "permission") {
      const { allowed, reason = "the host denied it" } = await decided;
      return allowed
        ? { behavior: "allow", updatedInput: call.input }
        : { behavior: "deny", message: reason };
    }
    const waited = new AbortController();
    const late = setTimeout(this.#patienceMs, undefined, { signal: waited.signal }).catch(
      () => undefined,
    );
    const known = await Promise.race([decided, late]);
    waited.abort();
    if (known === undefined) return decision("ask", "an approver decides about it");
    const { allowed, reason = "the host denied it" } = known;
    return allowed ? decision("allow", "the host allowed it") : denied(reason);
  }

  /** Asks the host once about a call. A host that cannot be asked denies. */
  #decide(call: ClaudeCall): Promise<AgentCallDecision> {
    const known = this.#decisions.get(call.id);
    if (known !== undefined) return known;
    const asked = this.#host.authorize(hostCall(call)).then(
      (decided) => {
        if (decided.allowed) this.#allowed.add(call.id);
        return decided;
      },
      (error: unknown) => ({
        allowed: false,
        reason: `the host could not be asked: ${String(error)}`,
      }),
    );
    this.#decisions.set(call.id, asked);
    return asked;
  }
}
