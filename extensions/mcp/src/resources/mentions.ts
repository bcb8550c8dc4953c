import { errorMessage, startOfText } from "@openclaw/plugin-sdk/kit";
import type { McpServer } from "../server/server.js";
import { readResource } from "./tools.js";

/** Maximum number of resources that one message names. */
const MAXIMUM_MENTIONS = 5;
/** Longest content of one resource in a prompt, in characters. */
const MAXIMUM_CONTENT = 100_000;

/** Resource that a message names. */
export interface Mention {
  readonly server: string;
  readonly uri: string;
}

/**
 * Returns the resources that a message names as `@server:uri`, at most five.
 * @param text - text of the message
 * @param servers - names of servers that have resources
 */
export function mentionsIn(text: string, servers: ReadonlySet<string>): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const [, server = "", written = ""] of text.matchAll(/(?<!\S)@([\w.-]+):(\S+)/g)) {
    if (!servers.has(server)) continue;
    const uri = written.replace(/[.,;!?)\]]+$/, "");
    found.set(`${server} ${uri}`, { server, uri });
  }
  return [...found.values()].slice(0, MAXIMUM_MENTIONS);
}

/**
 * Returns the content of the resources that a message names, for its prompt. One that cannot be read is named with the reason.
 * @param mentions - resources that the message names
 * @param serverOf - returns a server by its name
 * @param signal - cancels the requests
 */
export async function mentionedContent(
  mentions: readonly Mention[],
  serverOf: (name: string) => McpServer | undefined,
  signal: AbortSignal,
): Promise<string> {
  const parts = mentions.map(async ({ server, uri }) => {
    const found = serverOf(server);
    if (found === undefined) return "";
    const text = await readResource(found, uri, signal).then(
      ({ content }) =>
        content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n"),
      (error: unknown) => `it could not be read: ${errorMessage(error)}`,
    );
    const shown =
      text.length > MAXIMUM_CONTENT ? `${startOfText(text, MAXIMUM_CONTENT)}\n… (cut)` : text;
    return `Resource @${server}:${uri}\n${shown}`;
  });
  return (await Promise.all(parts)).join("\n\n");
}
