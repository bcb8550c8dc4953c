import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Commands that a page shows. */
export interface ShellFence {
  /** File and line of the fence. */
  readonly place: string;
  /** Commands, without the output that a session shows. */
  readonly commands: string;
  /** Text between the heading or fence before it and the fence, and the fences of the page above it. */
  readonly above: string;
  /** The paragraph directly above. */
  readonly lead: string;
}

const FENCE = /^([ \t]*)```([^\n`]*)\n([\s\S]*?)^\1```/gm;
const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "console", "shell"]);
/** A fence without a language is a shell fence when a line begins with one of these. */
const COMMAND = /^(?:\$ |(?:npx|npm|openclaw|curl|docker|git|node) |bash \S*[./])/m;

/**
 * Returns the commands of the pages and READMEs of the repository.
 * @param root - folder of the repository
 */
export function shellFences(root: string): readonly ShellFence[] {
  const pages = globSync(
    ["*.md", "{docs,deployment}/**/*.md", "{packages,extensions,apps}/*/README.md"],
    { cwd: root, exclude: (name) => name === "node_modules" },
  ).filter((page) => !page.includes("docs/reference/safety"));
  return pages.toSorted().flatMap((page) => fencesOf(page, readFileSync(join(root, page), "utf8")));
}

function fencesOf(page: string, text: string): readonly ShellFence[] {
  return [...text.matchAll(FENCE)].flatMap((match) => {
    const { index, 1: margin = "", 2: about = "", 3: body = "" } = match;
    const [language = ""] = about.trim().split(" ");
    const code = body.replaceAll(new RegExp(`^${margin}`, "gm"), "");
    const isShell = SHELLS.has(language) || (language === "" && COMMAND.test(code));
    if (!isShell) return [];
    const above = text.slice(0, index);
    const lead =
      above
        .trimEnd()
        .split(/\n\s*\n/)
        .at(-1) ?? "";
    const line = above.split("\n").length;
    return [{ place: `${page}:${line}`, commands: commandsOf(code), above, lead }];
  });
}

/** Returns the commands of a session with prompts, or all of a script. */
function commandsOf(code: string): string {
  if (!/^\$ /m.test(code)) return code;
  return code
    .split("\n")
    .flatMap((line) => (line.startsWith("$ ") ? [line.slice(2)] : []))
    .join("\n");
}
