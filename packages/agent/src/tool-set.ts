import type { Logger } from "@openclaw/plugin-sdk";
import type { ToolKind } from "@openclaw/plugin-sdk/hooks";
import type {
  AnyAgentTool,
  JsonSchema,
  ToolDefinition,
  ToolFactory,
  ToolFactoryContext,
} from "@openclaw/plugin-sdk/tools";
import type { Policy, PolicyContext, PolicyTool } from "@openclaw/tool-policy";
import { schemaProblem } from "./tool-parameters.js";

const FACTORY_DEADLINE_MS = 5000;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** A tool or factory that a plugin registered. */
export interface OfferedTool {
  readonly pluginId: string;
  readonly tool: AnyAgentTool | ToolFactory;
  /** Names it was declared with; may be empty for a factory. */
  readonly names: readonly string[];
  readonly optional: boolean;
}

/** A tool that the turn's model may call. */
export interface ToolEntry {
  readonly name: string;
  readonly tool: ToolDefinition;
  readonly kind: ToolKind;
  readonly pluginId: string | undefined;
  readonly parameters: JsonSchema;
  /** The tool as policy judges it. */
  readonly policyTool: PolicyTool;
}

/** The tools of one turn by name, in the order in which the model is shown them; fixed for the turn (TURN-026). */
export type ToolSet = ReadonlyMap<string, ToolEntry>;

/** A tool or factory that could not join the set. */
export interface ToolSetProblem {
  readonly code:
    | "TOOL_FACTORY_FAILED"
    | "TOOL_DUPLICATE"
    | "TOOL_SCHEMA_INVALID"
    | "TOOL_NAME_INVALID";
  readonly pluginId: string;
  readonly message: string;
}

/** What a tool set is built from. */
export interface ToolSetSources {
  readonly coreTools: readonly AnyAgentTool[];
  readonly pluginTools: readonly OfferedTool[];
  readonly policy: Policy;
  readonly policyContext: PolicyContext;
  readonly factoryContext: ToolFactoryContext;
  readonly logger: Logger;
}

/**
 * Builds a turn's tool set: core tools first, then plugin tools by name; only what policy allows. A
 * factory that throws, is late or makes a bad tool loses its own tools and nothing else (TURN-014).
 * @param sources - all candidates and the policy that judges them
 */
export async function buildToolSet(
  sources: ToolSetSources,
): Promise<{ tools: ToolSet; problems: readonly ToolSetProblem[] }> {
  const { policy, policyContext } = sources;
  const tools = new Map<string, ToolEntry>();
  const problems: ToolSetProblem[] = [];
  const allowed = (tool: PolicyTool) => policy.decide(tool, policyContext).allowed;

  for (const tool of sources.coreTools) {
    const entry = toolEntry(tool, "builtin", undefined, false);
    if (allowed(entry.policyTool)) tools.set(entry.name, entry);
  }

  const offered: ToolEntry[] = [];
  const coreNames = new Set(sources.coreTools.map((tool) => tool.name));
  const owners = new Map<string, string>();
  for (const { offer, made, failure } of await Promise.all(
    sources.pluginTools.map((offer) => makeTools(offer, sources, allowed)),
  )) {
    if (failure !== undefined) problems.push(failure);
    for (const tool of made) {
      const problem = toolProblem(tool, offer.pluginId, coreNames, owners);
      if (problem !== undefined) {
        problems.push(problem);
        continue;
      }
      owners.set(tool.name, offer.pluginId);
      const entry = toolEntry(tool, "plugin", offer.pluginId, offer.optional);
      if (allowed(entry.policyTool)) offered.push(entry);
    }
  }
  offered.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of offered) tools.set(entry.name, entry);
  for (const { code, pluginId, message } of problems)
    sources.logger.warn(message, { code, pluginId });
  return { tools, problems };
}

interface MadeTools {
  offer: OfferedTool;
  made: readonly AnyAgentTool[];
  failure?: ToolSetProblem;
}

async function makeTools(
  offer: OfferedTool,
  { factoryContext }: ToolSetSources,
  allowed: (tool: PolicyTool) => boolean,
): Promise<MadeTools> {
  if (typeof offer.tool !== "function") return { offer, made: [offer.tool] };
  const declared = offer.names.map((name) =>
    policyTool(name, "plugin", offer.pluginId, offer.optional),
  );
  if (declared.length > 0 && !declared.some(allowed)) return { offer, made: [] };
  try {
    const result = await withinDeadline(offer.tool(factoryContext));
    return { offer, made: result === null ? [] : Array.isArray(result) ? result : [result] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `a tool factory of plugin "${offer.pluginId}" failed (${reason}); its tools are missing in this turn`;
    return {
      offer,
      made: [],
      failure: { code: "TOOL_FACTORY_FAILED", pluginId: offer.pluginId, message },
    };
  }
}

async function withinDeadline<Value>(work: Value | Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${FACTORY_DEADLINE_MS} ms`)),
      FACTORY_DEADLINE_MS,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function toolProblem(
  tool: AnyAgentTool,
  pluginId: string,
  coreNames: ReadonlySet<string>,
  owners: ReadonlyMap<string, string>,
): ToolSetProblem | undefined {
  const { name } = tool;
  if (typeof name !== "string" || !NAME.test(name) || typeof tool.execute !== "function") {
    const message = `plugin "${pluginId}" made a tool without a usable name or execute function: ${String(name)}`;
    return { code: "TOOL_NAME_INVALID", pluginId, message };
  }
  const owner = coreNames.has(name) ? "the core" : owners.get(name);
  if (owner !== undefined) {
    const message = `tool "${name}" of plugin "${pluginId}" is dropped: ${owner} has a tool of that name`;
    return { code: "TOOL_DUPLICATE", pluginId, message };
  }
  const schema = schemaProblem(tool.parameters);
  if (schema === undefined) return undefined;
  const message = `tool "${name}" of plugin "${pluginId}" is dropped: ${schema}`;
  return { code: "TOOL_SCHEMA_INVALID", pluginId, message };
}

function toolEntry(
  tool: AnyAgentTool,
  kind: ToolKind,
  pluginId: string | undefined,
  optional: boolean,
): ToolEntry {
  return {
    name: tool.name,
    // The one path validates every call against the schema before it calls execute.
    tool: tool as ToolDefinition,
    kind,
    pluginId,
    parameters: tool.parameters as JsonSchema,
    policyTool: {
      ...policyTool(tool.name, kind === "builtin" ? "core" : "plugin", pluginId, optional),
      ownerOnly: tool.ownerOnly === true,
    },
  };
}

function policyTool(
  name: string,
  origin: PolicyTool["origin"],
  pluginId: string | undefined,
  optional: boolean,
): PolicyTool {
  return { name, origin, optional, aliases: [], ...(pluginId === undefined ? {} : { pluginId }) };
}
