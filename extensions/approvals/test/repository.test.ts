import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseCommandIn } from "@openclaw/plugin-testkit";
import { afterAll, expect, it } from "vitest";
import { createCommandEvaluator } from "../src/command-evaluator.js";
import { evaluationPlace } from "./support/evaluation.js";
import { REPOSITORY_READERS } from "./support/repository-readers.js";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
/** Parts of this repository that the commands name. */
const PARTS =
  "package.json README.md CHANGELOG.md tsconfig.base.json pnpm-lock.yaml docs/operate docs/requirements docs/pictures extensions/wasm/package.json scripts/reference.mjs packages/safety/src packages/safety/test/log packages/safety/package.json packages/models/src packages/models/package.json packages/core-tools/src/process/bubblewrap packages/hook-runner/package.json".split(
    " ",
  );
const workspaceDir = realpathSync(mkdtempSync(join(tmpdir(), "repository-")));
afterAll(() => rmSync(workspaceDir, { recursive: true }));
for (const part of PARTS) {
  cpSync(join(REPOSITORY, part), join(workspaceDir, part), { recursive: true });
}
execFileSync("git", ["init", "-q", "-b", "main"], { cwd: workspaceDir });
execFileSync("git", ["add", "-A"], { cwd: workspaceDir });

const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";
const SOCKETS = ["lsof", "netstat", "ss", "hostname", "xargs", "node", "python3", "cat"];

async function asking(commands: readonly string[]): Promise<string[]> {
  using place = evaluationPlace(SOCKETS);
  const evaluator = createCommandEvaluator({}, `${SYSTEM_PATH}:${place.bin}`);
  const asked: string[] = [];
  for (const command of commands) {
    const parsed = await parseCommandIn(workspaceDir, command);
    const { decision } = await evaluator.evaluate(parsed, { workspaceDir });
    if (decision !== "run") asked.push(command);
  }
  return asked;
}

it("[APPR-508] reads a part of this repository without approval in at least 95 % of an untuned list", async () => {
  expect(REPOSITORY_READERS.length).toBeGreaterThanOrEqual(100);
  const asked = await asking(REPOSITORY_READERS);
  expect(asked.length / REPOSITORY_READERS.length, asked.join("\n")).toBeLessThanOrEqual(0.05);
});

it("[APPR-508] shows sockets, and errors in a script of node", async () => {
  const commands = [
    "ss -tlnp state established",
    "ss -lntp sport = :8080",
    "netstat -an",
    "netstat -tlnp | grep 3000",
    "lsof -nP -iTCP -sTCP:LISTEN",
    "lsof -t -i :3000",
    "hostname -I",
    "node --check scripts/reference.mjs",
  ];
  expect(await asking(commands)).toEqual([]);
});

it.each([
  "ss -K dst 1.2.3.4",
  "ss -D made",
  "ss -F README.md",
  "ss -E",
  "netstat -c",
  "lsof -i @example.com",
  "lsof -D b/tmp/x",
  "lsof +r 1 -i",
  "hostname made",
  "git config --list",
  "git config edit",
  "git config --global user.name made",
  "node --check ../made.js",
  "node -c -r ./made.js scripts/reference.mjs",
  "python3 < <(cat README.md)",
  "bash < <(cat README.md)",
  "xargs touch < <(ls)",
])("[APPR-508] needs approval for %s", async (command) => {
  expect(await asking([command])).toEqual([command]);
});
