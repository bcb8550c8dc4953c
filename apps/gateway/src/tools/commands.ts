import { defined } from "@openclaw/foundation";
import { formatDecider } from "@openclaw/gateway";
import { mainSessionKey } from "@openclaw/messaging";
import type { CallMethod, GatewayMethodResult, GatewayMethods } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printFields } from "../shell/fields.js";
import { printRows } from "../shell/table.js";
import { serverCosts } from "./server-costs.js";
import {
  metadataFields,
  notOffered,
  registeredMetadata,
  type ToolMetadataFields,
  toolTable,
} from "./tool-table.js";

/** Options of the commands that describe tools. */
export interface ToolOptions {
  readonly agent: string;
  readonly json?: boolean;
}

/** Options of `tool list`. */
export interface ToolListOptions extends ToolOptions {
  readonly cost?: boolean;
}

/**
 * Runs `openclaw tool list`: prints the tools of the core and of plugins, and whether policy allows them.
 * @param options - agent and format
 * @param context - terminal and environment
 */
export async function listToolsCommand(
  { agent, json = false, cost = false }: ToolListOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  if (cost) return await listCosts(agent, json, context);
  const tools = await withGatewayMethods(
    context,
    async (call) => {
      const { tools: all } = await call("tools.catalog", {});
      return Promise.all(
        all.map(async (tool) => {
          if (tool.unavailable !== undefined) return { ...tool, allowed: false };
          const answer = await call("policy.explain", { tool: tool.name, agentId: agent });
          return { ...tool, allowed: answer.allowed, decidedBy: answer.decidedBy };
        }),
      );
    },
    "reads",
  );
  if (json) {
    terminal.print(JSON.stringify({ agent, tools }));
    return EXIT.ok;
  }
  const { rows, titles } = toolTable(tools);
  printRows(rows, terminal, { titles });
  return EXIT.ok;
}

/** Prints what the definitions of tools cost in each request, the largest first (LLM-461). */
async function listCosts(agent: string, json: boolean, context: CommandContext): Promise<ExitCode> {
  const { terminal } = context;
  const { tools } = await withGatewayMethods(
    context,
    (call) => call("tools.effective", { sessionKey: mainSessionKey(agent) }),
    "reads",
  );
  const costs = tools
    .map(({ name, pluginId, mcpServer, isDeferred, tokens }) => ({
      name,
      ...defined({ pluginId, mcpServer, isDeferred }),
      tokens,
    }))
    .sort((left, right) => right.tokens - left.tokens);
  const sent = costs.filter(({ isDeferred }) => isDeferred !== true);
  const total = sent.reduce((sum, { tokens }) => sum + tokens, 0);
  const servers = serverCosts(costs);
  if (json) {
    terminal.print(JSON.stringify({ agent, tools: costs, servers, total }));
    return EXIT.ok;
  }
  const rows = costs.map(({ name, pluginId = "core", mcpServer, isDeferred, tokens }) => [
    name,
    mcpServer === undefined ? pluginId : `mcp ${mcpServer}`,
    String(tokens),
    ...(isDeferred ? ["when loaded"] : []),
  ]);
  printRows(rows, terminal, { titles: ["tool", "from", "tokens"] });
  if (servers.length > 0) {
    terminal.print("");
    printRows(
      servers.map(({ server, ...cost }) => [server, String(cost.tools), String(cost.tokens)]),
      terminal,
      { titles: ["MCP server", "tools", "tokens"] },
    );
  }
  const deferred = costs.length - sent.length;
  if (deferred > 0) {
    terminal.print(
      `\n${deferred} definitions are sent only when the model has loaded them with tool_search; tools.search.defer and, for MCP tools, tools.search.share decide which`,
    );
  }
  terminal.print(
    `\n${sent.length} tools, about ${total} tokens in each request; tools.deny leaves tools out, see docs/operate/tool-policy.md`,
  );
  return EXIT.ok;
}

/**
 * Runs `openclaw tool info`: prints description, parameters and policy of a tool.
 * @param name - name of the tool
 * @param options - agent and format
 * @param context - terminal and environment
 * @throws ToolNotFoundError
 */
export async function toolInfoCommand(
  name: string,
  { agent, json = false }: ToolOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const tool = await withGatewayMethods(
    context,
    (call) => describeTool(name, agent, call),
    "reads",
  );
  if (json) {
    terminal.print(JSON.stringify(tool));
    return EXIT.ok;
  }
  const { policy, notOffered: reason } = tool;
  const verdict = policy?.allowed === true ? "allowed" : "denied";
  printFields(
    [
      ["tool", tool.name],
      ["from", tool.pluginId === undefined ? "core" : `plugin ${tool.pluginId}`],
      ["policy", policy && `${verdict}: ${formatDecider(policy.decidedBy)}`],
      ["not offered", reason],
      ...metadataFields(tool.metadata ?? {}),
      ["about", tool.description],
    ],
    terminal,
  );
  printParameters(tool.parameters, context);
  if (policy?.allowed === false) {
    terminal.note(`openclaw: \`openclaw policy explain ${tool.name}\` says how to allow it`);
  }
  return EXIT.ok;
}

/** Description of a tool; only a tool that policy allows is asked for its text and its parameters. */
interface DescribedTool {
  readonly name: string;
  readonly pluginId?: string | undefined;
  /** Answer of policy; absent for a tool of the core that is not set up. */
  readonly policy?: GatewayMethodResult<"policy.explain"> | undefined;
  /** Reason why models do not get it although policy allows it. */
  readonly notOffered?: string | undefined;
  /** Metadata that a plugin registered for its tool; absent for others. */
  readonly metadata?: ToolMetadataFields | undefined;
  readonly description?: string | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

async function describeTool(
  name: string,
  agent: string,
  call: CallMethod<GatewayMethods>,
): Promise<DescribedTool> {
  const { tools: all } = await call("tools.catalog", {});
  const unavailable = all.find((tool) => tool.name === name)?.unavailable;
  if (unavailable !== undefined) return { name, notOffered: unavailable };
  const policy = await call("policy.explain", { tool: name, agentId: agent });
  const { tools } = await call("tools.effective", { sessionKey: mainSessionKey(agent) });
  const offered = tools.find((tool) => tool.name === policy.tool);
  const { description, parameters } = offered ?? {};
  const listed = all.find((tool) => tool.name === policy.tool);
  const metadata = listed && registeredMetadata(listed);
  const isOffered = offered !== undefined;
  const reason = notOffered({ allowed: policy.allowed, isOffered });
  const { pluginId } = policy;
  return {
    name: policy.tool,
    policy,
    ...defined({ pluginId, notOffered: reason, metadata, description, parameters }),
  };
}

function printParameters(schema: DescribedTool["parameters"], { terminal }: CommandContext): void {
  const { properties, required } = { properties: {}, required: [], ...schema };
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const rows = Object.entries(properties as Record<string, Record<string, unknown>>).map(
    ([name, { type, enum: choices, description = "" }]) => [
      name,
      String(type ?? (Array.isArray(choices) ? choices.join("|") : "any")),
      needed.has(name) ? "required" : "",
      String(description),
    ],
  );
  if (rows.length === 0) return;
  terminal.print("");
  printRows(rows, terminal, { titles: ["parameter", "type", "", "description"] });
}
