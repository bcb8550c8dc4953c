import { randomUUID } from "node:crypto";
import {
  type GetPromptResult,
  type InputRequiredResult,
  type ListPromptsResult,
  type Prompt,
  type PromptMessage,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { defined } from "@openclaw/foundation";
import { offeredTools } from "./gateway-tools.js";
import type { McpClient, McpRequest } from "./mcp-client.js";
import { pluginPrompt } from "./plugin-prompt.js";
import { contentOf } from "./tool-result.js";

/** Tool that returns the instructions of a skill. */
const SKILL_TOOL = "skill";

/** Prompt for a client. */
interface OwnedPrompt {
  readonly prompt: Prompt;
  /** Name of the prompt of a plugin in the gateway; undefined for a skill. */
  readonly ofPlugin: string | undefined;
}

/**
 * Lists the prompts: skills of the agent, and prompts of plugins. A client that may not run tools has none, and one that may
 * not run the tool for skills has no skills.
 * @param client - client and gateway
 */
export async function listPrompts(client: McpClient): Promise<ListPromptsResult> {
  const prompts = await ownedPrompts(client);
  return { prompts: prompts.map(({ prompt }) => prompt) };
}

async function ownedPrompts(client: McpClient): Promise<readonly OwnedPrompt[]> {
  const { gateway } = client;
  const methods = await gateway.methods();
  if (!methods.has("tools.invoke")) return [];
  const skills = await skillsOf(client);
  const taken = new Set(skills.map(({ prompt }) => prompt.name));
  const { prompts } = await gateway.call("prompts.list", {});
  const added = prompts.map(({ pluginId, name, arguments: list, ...about }) => ({
    prompt: {
      name: taken.has(name) ? `${pluginId}:${name}` : name,
      ...about,
      arguments: list.map((argument) => ({ ...argument })),
    },
    ofPlugin: name,
  }));
  return [...skills, ...added];
}

async function skillsOf(client: McpClient): Promise<readonly OwnedPrompt[]> {
  const offered = await offeredTools(client);
  if (!offered.tools.some(({ name }) => name === SKILL_TOOL)) return [];
  const agentId = agentOf(offered.sessionKey);
  const { skills } = await client.gateway.call("skills.list", { agentId });
  return skills
    .filter(({ hidden }) => !hidden)
    .map(({ name, description }) => ({
      prompt: {
        ...{ name, description },
        arguments: [
          { name: "request", description: "What to do with the skill.", required: false },
        ],
      },
      ofPlugin: undefined,
    }));
}

/**
 * Returns the messages of a prompt, or what it asks the person at the client. The instructions of a skill are read by the tool
 * for skills: on the path of all tool calls.
 * @param name - name of the prompt from the client
 * @param values - values of its arguments
 * @param request - client and context
 * @throws ProtocolError for a prompt that the client is not offered, and for one that cannot be rendered
 */
export async function getPrompt(
  name: string,
  values: Readonly<Record<string, string>>,
  request: McpRequest,
): Promise<GetPromptResult | InputRequiredResult> {
  const { client } = request;
  const found = (await ownedPrompts(client)).find(({ prompt }) => prompt.name === name);
  if (found === undefined) {
    const message = `prompt ${JSON.stringify(name)} not found; prompts/list has the prompts`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  const { prompt, ofPlugin } = found;
  const { description } = prompt;
  if (ofPlugin !== undefined) {
    const rendered = await pluginPrompt(ofPlugin, values, request);
    return "messages" in rendered ? { ...defined({ description }), ...rendered } : rendered;
  }
  const messages = await skillMessages(name, values.request, client);
  return { ...defined({ description }), messages };
}

/**
 * Returns values for an argument of a prompt that a person is writing.
 * @param written - prompt and argument
 * @param client - client and gateway
 */
export async function completePrompt(
  { name, argument, value, given }: WrittenArgument,
  client: McpClient,
): Promise<readonly string[]> {
  const found = (await ownedPrompts(client)).find(({ prompt }) => prompt.name === name);
  if (found?.ofPlugin === undefined) return [];
  const written = { name: found.ofPlugin, argument, value, arguments: { ...given } };
  return (await client.gateway.call("prompts.complete", written)).values;
}

/** Argument that a person is writing. */
export interface WrittenArgument {
  readonly name: string;
  readonly argument: string;
  readonly value: string;
  readonly given: Readonly<Record<string, string>>;
}

async function skillMessages(
  name: string,
  request: string | undefined,
  { gateway, sessionKey }: McpClient,
): Promise<PromptMessage[]> {
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
  return [...parts, ...wanted].map((each) => ({ role: "user", content: each }));
}

function agentOf(sessionKey: string): string {
  return sessionKey.split(":")[1] ?? "main";
}
