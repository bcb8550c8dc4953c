import {
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { HostRuntime, RunningProcess } from "@openclaw/plugin-sdk/services";
import type { OAuthRecords } from "../oauth/record.js";
import type { GatewayUrls } from "../oauth/target.js";
import type { ServerTokens } from "../oauth/tokens.js";
import type { ServerSettings } from "../settings.js";
import { type StdioReports, StdioTransport } from "./stdio-transport.js";
import { waitWithin } from "./wait.js";

/** Time in which an HTTP server must end its session. */
const END_SESSION_MS = 1000;

/** Dependencies of a connection. */
export interface ConnectionDependencies {
  /** Starts the program of a server. */
  startProcess(
    command: readonly string[],
    options: {
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly sandbox?: { readonly folders: readonly string[] };
    },
  ): Promise<RunningProcess>;
  readonly fetch: HostRuntime["fetch"];
  readonly oauth: OAuthRecords;
  /** URL at which this gateway describes itself to authorization servers; undefined without one that they can reach. */
  readonly gatewayUrls: GatewayUrls;
  readonly version: string;
  /** Folder of programs whose entry names none. */
  readonly folder: string;
}

/** Kind of a transport: `old` is HTTP+SSE of the protocol of 2024. */
export type TransportKind = "stdio" | "http" | "old";

/**
 * Creates the transport of a server.
 * @param settings - entry of the server
 * @param dependencies - process starter and network of the host
 * @param reports - receives what a program writes that is not a message
 * @param tokens - access tokens of an HTTP server; undefined for one whose entry has the header Authorization
 */
export function createTransport(
  kind: TransportKind,
  { target, place }: ServerSettings,
  { startProcess, fetch, folder }: ConnectionDependencies,
  reports: StdioReports,
  tokens: ServerTokens | undefined,
): Transport {
  if (target.kind === "http") {
    const url = new URL(target.url);
    const options = {
      requestInit: { headers: target.headers },
      fetch: (input: string | URL, init?: RequestInit) => fetch(input, init),
      ...defined({ authProvider: tokens }),
    };
    return kind === "old"
      ? new SSEClientTransport(url, options)
      : new StreamableHTTPClientTransport(url, options);
  }
  const { command, args, env, sandbox } = target;
  // In a sandbox another folder may not exist.
  const own = sandbox === undefined ? (place.folder ?? folder) : (sandbox.folders[0] ?? "/");
  const { cwd = own } = target;
  const options = { cwd, env, ...defined({ sandbox }) };
  return new StdioTransport(() => startProcess([command, ...args], options), reports);
}

/**
 * Returns the kinds of transport to try, in this order.
 * @param settings - entry of the server
 */
export function transportKinds({ target }: ServerSettings): readonly TransportKind[] {
  if (target.kind === "stdio") return ["stdio"];
  return target.isOld === true ? ["old"] : ["http", "old"];
}

/** Answers by which a server of HTTP+SSE rejects a message that is sent to the URL of its events. */
const NOT_STREAMABLE: ReadonlySet<number> = new Set([400, 404, 405]);

/**
 * Returns true for an answer after which a client tries the old transport (EXT-860).
 * @param error - error of the library at the start of a connection
 */
export function isNotStreamable(error: unknown): boolean {
  if (error instanceof SdkHttpError) return NOT_STREAMABLE.has(error.data.status ?? 0);
  return error instanceof Error && error.cause !== undefined && isNotStreamable(error.cause);
}

/**
 * Ends the session at an HTTP server with `DELETE`; a server that does not answer is not waited for.
 * @param transport - transport of the connection
 */
export async function endSession(transport: Transport): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport)) return;
  if (transport.sessionId === undefined) return;
  await waitWithin(END_SESSION_MS, transport.terminateSession());
}
