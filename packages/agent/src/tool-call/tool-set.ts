import type { CoreTool } from "@openclaw/core-tools";
import { defined, errorMessage, withDeadline } from "@openclaw/foundation";
import { describeArguments } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { AnyAgentTool, ToolDefinition, ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import {
  canonicalToolName,
  type Policy,
  type PolicyContext,
  type PolicyTool,
} from "@openclaw/tool-policy";
import type { ClientTool } from "../context/client.js";
import type { DescribedTool, OfferedTool } from "../context/plugin-pin.js";
import { ClientToolDeniedError } from "../errors.js";
import { clientToolEntry } from "./client-tool.js";
import { denialOf } from "./denial.js";
import { parameterTypeProblems } from "./parameter-types.js";
import { compileProblem } from "./parameters.js";
import type { OfferedToolKind, ToolEntry, ToolSet, ToolSetProblem } from "./tool-entry.js";

const FACTORY_DEADLINE_MS = 5000;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Inputs of {@link buildToolSet}. */
export interface ToolSetSources {
  readonly coreTools: readonly CoreTool[];
  readonly pluginTools: readonly OfferedTool[];
  /** Metadata of tools, which may add to their descriptions; none when absent. */
  readonly toolMetadata?: readonly DescribedTool[] | undefined;
  /** Tools that the client of the request runs; none when absent. */
  readonly clientTools?: readonly ClientTool[] | undefined;
  readonly policy: Policy;
  readonly policyContext: PolicyContext;
  readonly factoryContext: ToolSessionContext;
  readonly logger: Logger;
}

/**
 * Builds a turn's tool set: core tools first, then plugin tools by name, then the client's; only tools that
 * policy allows. A factory that throws, times out or returns an invalid tool loses only its own tools
 * (TURN-014). A tool of the client hides the host's tool of that name.
 * @param sources - all candidates and the policy that evaluates them
 * @throws ClientToolDeniedError when policy denies a tool of the client
 */
export async function buildToolSet(
  sources: ToolSetSources,
): Promise<{ tools: ToolSet; problems: readonly ToolSetProblem[] }> {
  const { policy, policyContext } = sources;
  const tools = new Map<string, ToolEntry>();
  const problems: ToolSetProblem[] = [];
  const allowed = (tool: PolicyTool) => policy.decide(tool, policyContext).allowed;

  const coreTools = sources.coreTools.flatMap((tool) =>
    typeof tool === "function" ? tool(sources.factoryContext) : tool,
  );
  for (const tool of coreTools) {
    const entry = toolEntry(tool, { kind: "builtin", optional: false }, sources.factoryContext);
    if (allowed(entry.policyTool)) tools.set(entry.name, entry);
  }

  const offered: ToolEntry[] = [];
  const coreNames = new Set(coreTools.map(({ name }) => canonicalToolName(name)));
  // By canonical name: `Read` and `read_file` are names of the core's `read` (TURN-071).
  const owners = new Map(coreTools.map(({ name }) => [canonicalToolName(name), "the core"]));
  for (const { offer, made, failure } of await Promise.all(
    sources.pluginTools.map((offer) => makeTools(offer, sources, allowed)),
  )) {
    if (failure !== undefined) problems.push(failure);
    const { pluginId, optional } = offer;
    const owner = `plugin "${pluginId}"`;
    /** Names of servers by which policies name their tools. */
    const aliases = new Map<string, readonly string[]>();
    for (const tool of made) {
      const read = readTool(tool, pluginId, owners);
      if ("problem" in read) {
        problems.push(read.problem);
        continue;
      }
      owners.set(read.canonicalName, owner);
      const { mcpServer, wasmComponent } = tool;
      const own = wasmComponent === undefined ? "plugin" : "wasm";
      const kind = mcpServer === undefined ? own : "mcp";
      try {
        const origin = { kind, pluginId, optional, schema: read.schema } as const;
        const entry = toolEntry(
          tool,
          mcpServer === undefined
            ? origin
            : { ...origin, aliases: aliasesOf(mcpServer, coreNames, aliases) },
          sources.factoryContext,
        );
        if (allowed(entry.policyTool)) offered.push(entry);
      } catch (error) {
        const message = `tool "${tool.name}" of plugin "${pluginId}" is dropped: its description could not be built (${errorMessage(error)})`;
        problems.push({ code: "TOOL_DESCRIPTION_FAILED", pluginId, message });
      }
    }
  }
  offered.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of offered) tools.set(entry.name, entry);
  problems.push(...describeTools(tools, sources));
  const clientTools = (sources.clientTools ?? []).map(clientToolEntry);
  const taken = new Set(clientTools.map(({ name }) => canonicalToolName(name)));
  for (const name of tools.keys()) if (taken.has(canonicalToolName(name))) tools.delete(name);
  for (const entry of clientTools) {
    const denial = denialOf(entry.policyTool, policy, policyContext);
    // The client relies on its tools, so a missing one must not go unnoticed.
    if (denial !== undefined) throw new ClientToolDeniedError(entry.name, denial.text);
    tools.set(entry.name, entry);
  }
  problems.push(...parameterTypeProblems(offered));
  for (const { code, pluginId, message } of problems)
    sources.logger.warn(message, { code, pluginId });
  return { tools, problems };
}

/** Adds what plugins say about tools to their descriptions (EXT-004). */
function describeTools(
  tools: Map<string, ToolEntry>,
  { toolMetadata = [], factoryContext }: ToolSetSources,
): readonly ToolSetProblem[] {
  const problems: ToolSetProblem[] = [];
  for (const { pluginId, metadata } of toolMetadata) {
    const entry = tools.get(metadata.toolName);
    if (entry === undefined || metadata.modelDescription === undefined) continue;
    try {
      const text = metadata.modelDescription(factoryContext);
      if (text === undefined) continue;
      if (typeof text !== "string") throw new Error(`expected a string, got ${typeof text}`);
      tools.set(entry.name, { ...entry, description: `${entry.description}\n\n${text}` });
    } catch (error) {
      const message = `plugin "${pluginId}" added nothing to the description of tool "${entry.name}": ${errorMessage(error)}`;
      problems.push({ code: "TOOL_DESCRIPTION_FAILED", pluginId, message });
    }
  }
  return problems;
}

interface MadeTools {
  offer: OfferedTool;
  made: readonly AnyAgentTool[];
  failure?: ToolSetProblem | undefined;
}

async function makeTools(
  offer: OfferedTool,
  { factoryContext }: ToolSetSources,
  allowed: (tool: PolicyTool) => boolean,
): Promise<MadeTools> {
  const { tool: factory } = offer;
  if (typeof factory !== "function") return { offer, made: [factory] };
  const declared = offer.names.map((name) =>
    policyTool(name, "plugin", offer.pluginId, offer.optional),
  );
  if (declared.length > 0 && !declared.some(allowed)) return { offer, made: [] };
  try {
    const result = await withDeadline(FACTORY_DEADLINE_MS, () => factory(factoryContext));
    return { offer, made: result === null ? [] : Array.isArray(result) ? result : [result] };
  } catch (error) {
    const message = `a tool factory of plugin "${offer.pluginId}" failed (${errorMessage(error)}); its tools are missing in this turn`;
    return {
      offer,
      made: [],
      failure: { code: "TOOL_FACTORY_FAILED", pluginId: offer.pluginId, message },
    };
  }
}

/** Reads a tool of a plugin, or returns the problem for which it is dropped. */
function readTool(
  tool: AnyAgentTool,
  pluginId: string,
  owners: ReadonlyMap<string, string>,
):
  | { readonly problem: ToolSetProblem }
  | { readonly canonicalName: string; readonly schema: ToolEntry["parameters"] } {
  const shape = shapeProblem(tool);
  if (shape !== undefined) {
    const message = `plugin "${pluginId}" made a tool ${shape}; it is dropped`;
    return { problem: { code: "TOOL_NAME_INVALID", pluginId, message } };
  }
  const { name } = tool;
  const canonicalName = canonicalToolName(name);
  const owner = owners.get(canonicalName);
  if (owner !== undefined) {
    const message = `tool "${name}" of plugin "${pluginId}" is dropped: ${owner} has a tool of that name`;
    return { problem: { code: "TOOL_DUPLICATE", pluginId, message } };
  }
  const described = describeArguments(tool);
  const dropped = (code: ToolSetProblem["code"], reason: string) => {
    const message = `tool "${name}" of plugin "${pluginId}" is dropped: ${reason}`;
    return { problem: { code, pluginId, message } };
  };
  if (!("schema" in described)) return dropped(described.code, described.message);
  const { schema } = described;
  const reason = compileProblem(schema);
  return reason === undefined ? { canonicalName, schema } : dropped("TOOL_SCHEMA_INVALID", reason);
}

/** Returns the reason why a factory's return value is not a tool; factories may be untyped. */
function shapeProblem(tool: unknown): string | undefined {
  if (typeof tool !== "object" || tool === null) return `that is not an object: ${String(tool)}`;
  const { name, description, execute } = tool as {
    readonly [Field in keyof ToolDefinition]?: unknown;
  };
  if (typeof name !== "string" || !NAME.test(name)) {
    return `without a usable name, expected 1 to 64 of A-Z a-z 0-9 _ -: ${String(name)}`;
  }
  if (typeof description !== "string" && typeof description !== "function") {
    return `without a description: "${name}"`;
  }
  return typeof execute === "function" ? undefined : `without an execute function: "${name}"`;
}

/**
 * Returns the entry of a tool.
 * @param origin - kind of the tool, and the plugin that made it
 * @param context - session for which its description is built
 * @throws an error when its arguments or its description cannot be described
 */
export function toolEntry(
  tool: AnyAgentTool,
  {
    kind,
    pluginId,
    optional: offeredAsOptional,
    schema = schemaOf(tool),
    aliases = NO_ALIASES,
  }: {
    readonly kind: OfferedToolKind;
    readonly pluginId?: string | undefined;
    readonly optional: boolean;
    /** Schema of the arguments, where it was read before. */
    readonly schema?: ToolEntry["parameters"];
    /** Further names in policies. */
    readonly aliases?: readonly string[];
  },
  context: ToolSessionContext,
): ToolEntry {
  const optional = offeredAsOptional || tool.optional === true;
  const description: unknown =
    typeof tool.description === "function" ? tool.description(context) : tool.description;
  if (typeof description !== "string") {
    throw new Error(`expected a string, got ${typeof description}`);
  }
  return {
    name: tool.name,
    description,
    // The pipeline validates every call against the schema before it calls execute.
    tool: tool as ToolDefinition,
    kind,
    pluginId,
    parameters: schema,
    policyTool: {
      name: tool.name,
      origin: POLICY_ORIGIN[kind],
      optional,
      aliases,
      ...(pluginId === undefined ? {} : { pluginId }),
      ownerOnly: tool.ownerOnly === true,
    },
  };
}

const NO_ALIASES: readonly string[] = [];

function schemaOf(tool: AnyAgentTool): ToolEntry["parameters"] {
  const described = describeArguments(tool);
  if ("schema" in described) return described.schema;
  throw new Error(`tool "${tool.name}": ${described.message}`);
}

/** Origin of a tool in policies, by its kind. */
const POLICY_ORIGIN = {
  builtin: "core",
  plugin: "plugin",
  mcp: "mcp",
  wasm: "wasm",
  client: "client",
} as const satisfies Record<OfferedToolKind, PolicyTool["origin"]>;

/**
 * Lets policies name all tools of an MCP server by the name of the server (EXT-011). A server with the name of a core tool
 * must not get what a policy allows to that tool.
 */
function aliasesOf(
  server: string,
  coreNames: ReadonlySet<string>,
  known: Map<string, readonly string[]>,
): readonly string[] {
  const before = known.get(server);
  if (before !== undefined) return before;
  const aliases = coreNames.has(canonicalToolName(server)) ? NO_ALIASES : [server];
  known.set(server, aliases);
  return aliases;
}

/**
 * Returns a tool in the form that policy evaluates.
 * @param name - name of the tool
 * @param origin - its maker
 * @param pluginId - plugin that made it
 * @param optional - true when it has to be allowed by name
 */
export function policyTool(
  name: string,
  origin: PolicyTool["origin"],
  pluginId: string | undefined,
  optional: boolean,
): PolicyTool {
  return { name, origin, optional, aliases: [], ...defined({ pluginId }) };
}
