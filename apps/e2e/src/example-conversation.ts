import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ModelServerReplySource, ModelServerRequest } from "@openclaw/platform-fakes";

/** A conversation of docs/examples/conversations. */
export interface ExampleConversation {
  readonly file: string;
  readonly title: string;
  /** Files of the workspace by relative path. */
  readonly workspace: Readonly<Record<string, string>>;
  /** Tools that run without approval. */
  readonly approve?: readonly string[];
  readonly turns: readonly ExampleTurn[];
}

/** One exchange. */
export interface ExampleTurn {
  readonly user: string;
  /** The tool calls that a provider's model makes before it answers. */
  readonly model: readonly { readonly tool: string; readonly arguments: unknown }[];
  /** Strings that the reply contains. */
  readonly reply: readonly string[];
  /** Strings that the reply does not contain. */
  readonly replyLacks?: readonly string[];
}

const folder = fileURLToPath(new URL("../../../docs/examples/conversations", import.meta.url));

/** Every example conversation. */
export function exampleConversations(): ExampleConversation[] {
  return readdirSync(folder).map((file) => ({
    file,
    ...(JSON.parse(readFileSync(join(folder, file), "utf8")) as Omit<ExampleConversation, "file">),
  }));
}

/**
 * Replies of a provider's model that makes a turn's tool calls and then repeats their results.
 * @param turn - one exchange
 */
export function modelReplies({ model }: ExampleTurn): ModelServerReplySource[] {
  const calls = model.map((call, index) => ({
    id: `call_${index}`,
    name: call.tool,
    arguments: JSON.stringify(call.arguments),
  }));
  return [{ toolCalls: calls }, (request) => ({ text: `The tools say:\n${toolResults(request)}` })];
}

interface SentMessage {
  role: string;
  content?: unknown;
}

/** The tool results behind the last message of the user. */
function toolResults({ body }: ModelServerRequest): string {
  const messages = body.messages as SentMessage[];
  const last = messages.findLastIndex(({ role }) => role === "user");
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
    .join("\n");
}
