import { stderr, stdout } from "node:process";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { ServerOverview, ToolOverview } from "../servers.js";

/**
 * Prints a result: as JSON with `--json`, otherwise as lines.
 * @param json - true for JSON
 * @param value - result of the command
 * @param lines - lines for a person
 */
export function print(json: boolean, value: unknown, lines: () => readonly string[]): void {
  stdout.write(`${json ? JSON.stringify(value, null, 2) : lines().join("\n")}\n`);
}

/**
 * Prints a line that is not the result.
 * @param text - the line
 */
export function note(text: string): void {
  stderr.write(`${text}\n`);
}

/**
 * Returns the lines of a list of servers.
 * @param servers - servers with their states
 */
export function serverLines(servers: readonly ServerOverview[]): readonly string[] {
  if (servers.length === 0) {
    return [
      "No MCP servers. Add one: openclaw mcp add NAME -- COMMAND, or openclaw mcp add NAME URL",
    ];
  }
  const width = Math.max(...servers.map(({ name }) => name.length));
  return servers.flatMap((server) => [
    `${server.name.padEnd(width)}  ${stateOf(server)}  ${server.target}${originOf(server)}`.trimEnd(),
    ...problemsOf(server.tools ?? []),
  ]);
}

/**
 * Returns the lines of the tools of a server.
 * @param server - server with its tools
 */
export function toolLines(server: ServerOverview): readonly string[] {
  const { name, tools = [], protocolVersion = "" } = server;
  return [
    `${name}: ready, protocol ${protocolVersion}, ${counted(tools.length, "tool")}`,
    ...tools.map((tool) => `  ${tool.name}  ${firstLine(tool.description)}`.trimEnd()),
    ...problemsOf(tools),
  ];
}

/**
 * Returns the lines that show how a definition changed.
 * @param tool - tool with its accepted and its pending definition
 */
export function changeLines({ tool, problem = "", change }: ToolOverview): readonly string[] {
  if (change === undefined) return [`${tool}: ${problem}`];
  const before = JSON.stringify(change.accepted, null, 2).split("\n");
  const after = JSON.stringify(change.pending, null, 2).split("\n");
  const isKept = (line: string, others: readonly string[]) => others.includes(line);
  return [
    `${tool}: ${problem}`,
    ...before.filter((line) => !isKept(line, after)).map((line) => `  - ${line.trim()}`),
    ...after.filter((line) => !isKept(line, before)).map((line) => `  + ${line.trim()}`),
  ];
}

function originOf({ origin }: ServerOverview): string {
  return origin === undefined ? "" : `  (from ${origin})`;
}

function stateOf({ state, reason, nextAttemptAt, tools }: ServerOverview): string {
  const known = tools === undefined ? "" : `, ${counted(tools.length, "tool")}`;
  if (state === "failing" && nextAttemptAt !== undefined) {
    const seconds = Math.max(0, Math.ceil((nextAttemptAt - Date.now()) / 1000));
    const next = seconds === 0 ? "it is tried again now" : `next attempt in ${seconds} s`;
    return `failing (${reason}; ${next})${known}`;
  }
  return reason === undefined ? `${state}${known}` : `${state} (${reason})`;
}

function problemsOf(tools: readonly ToolOverview[]): readonly string[] {
  return tools.flatMap(({ tool, problem }) =>
    problem === undefined ? [] : [`  tool ${tool} is not offered: ${problem}`],
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function firstLine(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.length > 80 ? `${startOfText(line, 79)}…` : line;
}
