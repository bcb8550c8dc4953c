import {
  errorMessage,
  promptArguments,
  promptUsage,
  writtenArgument,
} from "@openclaw/plugin-sdk/kit";
import type {
  PluginCommand,
  PluginCommandReply,
  PluginCommandVariant,
} from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonValue, ToolInput, ToolResult } from "@openclaw/plugin-sdk/tools";
import { askFor, continued, neededInput, type Resumption } from "../elicitation/calls.js";
import type { OfferedPrompt } from "../server/offers.js";
import type { McpServer } from "../server/server.js";
import type { ServerOverview } from "../servers.js";
import { promptText } from "./text.js";

/** Time in milliseconds in which a server must give a prompt or its completions. */
const PROMPT_MS = 25_000;
const COMPLETION_MS = 2000;

/** Servers of the command. */
export interface PromptServers {
  /** Servers with the prefixes of their names, as far as they are known now. */
  current(): ReadonlyMap<string, McpServer>;
  overview(): Promise<readonly ServerOverview[]>;
}

/**
 * Creates the command `/mcp`, which shows the states of the servers, with a variant for each of their prompts:
 * `/server:prompt arguments`. The text of the prompt becomes the message to the agent.
 * @param servers - servers whose prompts are offered
 */
export function promptCommand(servers: PromptServers): PluginCommand {
  const found = (variant = "") => {
    for (const [prefix, server] of servers.current()) {
      for (const prompt of server.offers.prompts) {
        if (variantName(prefix, prompt) === variant) return { server, prompt };
      }
    }
    return undefined;
  };
  return {
    name: "mcp",
    description: "show the MCP servers with their states and prompts",
    acceptsArgs: true,
    variants: () =>
      [...servers.current()].flatMap(([prefix, { offers }]) =>
        offers.prompts.map((prompt): PluginCommandVariant => {
          const usage = promptUsage(prompt);
          return {
            name: variantName(prefix, prompt),
            description: prompt.description?.split("\n", 1)[0] || `prompt of MCP server ${prefix}`,
            ...(usage === "" ? {} : { usage }),
          };
        }),
      ),
    async complete({ variant, args }) {
      const prompt = found(variant);
      return prompt === undefined ? [] : await completions(prompt, args);
    },
    async handler({ variant, args = "", input }) {
      if (variant === undefined) return { text: states(await servers.overview()) };
      if (input !== undefined) {
        const [prefix] = variant.split(":");
        const server = [...servers.current()].find(([name]) => name.toLowerCase() === prefix)?.[1];
        if (server !== undefined) return await continueWith(server, input);
      }
      const prompt = found(variant);
      if (prompt === undefined) return { text: `The prompt /${variant} is no longer offered.` };
      return await expand(prompt, variant, args);
    },
  };
}

interface FoundPrompt {
  readonly server: McpServer;
  readonly prompt: OfferedPrompt;
}

async function expand(
  { server, prompt }: FoundPrompt,
  variant: string,
  args: string,
): Promise<PluginCommandReply> {
  const read = promptArguments(prompt, args);
  if ("missing" in read) {
    return { text: `/${variant} needs ${read.missing}. Send /${variant} ${promptUsage(prompt)}` };
  }
  return await get(server, { name: prompt.name, values: read.values }, {});
}

/** Prompt that a server is asked for; stored with its command while a person is asked (EXT-505). */
type AskedPrompt = { readonly name: string; readonly values: Readonly<Record<string, string>> };

async function get(
  server: McpServer,
  asked: AskedPrompt,
  resumption: Resumption,
): Promise<PluginCommandReply> {
  const { name, values } = asked;
  const signal = AbortSignal.timeout(PROMPT_MS);
  const options = { signal, allowInputRequired: true };
  try {
    const result = await server.use(`gave the prompt "${name}"`, signal, (connection) =>
      connection.ask((client) =>
        client.getPrompt({ name, arguments: { ...values }, ...resumption }, options),
      ),
    );
    const needed = neededInput(result);
    if (needed !== undefined) return questionOf(askFor(server.name, needed), asked);
    return { text: "", continueAgent: true, agentText: promptText(result) };
  } catch (error) {
    return { text: errorMessage(error) };
  }
}

/** Continues a prompt with the answer of the person; it is asked for by the name that the server gave it. */
async function continueWith(server: McpServer, input: ToolInput): Promise<PluginCommandReply> {
  // The host gives back what this module stored, and no command whose state was changed.
  const { asked, call } = input.state as { readonly asked: AskedPrompt; readonly call: JsonValue };
  const next = continued(server.name, { ...input, state: call });
  return "result" in next
    ? questionOf(next.result, asked)
    : await get(server, asked, next.resumption);
}

/** Returns the next request for input, or the reason why there is none. */
function questionOf({ input, content }: ToolResult, asked: AskedPrompt): PluginCommandReply {
  if (input === undefined) {
    return { text: content.map((part) => (part.type === "text" ? part.text : "")).join("\n") };
  }
  const { state: call = null, ...request } = input;
  return { text: "", input: { ...request, state: { asked, call } } };
}

/** Returns the values that a server proposes for the argument that is being written. */
async function completions(
  { server, prompt }: FoundPrompt,
  args: string,
): Promise<readonly string[]> {
  const written = writtenArgument(prompt, args);
  if (written === undefined) return [];
  const { name, value, given } = written;
  const signal = AbortSignal.timeout(COMPLETION_MS);
  const { completion } = await server.use("completed an argument", signal, (connection) =>
    connection.ask((client) =>
      client.complete(
        {
          ref: { type: "ref/prompt", name: prompt.name },
          argument: { name, value },
          ...(Object.keys(given).length === 0 ? {} : { context: { arguments: { ...given } } }),
        },
        { signal },
      ),
    ),
  );
  return completion.values;
}

function variantName(prefix: string, { name }: OfferedPrompt): string {
  return `${prefix}:${name.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`.toLowerCase();
}

function states(servers: readonly ServerOverview[]): string {
  if (servers.length === 0) return "No MCP servers. Add one with `openclaw mcp add`.";
  return servers
    .map(({ name, state, reason, tools }) => {
      const count = tools === undefined ? "" : `, ${tools.length} tools`;
      return `${name}: ${state}${count}${reason === undefined ? "" : ` (${reason})`}`;
    })
    .join("\n");
}
