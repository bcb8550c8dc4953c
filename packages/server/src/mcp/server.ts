import {
  CLIENT_CAPABILITIES_META_KEY,
  isTaskAugmentedRequestParams,
  McpServer,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Clock } from "@openclaw/foundation";
import type { GatewayPort } from "./gateway-port.js";
import type { McpClient } from "./mcp-client.js";
import { completePrompt, getPrompt, listPrompts } from "./prompts.js";
import { completeResource, listResources, readResource, resourceTemplates } from "./resources.js";
import { serveTasks } from "./tasks/handlers.js";
import { callTool, listTools } from "./tools.js";

/** Options of {@link createMcpServer}. */
export interface McpServerOptions {
  /** The gateway with the rights of the client. */
  readonly gateway: GatewayPort;
  /** Version of the product. */
  readonly version: string;
  /** Session of the calls that name none, full or short. */
  readonly sessionKey: string;
  /** True when the client may list and decide approval requests with tools. */
  readonly decidesApprovals: boolean;
  /** True when notifications reach the client outside of its requests. */
  readonly notifies: boolean;
  readonly timers: Pick<Clock, "setInterval" | "clearInterval">;
}

/** Name of the extension for tasks (SEP-2663). */
const TASKS = "io.modelcontextprotocol/tasks";
/** Largest number of values of a completion. */
const MOST_VALUES = 100;

/**
 * Creates the MCP server of a gateway for one client (EXT-015). It keeps no state: everything is a call of a method, so that
 * any request can be the first one.
 * @param options - gateway, version and session
 */
export function createMcpServer(options: McpServerOptions): Server {
  const server = new Server(identityOf(options), settingsOf(options));
  handleRequests(server, options);
  return server;
}

/**
 * Creates the MCP server for one request over HTTP. The library compares its headers `Mcp-Param-…` with the arguments of a tool
 * whose schema asks for them (`x-mcp-header`).
 * @param options - gateway, version and session
 * @param schemas - schemas of the arguments of the tool that the request calls, by its name
 */
export function createRequestServer(
  options: McpServerOptions,
  schemas: ReadonlyMap<string, Record<string, unknown>>,
): McpServer {
  const server = new RequestServer(options, schemas);
  handleRequests(server.server, options);
  return server;
}

class RequestServer extends McpServer {
  readonly #schemas: ReadonlyMap<string, Record<string, unknown>>;

  constructor(options: McpServerOptions, schemas: ReadonlyMap<string, Record<string, unknown>>) {
    super(identityOf(options), settingsOf(options));
    this.#schemas = schemas;
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#schemas.get(name);
  }
}

function identityOf({ version }: McpServerOptions) {
  return { name: "openclaw", title: "OpenClaw", version };
}

function settingsOf({ notifies }: McpServerOptions) {
  return {
    capabilities: {
      tools: { listChanged: notifies },
      prompts: { listChanged: notifies },
      resources: { listChanged: notifies, subscribe: notifies },
      completions: {},
      extensions: { [TASKS]: {} },
      tasks: { cancel: {}, requests: { tools: { call: {} } } },
    },
    instructions: INSTRUCTIONS,
  };
}

function handleRequests(server: Server, options: McpServerOptions): void {
  const client: McpClient = {
    ...options,
    canAsk: (context) => capabilitiesOf(context, server).elicitation !== undefined,
    taskForm(context) {
      const { extensions } = capabilitiesOf(context, server);
      if (context.mcpReq.envelope !== undefined) {
        return Object.hasOwn(Object(extensions), TASKS) ? "2026" : undefined;
      }
      return augmented.has(context) ? "2025" : undefined;
    },
  };
  const augmented = new WeakSet<ServerContext>();
  server.setRequestHandler("tools/list", () => listTools(client));
  server.setRequestHandler("tools/call", ({ params }, context) => {
    if (isTaskAugmentedRequestParams(params) && params.task !== undefined) augmented.add(context);
    return callTool(params.name, params.arguments ?? {}, { client, context });
  });
  serveTasks(server, client);
  server.setRequestHandler("prompts/list", () => listPrompts(client));
  server.setRequestHandler("prompts/get", ({ params }, context) =>
    getPrompt(params.name, params.arguments ?? {}, { client, context }),
  );
  server.setRequestHandler("resources/list", ({ params }) => listResources(client, params?.cursor));
  server.setRequestHandler("resources/templates/list", () => resourceTemplates(client));
  server.setRequestHandler("resources/read", ({ params }) => readResource(params.uri, client));
  server.setRequestHandler("completion/complete", async ({ params }) => {
    const { ref, argument, context } = params;
    const given = context?.arguments ?? {};
    const found =
      ref.type === "ref/resource"
        ? await completeResource({ template: ref.uri, ...argument }, client)
        : await completePrompt(
            { name: ref.name, argument: argument.name, value: argument.value, given },
            client,
          );
    const values = found.slice(0, MOST_VALUES);
    return {
      completion: { values, total: found.length, hasMore: found.length > values.length },
    };
  });
}

/** Returns the capabilities of a client; each request of the newer protocol has them. */
function capabilitiesOf(
  { mcpReq }: ServerContext,
  server: Server,
): Readonly<Record<string, unknown>> {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return Object(envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities());
}

const INSTRUCTIONS =
  "OpenClaw hosts agents with their tools, sessions and memory. The tools run in the gateway of the user, within its policy; a call may wait until a person approves it. chat_send sends a message to an agent and returns its reply.";
