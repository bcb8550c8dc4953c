import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { type ShellFence, shellFences } from "../../src/documentation/shell-fences.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const fences = shellFences(root);

/** Programs that every reader has: the shell, the common ones of POSIX, and what the README asks for. */
const PRESENT = new Set([
  ...["openclaw", "node", "npm", "npx", "git", "curl", "bash", "sh"],
  ...["cat", "cd", "cp", "date", "echo", "export", "head", "ls", "mkdir", "mv", "printf", "rm"],
  ...["sed", "tail", "tee", "test", "true", "alias", "exit", "sleep", "sort", "grep", "wc"],
]);
/** Variables that every shell has. */
const SET = new Set(["HOME", "PWD", "PATH", "USER"]);
/** IDs that only a run of the reader has: codes of requests, UUIDs, IDs of decisions. */
const ID =
  /\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{6,8}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b|\bpd_[0-9a-f]{8,}\b/g;

/** Returns true when the paragraph above a fence says that the reader needs a program. */
function isAskedFor(program: string, { lead }: ShellFence): boolean {
  return new RegExp(
    `\\bneeds?\\b[^.]*\\b${program}\\b|\\b${program}\\b[^.]*\\bneeded\\b`,
    "is",
  ).test(lead);
}

async function programsOf({ commands }: ShellFence): Promise<readonly string[]> {
  const defined = [...commands.matchAll(/^alias (\w+)=/gm)].map(([, name = ""]) => name);
  const parsed = await parseCommand(commands);
  return parsed.commands
    .flatMap(({ program = "(computed)", wrappers }) => [program, ...wrappers])
    .filter((program) => program !== "" && !defined.includes(program));
}

/** Returns commands without their comments, which name forms. */
function withoutComments(commands: string): string {
  return commands.replace(/(^|\s)#[^\n]*/g, "$1");
}

/** Returns what in the commands of each fence has a problem, with the place of the fence. */
async function problems(
  find: (fence: ShellFence) => Promise<readonly string[]> | readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(
    fences.map(async (fence) => (await find(fence)).map((each) => `${fence.place}: ${each}`)),
  );
  return found.flat();
}

describe("commands in the documentation", () => {
  it("are found in pages and READMEs", () => {
    const pages = new Set(fences.map(({ place }) => place.split(":")[0]));
    for (const page of [
      "README.md",
      "docs/rest.md",
      "docs/quick-start.md",
      "extensions/ollama/README.md",
    ]) {
      expect(pages).toContain(page);
    }
    expect(fences.length).toBeGreaterThan(60);
  });

  it("[SDK-800] are commands of a shell", async () => {
    const broken = await problems(({ commands }) => {
      const { status, stderr } = spawnSync("bash", ["-n"], { input: commands, encoding: "utf8" });
      return status === 0 ? [] : [stderr];
    });
    expect(broken).toEqual([]);
  });

  it("[SDK-800] need no program that a reader may lack, unless the sentence above names it", async () => {
    const missing = await problems(async (fence) =>
      (await programsOf(fence)).filter(
        (program) => !PRESENT.has(program) && !isAskedFor(program, fence),
      ),
    );
    expect(missing).toEqual([]);
  });

  it("[SDK-800] use variables that the page names", async () => {
    const unknown = await problems(({ commands: written, above }) => {
      const commands = withoutComments(written);
      return [...commands.replace(/'[^']*'/g, "").matchAll(/\$\{?([A-Za-z_]\w*)/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !SET.has(name) && !new RegExp(`\\b${name}=`).test(commands))
        .filter((name) => !above.includes(`\`${name}\``));
    });
    expect(unknown).toEqual([]);
  });

  it("[SDK-800] have IDs that a command named above shows, and no placeholders", async () => {
    const unknown = await problems(({ commands: written, above }) => {
      const commands = withoutComments(written);
      const shown = `${above}\n${commands}`.replaceAll(/\s+/g, " ");
      const isExplained = /\bopenclaw (?:[\w-]+ list|trace)\b/.test(shown);
      const ids = isExplained ? [] : [...commands.matchAll(ID)].map(([id]) => id);
      const placeholders = [...commands.matchAll(/<[a-z][\w -]*>|\bYOUR_\w+|\bxxx+\b/gi)];
      return [...ids, ...placeholders.map(([placeholder]) => placeholder)];
    });
    expect(unknown).toEqual([]);
  });
});
