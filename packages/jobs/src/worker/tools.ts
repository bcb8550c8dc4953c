import { authorizeExec, type CoreTool, createCoreTools } from "@openclaw/core-tools";
import { errorMessage } from "@openclaw/foundation";
import type {
  AnyAgentTool,
  JsonSchema,
  ToolResult,
  ToolSessionContext,
} from "@openclaw/plugin-sdk/tools";
import { Check } from "typebox/value";
import type { WorkerToolCall } from "../workers/api/requests.js";

/** Tools of a worker (JOB-038). */
const NAMES = ["exec", "read", "write", "list", "apply_patch"] as const;

/** A tool as a model sees it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** The tools of a worker, which are those of the host in its own process. The sandbox is their boundary. */
export class WorkerTools {
  readonly #tools = new Map<string, AnyAgentTool>();
  readonly #session: ToolSessionContext;

  /**
   * @param workspaceDir - folder in which they work
   * @param environment - variables of commands
   * @param passEnvironment - names of further variables that commands have
   */
  constructor(
    workspaceDir: string,
    environment: NodeJS.ProcessEnv,
    passEnvironment: readonly string[] = [],
  ) {
    const session: ToolSessionContext = {
      ...{ sessionKey: "worker", sessionId: "worker", agentId: "worker", workspaceDir },
      ...{ messageChannel: "worker", senderIsOwner: false, sandboxed: true, activeModel: "" },
    };
    this.#session = session;
    const all = createCoreTools({
      ...{ workspaceDir, stateDir: "/nonexistent/openclaw", environment, passEnvironment },
    });
    const made = all.flatMap((tool: CoreTool) =>
      typeof tool === "function" ? tool(session) : tool,
    );
    for (const tool of made) {
      if (NAMES.some((name) => name === tool.name)) this.#tools.set(tool.name, tool);
    }
  }

  /** Returns the tools as a model sees them. */
  offered(): readonly OfferedTool[] {
    return NAMES.flatMap((name) => {
      const tool = this.#tools.get(name);
      if (tool === undefined) return [];
      const { description } = tool;
      const text = typeof description === "string" ? description : description(this.#session);
      return [{ name, description: text, parameters: jsonSchemaOf(tool.parameters) }];
    });
  }

  /**
   * Calls a tool. A failure is its result.
   * @param call - call of the model
   * @param signal - ends it
   */
  async call(
    { id, name, arguments: params }: WorkerToolCall,
    signal: AbortSignal,
  ): Promise<string> {
    const tool = this.#tools.get(name);
    if (tool === undefined) {
      return `Error: there is no tool ${JSON.stringify(name)}. Use one of: ${NAMES.join(", ")}.`;
    }
    if (
      typeof params !== "object" ||
      params === null ||
      !Check(jsonSchemaOf(tool.parameters), params)
    ) {
      return `Error: the arguments do not fit the parameters of ${name}. Correct them, and call it again.`;
    }
    authorizeExec(params, { run: "shell" });
    try {
      // The check of its schema makes the arguments those that the tool takes.
      const result: unknown = await tool.execute(id, params as never, signal, () => undefined);
      return textOf(result);
    } catch (error) {
      return `Error: ${errorMessage(error)}`;
    }
  }
}

function jsonSchemaOf(parameters: AnyAgentTool["parameters"]): JsonSchema {
  const schema: JsonSchema = JSON.parse(JSON.stringify(parameters));
  return schema;
}

function textOf(result: unknown): string {
  if (typeof result === "string") return result;
  if (typeof result !== "object" || result === null || !("content" in result)) return "";
  const { content } = result as ToolResult;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
