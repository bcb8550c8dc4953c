import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { GatewayMethodCall } from "@openclaw/plugin-sdk/http";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { McpServers, ServerOverview } from "./servers.js";
import type { ToolPins } from "./tools/pins.js";

/** Longest start of a server in milliseconds, and time to answer. */
const TEST_MS = 600_000;

/** Result of `mcp.accept`. */
export interface AcceptedTools {
  readonly server: string;
  readonly accepted: readonly string[];
}

/** Stored data about servers. */
export interface StoredServers {
  /** Returns the pins of tools. */
  pins(): ToolPins;
  /**
   * Removes what is stored about a server that was removed.
   * @param server - name of its entry
   * @param entry - the entry
   */
  forget(server: string, entry: unknown): Promise<void>;
}

/**
 * Registers the methods by which clients see and test servers.
 * @param api - api of the plugin
 * @param servers - servers of the configuration
 * @param stored - pins of their tools
 */
export function registerMethods(
  api: OpenClawPluginApi,
  servers: McpServers,
  { pins, forget }: StoredServers,
) {
  const list = async () => ({ servers: await servers.overview() });
  api.registerGatewayMethod("mcp.list", answered(list), { scope: "operator.read" });

  const test = async ({ params }: GatewayMethodCall): Promise<ServerOverview> => {
    const server = await servers.server(String(params.server));
    const isOpen = server.state.kind === "ready";
    await server.start({ isForced: true });
    // An open connection may be that of a server that no longer answers.
    if (isOpen) server.forgetKnown();
    return await servers.overviewOf(server);
  };
  api.registerGatewayMethod("mcp.test", answered(test), {
    ...{ scope: "operator.admin", timeoutMs: TEST_MS },
  });

  const accept = async ({ params }: GatewayMethodCall): Promise<AcceptedTools> => {
    const name = String(params.server);
    // A server of a workspace has no tools before it is allowed.
    if (await servers.allow(name)) return { server: name, accepted: [] };
    const server = await servers.server(name);
    const tool = typeof params.tool === "string" ? params.tool : undefined;
    const accepted = await pins().accept(server.settings.place.key, tool);
    server.forgetKnown();
    return { server: server.name, accepted };
  };
  api.registerGatewayMethod("mcp.accept", answered(accept), { scope: "operator.admin" });

  const forgotten = async ({ params }: GatewayMethodCall) => {
    const name = String(params.server);
    await forget(name, params.entry);
    return { server: name };
  };
  api.registerGatewayMethod("mcp.forget", answered(forgotten), { scope: "operator.admin" });

  const logs = async ({ params }: GatewayMethodCall) => ({
    lines: (await servers.server(String(params.server))).log.lines,
  });
  api.registerGatewayMethod("mcp.logs", answered(logs), { scope: "operator.read" });
}

/**
 * Answers a failure with its code and message; the host hides those of other errors.
 * @param handle - returns the result
 */
export function answered(handle: (call: GatewayMethodCall) => unknown) {
  return async (call: GatewayMethodCall): Promise<undefined> => {
    try {
      call.respond(true, await handle(call));
    } catch (error) {
      if (!OpenClawError.isInstance(error)) throw error;
      call.respond(false, undefined, { code: error.code, message: error.message });
    }
    return undefined;
  };
}
