import { answer, ToolRefusalError } from "@openclaw/core-tools";
import { nearestNames, startOfText, withSuggestion } from "@openclaw/foundation";
import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import type { ToolEntry } from "../tool-call/tool-entry.js";
import { type LoadedTools, TOOL_SEARCH } from "./loaded-tools.js";
import { searchTools } from "./search.js";

const DEFAULT_COUNT = 5;
const MAXIMUM_COUNT = 20;
/** Longest line about one tool in the list, in characters. */
const MAXIMUM_LINE = 100;
/** The list has at least this room, in tokens, however small the limit of the definitions is. */
const LEAST_ROOM = 2000;
const CHARACTERS_PER_TOKEN = 4;

/** One schema for every turn, by which the offer of the tool and its tokens are known. */
const PARAMETERS = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: "Names of tools, as listed, or words that say what you need.",
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAXIMUM_COUNT,
        default: DEFAULT_COUNT,
        description: "Maximum number of tools to load by words.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** Lines by schema of the tool, so that a turn makes none a second time. */
const lines = new WeakMap<ToolEntry["parameters"], KnownLine>();

interface KnownLine extends Pick<ToolEntry, "name" | "description"> {
  readonly line: string;
}

/**
 * Creates the tool `tool_search`, which loads definitions of deferred tools (TURN-067). Its description lists them, and does
 * not change when some are loaded.
 * @param deferred - the deferred tools, in the order of the turn
 * @param scope - tokens that the list may have, and the names of the tools that the turn may call
 */
export function createToolSearch(
  deferred: readonly ToolEntry[],
  scope: { readonly limit: number; callable(): ReadonlySet<string> },
) {
  return defineTool({
    name: TOOL_SEARCH,
    label: "Load tools",
    description: `Load tools that are listed below without their parameters. Load a tool before you call it; it stays loaded.\n${listing(deferred, Math.max(scope.limit, LEAST_ROOM))}`,
    parameters: PARAMETERS,
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { query, limit = DEFAULT_COUNT }) =>
      answer(`search the tools for "${query}"`, async () => {
        const callable = scope.callable();
        const searched = deferred.filter(({ name }) => callable.has(name));
        const found = searchTools(searched, query, limit).slice(0, MAXIMUM_COUNT);
        if (found.length === 0) throw nothingFound(query, searched);
        return loaded(found);
      }),
  });
}

/** Returns the list: a line for each tool, names alone where lines take too much room, and servers where names do. */
function listing(tools: readonly ToolEntry[], room: number): string {
  const longest = room * CHARACTERS_PER_TOKEN;
  const listed = joined(tools, lineOf, "\n", longest) ?? joined(tools, nameOf, ", ", longest);
  if (listed !== undefined) return listed;
  const counts = new Map<string, number>();
  const ofHost: string[] = [];
  for (const { name, tool } of tools) {
    if (tool.mcpServer === undefined) ofHost.push(name);
    else counts.set(tool.mcpServer, (counts.get(tool.mcpServer) ?? 0) + 1);
  }
  const servers = [...counts].map(([server, count]) => `${server} (${count} tools)`);
  const host = ofHost.length === 0 ? "" : `${ofHost.join(", ")}, and more. `;
  return `${host}Too many to list. The servers are: ${servers.join(", ")}`;
}

/** Joins a string for each tool; undefined when the result is longer than the limit, beyond which none is made. */
function joined(
  tools: readonly ToolEntry[],
  stringOf: (entry: ToolEntry) => string,
  separator: string,
  longest: number,
): string | undefined {
  const parts: string[] = [];
  let length = -separator.length;
  for (const entry of tools) {
    const part = stringOf(entry);
    length += separator.length + part.length;
    if (length > longest) return undefined;
    parts.push(part);
  }
  return parts.join(separator);
}

function nameOf({ name }: ToolEntry): string {
  return name;
}

/** Returns the name and the first sentence of the description. */
function lineOf({ name, description, parameters }: ToolEntry): string {
  const known = lines.get(parameters);
  if (known?.name === name && known.description === description) return known.line;
  const line = newLine(name, description);
  lines.set(parameters, { name, description, line });
  return line;
}

function newLine(name: string, description: string): string {
  const [first = ""] = description.trim().split(/\n|(?<=[.!?])\s+(?=[\p{Lu}`])/u, 1);
  const line = `- ${name}: ${first}`;
  return line.length > MAXIMUM_LINE ? `${startOfText(line, MAXIMUM_LINE - 1)}…` : line;
}

function loaded(tools: readonly ToolEntry[]): ToolResult<LoadedTools> {
  const texts = tools.map(({ name, description }) => `${name}: ${description}`);
  return {
    content: [{ type: "text", text: `Loaded; they can be called now:\n\n${texts.join("\n\n")}` }],
    details: { loaded: tools.map(({ name }) => name) },
  };
}

function nothingFound(query: string, tools: readonly ToolEntry[]): ToolRefusalError {
  const names = tools.map(({ name }) => name);
  return new ToolRefusalError(
    "not-found",
    withSuggestion(
      `No tool matches "${query}"`,
      nearestNames(query, names),
      "use other words, or a name of the list",
    ),
  );
}
