import type { DemoResult, DemoStep } from "./step.js";

/** First words of the request that a chat sends for `/init`. */
const REQUEST = /^\s*(?:create|write|propose|make) (?:an? |the )?`?AGENTS\.md`?(?:\s|$)/i;
const FILE = "AGENTS.md";
const MOST_FILES = 40;

/**
 * Returns true for a request to write an AGENTS.md for the workspace.
 * @param request - text of the user
 */
export function isInitRequest(request: string): boolean {
  return REQUEST.test(request);
}

/**
 * Returns the next step towards an AGENTS.md: the files are listed, the scripts of a Node.js package read, and what is
 * certain from them is written.
 * @param results - results of tools since the request, oldest first
 * @returns undefined when the file was written, or a call before that failed
 */
export function nextInitStep(results: readonly DemoResult[]): DemoStep | undefined {
  const textOf = (name: string) => results.find(({ toolName }) => toolName === name)?.text;
  const has = (name: string) => results.some(({ toolName }) => toolName === name);
  if (!has("list")) return { kind: "call", toolName: "list", params: {} };
  const list = textOf("list");
  if (list === undefined || has("write")) return undefined;
  const files = list.split("\n").filter((line) => line !== "" && !line.startsWith("["));
  if (files.includes(FILE)) {
    return { kind: "answer", text: `${FILE} exists. I am a demo model and cannot improve it.` };
  }
  if (files.includes("package.json") && !has("read")) {
    return { kind: "call", toolName: "read", params: { path: "package.json" } };
  }
  const content = agentsFile(files, scriptsOf(textOf("read") ?? ""));
  return { kind: "call", toolName: "write", params: { path: FILE, content } };
}

function agentsFile(files: readonly string[], scripts: Readonly<Record<string, string>>): string {
  const shown = files.slice(0, MOST_FILES).map((file) => `- \`${file}\``);
  const more = files.length > MOST_FILES ? [`- and ${files.length - MOST_FILES} more`] : [];
  const commands = Object.entries(scripts).map(
    ([name, command]) => `- \`npm run ${name}\` runs \`${command}\``,
  );
  return [
    "# Instructions for agents",
    "",
    "The demo model wrote this from the names of the files. Add what an agent cannot see: conventions, and what it must not do.",
    "",
    "## Files",
    "",
    ...(shown.length === 0 ? ["The folder is empty."] : [...shown, ...more]),
    ...(commands.length === 0 ? [] : ["", "## Commands", "", ...commands]),
    "",
  ].join("\n");
}

/** Returns the scripts of a package.json; none when it is not one. */
function scriptsOf(text: string): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(text);
    const scripts =
      typeof value === "object" && value !== null && "scripts" in value ? value.scripts : undefined;
    if (typeof scripts !== "object" || scripts === null) return {};
    return Object.fromEntries(
      Object.entries(scripts).filter(([, command]) => typeof command === "string"),
    );
  } catch {
    return {};
  }
}
