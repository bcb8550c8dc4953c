import { OpenClawError } from "@openclaw/foundation";
import type { InvokeMethod } from "../host/methods.js";

/** MCP server as the bundled extension describes it. */
export interface McpServerState {
  readonly name: string;
  readonly state: "stopped" | "starting" | "ready" | "failing" | "refused";
  readonly reason?: string;
  /** True for a server of a workspace that no person has allowed. */
  readonly isUndecided?: true;
  /** True for a program that runs outside a sandbox, with the rights of the gateway. */
  readonly isOutsideSandbox?: true;
  readonly tools?: readonly { readonly tool: string; readonly problem?: string }[];
}

/**
 * Returns the MCP servers of a gateway with their states; nothing is started.
 * @param invoke - calls a method of the gateway
 * @returns none when the extension is switched off
 */
export async function mcpServers(invoke: InvokeMethod): Promise<readonly McpServerState[]> {
  try {
    // The bundled extension has this result.
    const { servers } = (await invoke("mcp.list", {})) as {
      readonly servers: readonly McpServerState[];
    };
    return servers;
  } catch (error) {
    if (OpenClawError.isInstance(error) && error.kind === "not-found") return [];
    throw error;
  }
}

/**
 * Connects to an MCP server and lists its tools.
 * @param name - name of the server
 * @param invoke - calls a method of the gateway
 */
export async function testMcpServer(name: string, invoke: InvokeMethod): Promise<McpServerState> {
  // The bundled extension has this result.
  return (await invoke("mcp.test", { server: name })) as McpServerState;
}
