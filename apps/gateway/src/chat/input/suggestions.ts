import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ConversationPartner } from "@openclaw/client/conversation";
import type { Suggestion } from "../view.js";

const MOST = 50;
/** Commands that the screen handles, whatever they do on other surfaces. */
const OWN: readonly Suggestion[] = [
  { value: "/init", description: "let the agent propose an AGENTS.md for this folder" },
  { value: "/quit", description: "leave the chat" },
];

/** Sources of suggestions. */
export interface SuggestionSources {
  readonly partner: Pick<ConversationPartner, "call">;
  /** Folder in which paths are completed. */
  readonly workspaceDir: string;
}

/**
 * Returns suggestions for the word before the cursor: commands for `/`, paths for `@`, and paths and names of tools
 * for any other word.
 * @param word - word before the cursor
 * @param isForced - true when the user asked for suggestions of any kind
 * @param sources - gateway and workspace
 * @param line - text before the cursor, whose command may complete its arguments
 */
export async function suggestionsFor(
  word: string,
  isForced: boolean,
  sources: SuggestionSources,
  line = word,
): Promise<readonly Suggestion[]> {
  const [, name, args] = /^\/(\S+)\s+(.*)$/s.exec(line) ?? [];
  if (name !== undefined && args !== undefined) {
    const found = await argumentsOf(name, args, sources);
    if (found.length > 0) return found;
  }
  if (word.startsWith("/")) {
    const found = (await commandsOf(sources)).filter(({ value }) =>
      value.startsWith(word.toLowerCase()),
    );
    if (found.length > 0) return found.slice(0, MOST);
  }
  if (word.startsWith("@")) {
    const paths = await pathsFor(word.slice(1), sources.workspaceDir);
    return paths.map((path) => ({ value: `@${path}` }));
  }
  if (!isForced) return [];
  const paths = await pathsFor(word, sources.workspaceDir);
  const tools = word === "" ? [] : await toolsFor(word, sources);
  return [...tools, ...paths.map((value) => ({ value }))].slice(0, MOST);
}

async function commandsOf({ partner }: SuggestionSources): Promise<readonly Suggestion[]> {
  try {
    const { commands } = await partner.call("commands.list", {});
    const offered = commands.map(({ name, usage, summary }) => ({
      value: `/${name}`,
      description: usage === undefined ? summary : `${usage}  ${summary}`,
    }));
    return [...offered.filter(({ value }) => OWN.every((own) => own.value !== value)), ...OWN];
  } catch {
    // Without a connection there are only the commands of the screen.
    return OWN;
  }
}

async function argumentsOf(
  name: string,
  args: string,
  { partner }: SuggestionSources,
): Promise<readonly Suggestion[]> {
  // Only commands of plugins that have this form complete their arguments.
  if (!name.includes(":")) return [];
  try {
    const { values } = await partner.call("commands.complete", { name, args });
    return values.slice(0, MOST).map((value) => ({ value }));
  } catch {
    // Without a connection there is nothing to complete.
    return [];
  }
}

async function pathsFor(written: string, workspaceDir: string): Promise<readonly string[]> {
  const slash = written.lastIndexOf("/");
  const folder = written.slice(0, slash + 1);
  const start = written.slice(slash + 1);
  const entries = await readdir(folder.startsWith("/") ? folder : join(workspaceDir, folder), {
    withFileTypes: true,
  }).catch(() => []);
  return entries
    .filter(({ name }) => name.startsWith(start) && (start !== "" || !name.startsWith(".")))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .sort()
    .slice(0, MOST);
}

async function toolsFor(
  word: string,
  { partner }: SuggestionSources,
): Promise<readonly Suggestion[]> {
  try {
    const { tools } = await partner.call("tools.catalog", {});
    return tools
      .filter(({ name }) => name.startsWith(word))
      .map(({ name }) => ({ value: name, description: "tool" }));
  } catch {
    // Without a connection there are only the paths.
    return [];
  }
}
