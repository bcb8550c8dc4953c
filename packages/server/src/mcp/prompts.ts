import { randomUUID } from "node:crypto";
import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { defined } from "@openclaw/foundation";
import { offeredTools } from "./gateway-tools.js";
import type { McpClient } from "./mcp-client.js";
import { contentOf } from "./tool-result.js";

/** Tool that returns the instructions of a skill. */
const SKILL_TOOL = "skill";

/**
 * Lists the skills of the agent as prompts. A client that may not run the tool for skills has none.
 * @param client - client and gateway
 */
export async function listPrompts(client: McpClient): Promise<ListPromptsResult> {
  const { gateway } = client;
  const methods = await gateway.methods();
  if (!methods.has("tools.invoke")) return { prompts: [] };
  const offered = await offeredTools(client);
  if (!offered.tools.some(({ name }) => name === SKILL_TOOL)) return { prompts: [] };
  const { skills } = await gateway.call("skills.list", { agentId: agentOf(offered.sessionKey) });
  const prompts = skills
    .filter(({ hidden }) => !hidden)
    .map(({ name, description }) => ({
      ...{ name, description },
      arguments: [{ name: "request", description: "What to do with the skill.", required: false }],
    }));
  return { prompts };
}

/**
 * Returns the instructions of a skill, which the tool for skills reads: on the path of all tool calls.
 * @param name - name of the skill from the client
 * @param request - text for the model after the instructions
 * @param client - client and gateway
 * @throws ProtocolError for a skill that the client is not offered
 */
export async function getPrompt(
  name: string,
  request: string | undefined,
  client: McpClient,
): Promise<GetPromptResult> {
  const { gateway, sessionKey } = client;
  const { prompts } = await listPrompts(client);
  const prompt = prompts.find((each) => each.name === name);
  if (prompt === undefined) {
    const message = `prompt ${JSON.stringify(name)} not found; prompts/list has the skills`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  const call = { sessionKey, tool: SKILL_TOOL, params: { name } };
  const { content, isError } = await gateway.call("tools.invoke", call, {
    idempotencyKey: randomUUID(),
  });
  const parts = contentOf(content);
  if (isError) {
    const [part] = parts;
    const message = part?.type === "text" ? part.text : `skill ${name} could not be read`;
    throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  }
  const wanted =
    request === undefined || request === "" ? [] : [{ type: "text" as const, text: request }];
  return {
    ...defined({ description: prompt.description }),
    messages: [...parts, ...wanted].map((each) => ({ role: "user", content: each })),
  };
}

function agentOf(sessionKey: string): string {
  return sessionKey.split(":")[1] ?? "main";
}
