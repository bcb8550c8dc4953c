import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestHost, type TestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import plugin from "../src/index.js";
import { AGENT_EFFECT_COMMANDS } from "./support/agent-effects.js";
import { AGENT_READING_COMMANDS } from "./support/agent-readers.js";
import { generatedTimeout } from "./support/generated-cases.js";
import { READING_COMMANDS } from "./support/reading-commands.js";

/** In CI the sandbox must be there; elsewhere a machine may have none. */
const IS_OPTIONAL = process.env.CI === undefined && !existsSync("/usr/bin/bwrap");
const MARKER = "planted-5c0e";
const IS_COMPLETE = process.env.OPENCLAW_FUZZ_MS !== undefined;
const FILES = {
  "README.md": "# text\nfoo:bar\nfirst second third\n",
  "package.json": '{ "name": "x", "version": "1.0.0", "scripts": { "test": "echo 1" } }\n',
  "src/a.ts": "import x;\nexport {};\n",
  "src/deep/b.ts": "export {};\n",
  "src/a.sh": "echo a\n",
  ".env": `TOKEN=${MARKER}\n`,
  "src/server.key": `${MARKER}\n`,
};

async function repositoryHost(): Promise<TestHost> {
  const host = await createTestHost({
    plugin,
    manifest,
    files: FILES,
    answer: () => "deny",
  });
  onTestFinished(() => host.dispose());
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: host.workspaceDir,
      stdio: "ignore",
    });
  git("init", "-q", "-b", "main");
  git("add", "-A", "-f");
  git("commit", "-q", "-m", "one");
  git("commit", "-q", "--allow-empty", "-m", "two");
  return host;
}

async function snapshot({ workspaceDir }: TestHost): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(workspaceDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (path.includes("/.git/")) continue;
    found.push(entry.isFile() ? `${path} ${await readFile(path, "utf8")}` : path);
  }
  return found.sort();
}

/** Commands that look as if they only read; none may change a file, show a private one or reach the network. */
const HOSTILE: readonly string[] = [
  "awk 'BEGIN { system(\"touch made\") }'",
  "awk 'BEGIN { \"touch made\" | getline x }'",
  "awk '{ print > \"made\" }' README.md",
  'awk \'BEGIN { printf "x" | "tee made" }\'',
  "sed -n 'w made' README.md",
  "sed -i s/text/made/ README.md",
  "sed '1e touch made' README.md",
  "find . -fprint made",
  "find . -name README.md -exec sh -c 'touch made' \\;",
  "find . -name '*.md' -exec rm {} +",
  "ls | xargs -I{} sh -c 'touch made'",
  "ls | xargs touch",
  "sort README.md -o made",
  "sort --compress-program='touch made' -S1b README.md",
  "rg --pre 'touch made' foo",
  "rg --hostname-bin 'touch made' foo",
  "jq -n 'input_filename' .env",
  "jq -Rs . .e*",
  "cat .e*",
  "while read -r line; do echo $line; done < <(cat .e*)",
  "while read -r f; do cat $f; done < <(ls -A; find src)",
  "mapfile -t f < <(touch made; ls); cat $f",
  "cat .[e]nv",
  "cat $(echo .env)",
  "cat src/server.k*",
  "for f in .e* src/*.key; do cat $f; done",
  "grep -r planted .",
  "rg -uu --hidden planted",
  "find . -type f -exec cat {} +",
  "find . -type f | xargs cat",
  "tar -cf - . | cat",
  "base64 .e*",
  "awk 1 .e* src/*",
  "head -5 $(ls -A)",
  "cat /proc/*/environ",
  "cat /proc/1/root/etc/passwd",
  "cat ../../../../etc/passwd",
  "awk 1 /etc/passwd",
  'node -p \'require("fs").readdirSync("/etc").length > 50\'',
  'node -p \'require("fs")["write"+"FileSync"]("made","")\'',
  "node -e 'process.binding(\"fs\")' && touch made",
  'python3 -c \'getattr(__import__("os"),"sys"+"tem")("touch made")\'',
  "x='a[$(touch made)]'; echo $((x))",
  "[[ 'a[$(touch made)]' -eq 0 ]]; ls *",
  "test -v 'a[$(touch made)]'; ls *",
  "printf -v 'a[$(touch made)]' x; ls *",
  "echo $(<.env)",
  "read -r line < .e*; echo $line",
  "mapfile -t x < .env; echo ${x[@]}",
  "awk 'BEGIN { system(\"git show HEAD:.env\") }'",
  "awk 'BEGIN { system(\"git cat-file -p HEAD:src/server.key\") }' && git status",
  "echo $(git show HEAD:.env)",
  "git log -p --all",
  "git grep -n planted",
  "git grep -n planted HEAD",
  "git grep --no-index planted",
  "git grep -nO'touch made;:' foo",
  "git show HEAD:.env",
  "git show",
  "git log -p | awk 1",
  "git diff HEAD~1 HEAD~1 | awk 1",
  "strings .git/index | head; zcat .git/objects/*/*",
  'python3 -c \'import zlib,glob; print([zlib.decompress(x.read_bytes()) for x in __import__("pathlib").Path(".git/objects").rglob("*") if x.is_file()])\'',
  'node -p \'require("fs").readFileSync(".e"+"nv","utf8")\'',
  "bash -c 'cat .e*; touch made'",
  "exec 3<>/dev/tcp/127.0.0.1/1; cat <&3",
  "getent hosts example.com; echo x > made",
  "ls > made",
  "ls | tee made",
  "date -s 2020-01-01",
  "hostname x",
  "yes | head -1",
  "tail -f README.md",
  ": > README.md",
  "echo x >> README.md; cat *",
  "set -C; echo x >| README.md",
  "cat <<E > made\nx\nE",
  "trap 'touch made' EXIT; ls *",
  "coproc touch made",
  "alias ls='touch made'; ls *",
  "ls() { touch made; }; ls *",
  "env -S 'touch made'",
  "env BASH_ENV=./src/a.sh bash -c 'ls *'",
  "PATH=./src:$PATH ls *",
  "git -c core.fsmonitor='touch made' status",
  "git config core.fsmonitor 'touch made'",
  "git config --get --global x --unset y",
];

/** Programs that a machine may have outside the folders that the sandbox shows. */
const INSTALLED = /\b(?:cargo|gcc|go|node|npm|pnpm|python3)\b/;
/** The tool limits how often it is called in a minute. */
const MOST_CALLS = 50;

/** Calls the tool with each command, in as many workspaces as its limit needs, and returns what it answered. */
async function run(commands: readonly string[]) {
  const results: { command: string; text: string; asked: number; changed: boolean }[] = [];
  let host: TestHost | undefined;
  let before: readonly string[] = [];
  for (const [index, command] of commands.entries()) {
    if (host === undefined || index % MOST_CALLS === 0) {
      host = await repositoryHost();
      before = await snapshot(host);
    }
    const asked = host.questions.length;
    const { text } = await host.callTool("exec", { command });
    const changed = JSON.stringify(await snapshot(host)) !== JSON.stringify(before);
    results.push({ command, text, asked: host.questions.length - asked, changed });
  }
  return results;
}

describe.skipIf(IS_OPTIONAL || process.platform !== "linux")(
  "a command in the read-only sandbox",
  () => {
    it("[APPR-261] runs without approval when it only reads the workspace", {
      timeout: generatedTimeout(300_000),
    }, async () => {
      const commands = READING_COMMANDS.filter(
        (command, index) => (IS_COMPLETE || index % 9 === 0) && !INSTALLED.test(command),
      );
      const results = await run(commands);
      const asked = results.filter((result) => result.asked > 0).map(({ command }) => command);
      expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(commands.length * 0.05);
      for (const { command, text, changed } of results) {
        expect({ command, changed }).toEqual({ command, changed: false });
        expect([command, text]).not.toEqual([command, expect.stringContaining(MARKER)]);
      }
    });

    it("[APPR-261] neither changes a file nor shows a private one, whatever it runs", {
      timeout: 300_000,
    }, async () => {
      const results = await run(HOSTILE);
      for (const { command, text, changed } of results) {
        expect({ command, changed }).toEqual({ command, changed: false });
        expect([command, text]).not.toEqual([command, expect.stringContaining(MARKER)]);
        expect([command, text]).not.toEqual([command, expect.stringContaining("daemon:")]);
      }
    });

    it("[APPR-895] does both for the commands of other agents", { timeout: 300_000 }, async () => {
      const reading = AGENT_READING_COMMANDS.filter(
        (command, index) =>
          (IS_COMPLETE || index % 12 === 0 || /<\(/.test(command)) && !INSTALLED.test(command),
      );
      const effects = AGENT_EFFECT_COMMANDS.filter((_, index) => IS_COMPLETE || index % 6 === 0);
      const read = await run(reading);
      const asked = read.filter((result) => result.asked > 0).map(({ command }) => command);
      expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(reading.length * 0.05);
      for (const { command, text, changed } of [...read, ...(await run(effects))]) {
        expect({ command, changed }).toEqual({ command, changed: false });
        expect([command, text]).not.toEqual([command, expect.stringContaining(MARKER)]);
      }
    });
  },
);
