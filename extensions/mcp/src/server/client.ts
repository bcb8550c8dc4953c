import {
  type CallToolResult,
  Client,
  type ElicitRequestParams,
  type InputRequiredResult,
  InsufficientScopeError,
  type Progress,
  type Prompt,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { Resumption } from "../elicitation/calls.js";
import { type CallDeadline, LONGEST_CALL_MS } from "../elicitation/deadline.js";
import type { Answer } from "../elicitation/elicitation.js";
import { oauthTarget } from "../oauth/target.js";
import { ServerTokens } from "../oauth/tokens.js";
import type { ServerSettings } from "../settings.js";
import type { OfferedPrompt, ServerOffers } from "./offers.js";
import { ConnectionProblem, isTimeout, problemOf } from "./problem.js";
import { StdioTransport } from "./stdio-transport.js";
import {
  type ConnectionDependencies,
  createTransport,
  endSession,
  isNotStreamable,
  type TransportKind,
  transportKinds,
} from "./transport.js";

/** Time in which a server must answer the version probe before it counts as one of an earlier protocol. */
const PROBE_MS = 5000;
/** Time in which a server must answer a ping after a call that took too long. */
const PING_MS = 2000;

const NO_RESUMPTION: Resumption = {};

/** Maximum number of prompts of one server. */
const MAXIMUM_PROMPTS = 100;
/** Longest description of a prompt or of its argument, in characters. */
const MAXIMUM_DESCRIPTION = 500;

/** Reports of a connection. */
export interface ConnectionReports {
  /** Receives a line that the server wrote that is not a message. */
  onLine(line: string): void;
  /** Called once when the connection has ended. */
  onClosed(reason: string): void;
  /**
   * Asks a person while a call is open.
   * @param params - elicitation of the server
   */
  onElicitation(params: ElicitRequestParams): Promise<Answer>;
  /** Called when the server says that its tools or prompts have changed. */
  onChanged(): void;
}

/** Call of a tool. */
export interface ToolCall {
  readonly tool: Tool;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly deadline: CallDeadline;
  /** Answers with which a call is made again. */
  readonly resumption?: Resumption | undefined;
  readonly onProgress: (progress: Progress) => void;
}

/** Open connection to a server. */
export class Connection {
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #tokens: ServerTokens | undefined;

  private constructor(client: Client, transport: Transport, tokens: ServerTokens | undefined) {
    this.#client = client;
    this.#transport = transport;
    this.#tokens = tokens;
  }

  /**
   * Connects to a server: one attempt, with one process.
   * @param settings - entry of the server
   * @param dependencies - process starter and network of the host
   * @param reports - receives what happens outside of calls
   * @param options - `isLegacy` skips the version probe; the signal ends the attempt
   * @throws ConnectionProblem
   */
  static async open(
    settings: ServerSettings,
    dependencies: ConnectionDependencies,
    reports: ConnectionReports,
    { isLegacy, signal }: { readonly isLegacy: boolean; readonly signal: AbortSignal },
  ): Promise<Connection> {
    const [first, ...others] = transportKinds(settings);
    if (first === undefined) throw new Error("a server has a transport");
    const attempt = (kind: TransportKind) =>
      Connection.#open(kind, settings, dependencies, reports, { isLegacy, signal });
    try {
      return await attempt(first);
    } catch (error) {
      const [old] = others;
      if (old === undefined || !isNotStreamable(error)) throw error;
      // The first answer says more about a server that speaks neither.
      return await attempt(old).catch(() => {
        throw error;
      });
    }
  }

  static async #open(
    kind: TransportKind,
    settings: ServerSettings,
    dependencies: ConnectionDependencies,
    reports: ConnectionReports,
    { isLegacy, signal }: { readonly isLegacy: boolean; readonly signal: AbortSignal },
  ): Promise<Connection> {
    let end: string | undefined;
    const { oauth, fetch, gatewayUrls } = dependencies;
    const login = oauthTarget(settings, gatewayUrls);
    const tokens = login && new ServerTokens(login, oauth, fetch);
    const onEnd = (reason: string) => {
      end = reason;
    };
    const ends = { onLine: reports.onLine, onEnd };
    const transport = createTransport(kind, settings, dependencies, ends, tokens);
    const client = new Client(
      { name: "openclaw", version: dependencies.version },
      {
        versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } },
        capabilities: { elicitation: { form: {}, url: {} } },
        inputRequired: { autoFulfill: false },
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => reports.onChanged() },
          prompts: { autoRefresh: false, debounceMs: 0, onChanged: () => reports.onChanged() },
        },
      },
    );
    client.setRequestHandler("elicitation/create", ({ params }) => reports.onElicitation(params));
    // Notifications of kinds that this client does not use, and answers to calls that have ended.
    client.onerror = () => undefined;
    try {
      await client.connect(transport, {
        signal,
        timeout: settings.startupTimeoutMs,
        ...(isLegacy || kind === "old" ? { prior: { kind: "legacy" } as const } : {}),
      });
    } catch (error) {
      // A program that ended closes its streams before its end is known.
      if (transport instanceof StdioTransport) await transport.settled();
      await transport.close().catch(() => undefined);
      throw await connectionProblem(error, tokens, end);
    }
    client.onclose = () => reports.onClosed(end ?? "ended the connection");
    return new Connection(client, transport, tokens);
  }

  /** True when the server keeps a session, which it may forget. */
  get hasSession(): boolean {
    const transport = this.#transport;
    return transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined;
  }

  /** True when the server speaks the protocol of 2025 or earlier. */
  get isLegacy(): boolean {
    return this.#client.getProtocolEra() === "legacy";
  }

  /** Version of the protocol. */
  get protocolVersion(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  /**
   * Returns the tools of the server.
   * @param timeoutMs - time of each page
   * @throws ConnectionProblem
   */
  async listTools(timeoutMs: number): Promise<readonly Tool[]> {
    try {
      const { tools } = await this.#client.listTools(undefined, {
        timeout: timeoutMs,
        cacheMode: "refresh",
      });
      return tools;
    } catch (error) {
      throw await connectionProblem(error, this.#tokens);
    }
  }

  /**
   * Returns the prompts of the server, and whether it has resources. A server that cannot list its prompts has none.
   * @param timeoutMs - time of each page
   */
  async offers(timeoutMs: number): Promise<ServerOffers> {
    const { prompts, resources } = this.#client.getServerCapabilities() ?? {};
    const hasResources = resources !== undefined;
    if (prompts === undefined) return { prompts: [], hasResources };
    const options = { timeout: timeoutMs, cacheMode: "refresh" } as const;
    const listed = await this.#client.listPrompts(undefined, options).catch(() => undefined);
    return {
      prompts: (listed?.prompts ?? []).slice(0, MAXIMUM_PROMPTS).map(offered),
      hasResources,
    };
  }

  /**
   * Makes a request other than a call of a tool.
   * @param ask - makes the request with the client of the library
   * @throws ConnectionProblem
   */
  async ask<Result>(ask: (client: Client) => Promise<Result>): Promise<Result> {
    try {
      return await ask(this.#client);
    } catch (error) {
      throw await connectionProblem(error, this.#tokens);
    }
  }

  /**
   * Calls a tool. An aborted call is cancelled at the server.
   * @param call - tool and arguments
   * @throws ConnectionProblem, or the reason of the signal
   */
  async callTool({
    tool,
    params,
    signal,
    deadline,
    resumption: { inputResponses, requestState } = NO_RESUMPTION,
    onProgress,
  }: ToolCall): Promise<CallToolResult | InputRequiredResult> {
    try {
      return await this.#client.callTool(
        {
          ...{ name: tool.name, arguments: { ...params } },
          ...defined({ inputResponses, requestState }),
        },
        {
          signal: AbortSignal.any([signal, deadline.signal]),
          timeout: LONGEST_CALL_MS,
          ...{ onprogress: onProgress, toolDefinition: tool, allowInputRequired: true },
        },
      );
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.signal.aborted) throw new ConnectionProblem("did not answer in time", "failed");
      throw await connectionProblem(error, this.#tokens);
    }
  }

  /** Returns false when the server does not answer at all. */
  async answers(): Promise<boolean> {
    // Servers of the stateless protocol have no ping; they are asked for their tools.
    const asked = this.isLegacy
      ? this.#client.ping({ timeout: PING_MS })
      : this.#client.listTools(undefined, { timeout: PING_MS, cacheMode: "bypass" });
    return await asked.then(
      () => true,
      (error: unknown) => !isTimeout(error),
    );
  }

  /** Ends the connection: a program with its process group, an HTTP session with `DELETE`. */
  async close(): Promise<void> {
    await endSession(this.#transport);
    await this.#client.close().catch(() => undefined);
  }
}

/** A server that asks for more permissions gets them after the next login. */
async function connectionProblem(
  error: unknown,
  tokens: ServerTokens | undefined,
  end?: string,
): Promise<ConnectionProblem> {
  if (tokens === undefined || !(error instanceof InsufficientScopeError)) {
    return problemOf(error, end);
  }
  return await tokens.insufficient(error);
}

function shortened(description: string | undefined): string | undefined {
  return description === undefined ? undefined : startOfText(description, MAXIMUM_DESCRIPTION);
}

function offered({ name, description, arguments: given = [] }: Prompt): OfferedPrompt {
  return {
    name,
    ...defined({ description: shortened(description) }),
    arguments: given.map(({ name: argument, description: about, required }) => ({
      name: argument,
      ...defined({ description: shortened(about) }),
      required: required === true,
    })),
  };
}
