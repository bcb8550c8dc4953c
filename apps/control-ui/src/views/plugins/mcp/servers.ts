import { isRecord } from "../../../components/schema-form/schema.js";
import { connection, onEvent } from "../../../state/link.js";
import { watched } from "../../../state/watched.js";

/** Tool of an MCP server. */
export interface McpTool {
  /** Name as the server gives it. */
  readonly tool: string;
  /** Name by which models call it. */
  readonly name: string;
  readonly description: string;
  /** Why it is not offered. */
  readonly problem: string | undefined;
  /** Accepted definition and the one that waits for acceptance. */
  readonly change: { readonly accepted: unknown; readonly pending: unknown } | undefined;
}

/** MCP server as the plugin `mcp` describes it. */
export interface McpServer {
  readonly name: string;
  readonly target: string;
  /** File of a workspace that names it. */
  readonly origin: string | undefined;
  readonly isOutsideSandbox: boolean;
  /** True for a server of a workspace that no person has allowed. */
  readonly isUndecided: boolean;
  readonly state: string;
  readonly reason: string | undefined;
  readonly nextAttemptAt: number | undefined;
  readonly protocolVersion: string | undefined;
  /** Undefined while they are not known. */
  readonly tools: readonly McpTool[] | undefined;
}

/** Servers of the gateway. */
export const servers = watched(async () => {
  const { servers: listed } = fieldsOf(await callMcp("mcp.list", {}));
  return listOf(listed).map(serverOf);
});

/** Server whose page is shown. */
let shown: string | undefined;
/** Newest lines that the server of the page wrote. */
export const serverLog = watched(async () => {
  if (shown === undefined) return undefined;
  const { lines } = fieldsOf(await callMcp("mcp.logs", { server: shown }));
  return { server: shown, lines: listOf(lines).map(String) };
});

/**
 * Shows the log of a server in a view; returns what ends that.
 * @param server - name of its entry
 */
export function showServerLog(server: string): () => void {
  shown = server;
  return serverLog.show();
}

/**
 * Calls a method of the plugin `mcp`.
 * @throws GatewayClientError
 */
export async function callMcp(
  method:
    | "mcp.list"
    | "mcp.test"
    | "mcp.accept"
    | "mcp.logs"
    | "mcp.forget"
    | "mcp.auth.start"
    | "mcp.auth.remove",
  parameters: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const open = connection.peek();
  if (open === undefined) throw new Error("no user is signed in");
  return await open.invoke(method, parameters);
}

function serverOf(value: unknown): McpServer {
  const server = fieldsOf(value);
  return {
    ...{ name: wordsOf(server.name) ?? "", target: wordsOf(server.target) ?? "" },
    ...{ state: wordsOf(server.state) ?? "", reason: wordsOf(server.reason) },
    ...{ origin: wordsOf(server.origin), protocolVersion: wordsOf(server.protocolVersion) },
    isOutsideSandbox: server.isOutsideSandbox === true,
    isUndecided: server.isUndecided === true,
    nextAttemptAt: typeof server.nextAttemptAt === "number" ? server.nextAttemptAt : undefined,
    tools: Array.isArray(server.tools) ? server.tools.map(toolOf) : undefined,
  };
}

function toolOf(value: unknown): McpTool {
  const tool = fieldsOf(value);
  const { change } = tool;
  return {
    ...{ tool: wordsOf(tool.tool) ?? "", name: wordsOf(tool.name) ?? "" },
    ...{ description: wordsOf(tool.description) ?? "", problem: wordsOf(tool.problem) },
    change: isRecord(change) ? { accepted: change.accepted, pending: change.pending } : undefined,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function wordsOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

for (const name of ["plugins.changed", "config.changed"] as const) {
  onEvent(name, () => servers.refresh());
}
