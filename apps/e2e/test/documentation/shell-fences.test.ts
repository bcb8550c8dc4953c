import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { chmodSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { isRunByCi } from "../../src/documentation/ci-steps.js";
import { quickStartCommands } from "../../src/documentation/quick-start.js";
import { type ShellFence, shellFences } from "../../src/documentation/shell-fences.js";
import { BIN } from "../../src/openclaw-process.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const fences = shellFences(root);
/** Commands that CI does not run, each with the reason. */
const listed: readonly { page: string; command: string; reason: string }[] = JSON.parse(
  readFileSync(join(root, "scripts/rehearsal/commands-not-run.json"), "utf8"),
);

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
      "docs/author/rest.md",
      "docs/author/quick-start.md",
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

  it("[SDK-901] run in CI, except for those of a list with reasons that can only shrink", () => {
    const REASONS = ["account", "checkout", "id", "network", "program", "state", "terminal"];
    expect(listed.length).toBeLessThanOrEqual(21);
    for (const { page, command, reason } of listed) {
      expect(REASONS, command).toContain(reason.split(": ")[0]);
      const onPage = fences.filter(({ place }) => place.startsWith(`${page}:`));
      const lines = onPage.flatMap(({ commands }) => commands.split("\n"));
      expect(
        lines.some((line) => line.trim().startsWith(command)),
        `${page}: ${command}`,
      ).toBe(true);
    }
  });

  it("[SDK-951] count as run by another step of CI only where that step runs them", () => {
    const quickStart = quickStartCommands(root, "installed");
    for (const [page, command] of [
      ["README.md", "npx -y pnpm@12.21.0 start"],
      ["README.md", "npx -y pnpm@12.21.0 test"],
      ["docs/project/versioning.md", "npx -y pnpm@12.21.0 api-report"],
      ["docs/author/quick-start.md", "npm init --yes"],
      ["CONTRIBUTING.md", "bash .ci/run"],
    ] as const) {
      expect(isRunByCi(root, page, command, quickStart), command).toBe(true);
    }
    for (const command of ["bench", "release", "test:quick", "release-checks", "openclaw update"]) {
      const line = `npx -y pnpm@12.21.0 ${command}`;
      expect(isRunByCi(root, "CONTRIBUTING.md", line, quickStart), command).toBe(false);
    }
    expect(isRunByCi(root, "README.md", "npm init --yes", quickStart)).toBe(false);
  });

  it.each([
    "docs/operate/guardrails.md",
    "docs/operate/guardrails/audit-logger.md",
    "docs/use/memory.md",
  ])("[SDK-800] of %s run with nothing but these programs", (page) => {
    const { status, stderr } = run(page);
    expect(stderr).not.toContain("command not found");
    expect(status, stderr).toBe(0);
  });

  it.each([
    ["docs/operate/channels/http.md", "SECRET"],
    ["docs/operate/webhooks.md", "DEPLOY_SECRET"],
  ])("[SDK-800] of %s sign a request with Node.js", (page, variable) => {
    const secret = "a secret of more than 24 characters";
    const { status, stdout } = run(page, { [variable]: secret });
    const [, time = ""] = /X-OpenClaw-Timestamp: (\d+)/.exec(stdout) ?? [];
    const [, signature] = /X-OpenClaw-Signature: sha256=(\w+)/.exec(stdout) ?? [];
    const body = stdout.trimEnd().split("\n").at(-1) ?? "";
    expect(status).toBe(0);
    expect(signature).toBe(createHmac("sha256", secret).update(`${time}.${body}`).digest("hex"));
  });
});

/** Runs the first fence of a page with the programs that every reader has; `curl` prints what it would send. */
function run(page: string, variables: Readonly<Record<string, string>> = {}) {
  using folder = temporaryFolder("reader");
  folder.write({
    "home/notes/garden.md": "Tomatoes grow in the south bed.\n",
    "bin/openclaw": `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`,
    "bin/curl": '#!/bin/sh\nprintf "%s\\n" "$@"\n',
  });
  const bin = join(folder.path, "bin");
  for (const program of PRESENT) {
    const known = ["/bin", "/usr/bin"].map((place) => join(place, program)).find(existsSync);
    if (known !== undefined && !existsSync(join(bin, program)))
      symlinkSync(known, join(bin, program));
  }
  if (!existsSync(join(bin, "node"))) symlinkSync(process.execPath, join(bin, "node"));
  for (const shim of ["openclaw", "curl"]) chmodSync(join(bin, shim), 0o755);
  const home = join(folder.path, "home");
  const commands = fences.find(({ place }) => place.startsWith(`${page}:`))?.commands ?? "exit 99";
  return spawnSync("/bin/bash", ["-e"], {
    input: commands,
    encoding: "utf8",
    cwd: home,
    env: { PATH: bin, HOME: home, OPENCLAW_STATE_DIR: join(home, "state"), ...variables },
  });
}
