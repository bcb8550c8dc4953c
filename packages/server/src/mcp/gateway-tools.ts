import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/server";
import { OpenClawError } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { runAsked } from "./asked-call.js";
import { CallProgress } from "./call-progress.js";
import type { McpClient, McpRequest } from "./mcp-client.js";
import type { ToolOutcome } from "./server-tool.js";
import { contentOf, failedResult } from "./tool-result.js";

type OfferedTool = GatewayMethodResult<"tools.effective">["tools"][number];

/** Tools of the gateway in the session of a client. */
export interface OfferedTools {
  /** Full key of the session. */
  readonly sessionKey: string;
  readonly tools: readonly OfferedTool[];
}

/**
 * Returns the tools of the gateway in the session of a client. A session that a client names does not exist before its first
 * call, and is created.
 * @param client - client and gateway
 * @throws OpenClawError for a session that the client may not use
 */
export async function offeredTools({
  gateway,
  sessionKey,
}: Pick<McpClient, "gateway" | "sessionKey">): Promise<OfferedTools> {
  const offered = () => gateway.call("tools.effective", { sessionKey });
  try {
    return await offered();
  } catch (error) {
    const isNew = OpenClawError.isInstance(error) && error.code === "SESSION_NOT_FOUND";
    if (!isNew || !(await gateway.methods()).has("sessions.create")) throw error;
  }
  try {
    await gateway.call("sessions.create", { sessionKey });
  } catch (error) {
    // Another request of the client created it.
    if (!OpenClawError.isInstance(error) || error.code !== "SESSION_EXISTS") throw error;
  }
  return await offered();
}

/**
 * Returns the definition of a tool of the gateway.
 * @param tool - tool as models are offered it
 */
export function definitionOf({ name, description, parameters }: OfferedTool): Tool {
  return { name, description, inputSchema: { ...parameters, type: "object" } };
}

/**
 * Runs a tool of the gateway on the path of all tool calls, with the holder of the token as the caller: policy, hooks,
 * approval, execution, safety.
 * @param params - arguments from the client
 * @param sessionKey - full key of the session
 * @param request - client and context
 */
export async function runGatewayTool(
  tool: string,
  params: Readonly<Record<string, unknown>>,
  sessionKey: string,
  { client, context }: McpRequest,
): Promise<ToolOutcome> {
  using progress = new CallProgress(context, `${tool} is running`, client.timers);
  const { gateway } = client;
  return await runAsked(
    {
      async run(idempotencyKey, signal) {
        // A call that is made once more, with the answer of the person, continues under its ID.
        const toolCallId = toolCallIdOf(idempotencyKey);
        const stop = gateway.listen((event) => {
          if (event?.name !== "tool.update" || event.payload.toolCallId !== toolCallId) return;
          progress.note(event.payload.text);
        });
        try {
          const options = { idempotencyKey, signal };
          const call = { sessionKey, tool, params, toolCallId };
          const result = await gateway.call("tools.invoke", call, options);
          return { content: contentOf(result.content), isError: result.isError };
        } catch (error) {
          if (signal.aborted) throw error;
          return failedResult(error);
        } finally {
          stop();
        }
      },
      sessionKey,
      owns: (approval) => approval.sessionKey === sessionKey && approval.tool === tool,
    },
    { gateway, context, progress, canAsk: client.canAsk(context) },
  );
}

/** Returns the ID of the call with a key, which is of this server unless a client changed it. */
function toolCallIdOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}
