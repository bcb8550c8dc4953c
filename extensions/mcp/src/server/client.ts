import {
  type CallToolResult,
  Client,
  type Progress,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client";
import type { HostRuntime, RunningProcess } from "@openclaw/plugin-sdk/services";
import type { ServerSettings } from "../settings.js";
import { StdioTransport } from "./stdio-transport.js";

/** Time in which a server must answer the version probe before it counts as one of an earlier protocol. */
const PROBE_MS = 5000;
/** Time in which a server must answer a ping after a call that took too long. */
const PING_MS = 2000;
/** Time in which an HTTP server must end its session. */
const END_SESSION_MS = 1000;

/** Dependencies of a connection. */
export interface ConnectionDependencies {
  /** Starts the program of a server. */
  startProcess(
    command: readonly string[],
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ): Promise<RunningProcess>;
  readonly fetch: HostRuntime["fetch"];
  readonly version: string;
  /** Folder of programs whose entry names none. */
  readonly folder: string;
}

/** Reports of a connection. */
interface ConnectionReports {
  /** Receives a line that the server wrote that is not a message. */
  onLine(line: string): void;
  /** Called once when the connection has ended. */
  onClosed(reason: string): void;
  /** Called when the server says that its tools have changed. */
  onToolsChanged(): void;
}

/** Call of a tool. */
export interface ToolCall {
  readonly tool: Tool;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress: (progress: Progress) => void;
}

/** Reason why a connection or a call failed. */
export class ConnectionProblem extends Error {
  /**
   * @param message - end of a sentence that begins with the server
   * @param kind - `refused` when a repeated attempt would fail too; `legacy` when the server ended at the version probe; `session` when an HTTP server has forgotten the session
   * @param cause - the underlying error
   */
  constructor(
    message: string,
    readonly kind: "failed" | "refused" | "legacy" | "session",
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Open connection to a server. */
export class Connection {
  readonly #client: Client;
  readonly #transport: Transport;

  private constructor(client: Client, transport: Transport) {
    this.#client = client;
    this.#transport = transport;
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
    let end: string | undefined;
    const transport = createTransport(settings, dependencies, {
      onLine: reports.onLine,
      onEnd: (reason) => {
        end = reason;
      },
    });
    const client = new Client(
      { name: "openclaw", version: dependencies.version },
      {
        versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } },
        inputRequired: { autoFulfill: false },
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => reports.onToolsChanged() },
        },
      },
    );
    // Notifications of kinds that this client does not use, and answers to calls that have ended.
    client.onerror = () => undefined;
    try {
      await client.connect(transport, {
        signal,
        timeout: settings.startupTimeoutMs,
        ...(isLegacy ? { prior: { kind: "legacy" } as const } : {}),
      });
    } catch (error) {
      // A program that ended closes its streams before its end is known.
      if (transport instanceof StdioTransport) await transport.settled();
      await transport.close().catch(() => undefined);
      throw problemOf(error, end);
    }
    client.onclose = () => reports.onClosed(end ?? "ended the connection");
    return new Connection(client, transport);
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
      throw problemOf(error);
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
    timeoutMs,
    onProgress,
  }: ToolCall): Promise<CallToolResult> {
    try {
      return await this.#client.callTool(
        { name: tool.name, arguments: { ...params } },
        { signal, timeout: timeoutMs, onprogress: onProgress, toolDefinition: tool },
      );
    } catch (error) {
      signal.throwIfAborted();
      throw problemOf(error);
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
    const transport = this.#transport;
    if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
      await within(END_SESSION_MS, transport.terminateSession());
    }
    await this.#client.close().catch(() => undefined);
  }
}

function createTransport(
  { target }: ServerSettings,
  { startProcess, fetch, folder }: ConnectionDependencies,
  reports: ConstructorParameters<typeof StdioTransport>[1],
): Transport {
  if (target.kind === "http") {
    return new StreamableHTTPClientTransport(new URL(target.url), {
      requestInit: { headers: target.headers },
      fetch: (url, init) => fetch(url, init),
    });
  }
  const { command, args, env, cwd = folder } = target;
  return new StdioTransport(() => startProcess([command, ...args], { cwd, env }), reports);
}

function problemOf(error: unknown, end?: string): ConnectionProblem {
  if (error instanceof ConnectionProblem) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof SdkHttpError) {
    const { status } = error.data;
    if (status === 401 || status === 403) {
      const hint = `did not accept the credentials (HTTP ${status}); set its header Authorization`;
      return new ConnectionProblem(hint, "refused", error);
    }
    if (status === 404) {
      return new ConnectionProblem("answered HTTP 404", "session", error);
    }
    return new ConnectionProblem(`answered HTTP ${status}`, "failed", error);
  }
  if (error instanceof SdkError) {
    const { code } = error;
    if (code === SdkErrorCode.RequestTimeout) {
      return new ConnectionProblem("did not answer in time", "failed", error);
    }
    if (code === SdkErrorCode.EraNegotiationFailed && message.includes("closed")) {
      return new ConnectionProblem(end ?? "ended at the version probe", "legacy", error);
    }
    if (end !== undefined) return new ConnectionProblem(end, "failed", error);
    if (code === SdkErrorCode.ConnectionClosed) {
      return new ConnectionProblem("ended before it answered", "failed", error);
    }
    if (code === SdkErrorCode.InvalidResult || code === SdkErrorCode.UnsupportedResultType) {
      return new ConnectionProblem(`sent a result that is not valid (${message})`, "failed", error);
    }
  }
  if (end !== undefined) return new ConnectionProblem(end, "failed", error);
  if (/protocol version.*not supported/i.test(message)) {
    const reason = `speaks a protocol version that is not supported (${message})`;
    return new ConnectionProblem(reason, "refused", error);
  }
  if (isDenied(error)) {
    return new ConnectionProblem(`may not be reached (${causeOf(error)})`, "refused", error);
  }
  if (error instanceof ProtocolError) {
    return new ConnectionProblem(`answered with an error: ${message}`, "failed", error);
  }
  return new ConnectionProblem(`failed (${causeOf(error)})`, "failed", error);
}

/** A denial of the network check names the setting that allows the address, so that a new attempt needs a new setting. */
function isDenied(error: unknown): boolean {
  const isOwn = error instanceof Error && "code" in error && error.code === "NETWORK_DENIED";
  return isOwn || (error instanceof Error && isDenied(error.cause));
}

/** Returns the innermost message, because that of a request is only "fetch failed". */
function causeOf(error: unknown): string {
  let found = error;
  while (found instanceof Error && found.cause instanceof Error) found = found.cause;
  return found instanceof Error ? found.message : String(found);
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
