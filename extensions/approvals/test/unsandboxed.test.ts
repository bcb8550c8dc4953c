import { execFileSync } from "node:child_process";
import { readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestHost, parseCommandIn } from "@openclaw/plugin-testkit";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import { createCommandEvaluator } from "../src/command-evaluator.js";
import plugin from "../src/index.js";
import { evaluationPlace } from "./support/evaluation.js";
import { EVERYDAY_COMMANDS } from "./support/everyday-commands.js";
import { generatedTimeout } from "./support/generated-cases.js";
import { HOSTILE_COMMANDS } from "./support/hostile-commands.js";
import { READING_COMMANDS } from "./support/reading-commands.js";
import { SESSION_READERS } from "./support/session-readers.js";
import { SHARED_SESSION_READERS } from "./support/shared-sessions.js";
import { SHARED_SESSION_HOSTILE } from "./support/shared-sessions-hostile.js";

const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";
const TIMEOUT = { timeout: generatedTimeout(180_000) };
const hostilePlace = evaluationPlace();
afterAll(() => hostilePlace[Symbol.dispose]());

/** Returns the commands that need approval where no sandbox is active. */
async function asking(
  commands: readonly string[],
  { workspaceDir, bin }: Pick<typeof hostilePlace, "workspaceDir" | "bin">,
): Promise<string[]> {
  const evaluator = createCommandEvaluator({}, `${SYSTEM_PATH}:${bin}`);
  const asked: string[] = [];
  for (const command of commands) {
    const parsed = await parseCommandIn(workspaceDir, command);
    const { decision } = await evaluator.evaluate(parsed, { workspaceDir });
    if (decision !== "run") asked.push(command);
  }
  return asked;
}

describe("a command where no sandbox is active", () => {
  it(
    "[APPR-620] runs without approval when it only reads, for at least 95 % of an everyday list",
    TIMEOUT,
    async () => {
      const place = evaluationPlace();
      onTestFinished(() => place[Symbol.dispose]());
      // A project has no links that lead out of it.
      for (const link of ["src/link.txt", "src/out"]) await rm(join(place.workspaceDir, link));
      const commands = [...new Set([...READING_COMMANDS, ...EVERYDAY_COMMANDS])];
      expect(commands.length).toBeGreaterThanOrEqual(500);
      const asked = await asking(commands, place);
      expect(asked.length / commands.length, asked.join("\n")).toBeLessThanOrEqual(0.05);
    },
  );

  it(
    "[APPR-504] runs without approval for at least 95 % of the commands of sessions with Python, Perl and Ruby",
    TIMEOUT,
    async () => {
      const place = evaluationPlace();
      onTestFinished(() => place[Symbol.dispose]());
      for (const link of ["src/link.txt", "src/out"]) await rm(join(place.workspaceDir, link));
      const asked = await asking(SESSION_READERS, place);
      expect(SESSION_READERS).toHaveLength(90);
      // 42 asked before the readers of these languages.
      expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(3);
    },
  );

  it("[APPR-507] runs without approval for at least 95 % of a list of sessions, apart from services", async () => {
    const place = evaluationPlace();
    onTestFinished(() => place[Symbol.dispose]());
    for (const link of ["src/link.txt", "src/out", ".git"]) {
      await rm(join(place.workspaceDir, link), { recursive: true });
    }
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: place.workspaceDir });
    execFileSync("git", ["add", "src", "*.md", "*.json"], { cwd: place.workspaceDir });
    // They ask a service in the network, or show what containers contain.
    const isService = (command: string) =>
      /^(?:gh |docker (?:logs|compose) |kubectl (?!config ))/.test(command);
    const local = SHARED_SESSION_READERS.filter((command) => !isService(command));
    const asked = await asking(local, place);
    expect(local.length).toBeGreaterThanOrEqual(100);
    expect(asked.length / local.length, asked.join("\n")).toBeLessThanOrEqual(0.05);
  });

  it("[APPR-507] needs approval for each command of a hostile list of such sessions", async () => {
    expect(SHARED_SESSION_HOSTILE.length).toBeGreaterThanOrEqual(100);
    const asked = await asking(SHARED_SESSION_HOSTILE, hostilePlace);
    expect(SHARED_SESSION_HOSTILE.filter((command) => !asked.includes(command))).toEqual([]);
  });

  it("[APPR-620] needs approval for each command of a hostile list", TIMEOUT, async () => {
    expect(HOSTILE_COMMANDS.length).toBeGreaterThanOrEqual(500);
    const asked = await asking(HOSTILE_COMMANDS, hostilePlace);
    expect(HOSTILE_COMMANDS.filter((command) => !asked.includes(command))).toEqual([]);
  });

  it.each([
    [
      "a statement of awk that goes on after a comma",
      "awk '{ print $1,\n$2 > \"made\" }' README.md",
    ],
    [
      "a regular expression of awk with a quote",
      'awk \'{ print /"/; x | "sh"; y = 1 /"/ }\' README.md',
    ],
    ["a condition of awk before a quote", 'awk \'{ if (1) /"/; x | "sh" /"/ }\' README.md'],
    ["a pattern of awk on a line of its own", 'awk \'x\n/"/ { print | "sh" /"/ }\' README.md'],
    ["a module that node would run instead of a file", "node -p \"require('./none.json')\""],
    ["a folder that node would run", "node -p \"require('./src/../src.json')\""],
    ["a block of sed", "sed -n '/a/{p;e id\n}' README.md"],
    ["output of a private file that becomes a word", 'for w in $(cat .env); do echo "$w"; done'],
    ["lines of a private file", 'while read -r l; do echo "$l"; done < .env'],
    [
      "words of a loop that are known late",
      "for w in $(awk '{print $1}' README.md); do echo \"$w\"; done",
    ],
    [
      "a choice by a word that is known late",
      'case "$(git rev-parse HEAD)" in a*) echo a;; *) echo b;; esac',
    ],
    ["a computed file name", "cat $(ls -d .e*)"],
    ["a computed option", "rg $(echo --pre=sh) foo"],
    ["an option among the names of files", "printf -- '--pre=sh\\n' | xargs rg foo"],
    ["output that is known late as a file", 'cat "$(git rev-parse HEAD)"'],
    ["private characters of the host", "echo \uE0000\uE001"],
  ])("[APPR-620] needs approval for %s", async (_, command) => {
    expect(await asking([command], hostilePlace)).toEqual([command]);
  });
});

const FILES = {
  "README.md": "# title\nfoo:bar\nfirst second third\n",
  "package.json": '{ "name": "x", "version": "1.0.0", "scripts": { "test": "echo 1" } }\n',
  "src/a.ts": "import x;\nfoo();\nexport {};\n",
  "src/deep/b.ts": "export {};\n",
  "notes with space.md": "space\n",
  ".env": "TOKEN=planted-5c0e\n",
};
/** Commands whose output a shell and the host must agree about. */
const SAME_OUTPUT: readonly string[] = String.raw`
wc -l *.md
for f in *.md src/*.ts; do echo "== $f"; head -1 "$f"; done
for f in src/*.ts; do echo $f; done | sort -r | head -1
find . -name '*.ts' | sort | xargs grep -c export
find src -name '*.ts' -exec head -1 {} \; | sort
ls src | xargs -I{} echo "<{}>"
echo "count: $(grep -c foo src/a.ts) of $(wc -l < src/a.ts)"
x=$(head -1 README.md); echo "$x" $x
for f in $(echo src/a.ts,README.md | tr , ' '); do head -1 $f; done
sed -n "$(grep -n foo README.md | cut -d: -f1)p" README.md
echo $(grep -n foo README.md src/a.ts | wc -l) $(echo a:b:c | cut -d ':' -f 3)
for n in $(grep -vn nothing README.md | cut -d: -f1 | tr -d ,); do echo "$n"; done
echo $(git rev-parse --is-inside-work-tree; echo b)
grep -q nothing README.md; echo "exit: $?"
if grep -q foo README.md; then echo yes; else echo no; fi
if ! grep -q nothing README.md; then echo missing; fi
[ -d src ] && { ls src; pwd | wc -l; } || echo none
[[ -f none || "$HOME" == /nowhere* ]] || echo neither
(cd src && ls) && ls
{ echo b; echo a; } | sort
while read -r line; do echo "[$line]"; done < README.md
while IFS=: read -r a b; do echo "[$a|$b]"; done < README.md
while read -r a b c; do echo "[$a|$b|$c]"; done < README.md
tail -2 README.md | while IFS=':' read -r a b; do echo "<$b>"; done
IFS=: read -r a b < README.md; echo "$a-$b"
IFS=, read -r a b <<< 'x,y,z'; echo "$a-$b"
xargs -a src/a.ts -n 2 echo
cd src && for f in *.ts; do head -1 $f; done
cd src && diff <(sort a.ts) <(sort deep/b.ts)
cd src && git ls-files | xargs -n 1 basename
cat README.md | while IFS= read -r l; do echo "$l" | wc -c; done
cat <<'E' | tr a-z A-Z
sed -n "${"$"}{x:-2}p" README.md
f=src/a.ts; echo "${"$"}{f%.ts} ${"$"}{f##*/} ${"$"}{#f} ${"$"}{f/a/b}"
echo {a,b}{1..2} "*" * \*
echo $((2 * (3 + 4))) "$((1 > 2))"
case src/a.ts in *.md) echo md ;; *.ts) echo ts ;; esac
LC_ALL=C sort README.md package.json
sh -c 'cd src; ls *.ts'
set -e; ls src; grep nothing README.md; echo unreachable
echo one; false && echo two || echo three
! grep -q foo README.md || echo found
printf '%s\n' *.md "a b" | sort
diff <(sort README.md) <(sort package.json)
cat <(ls src) - <(echo end) < README.md
comm -12 <(ls src | sort) <(ls src/deep | sort)
while read -r f; do echo "<$f>"; done < <(find src -name '*.ts' | sort)
pushd src >/dev/null; ls; popd >/dev/null; ls
pushd src/deep && pwd | wc -l && popd
cd src && cd - >/dev/null && ls
git ls-files | xargs wc -l
for f in $(git ls-files '*.ts'); do head -1 "$f"; done
git ls-files | xargs -n 1 basename
git ls-files -z '*.md' | xargs -0 -I{} echo "<{}>"
wc -l $(git ls-files '*.ts' package.json)
git ls-files src | while read -r f; do echo "[$f]"; done
git ls-files -z '*.ts' | xargs -0 grep -n x | sort
git ls-files '*.none' | xargs -r cat
git ls-files '*.none' | xargs wc -l
grep -rl foo src | xargs head -1 | tail -1
grep -rl nothing src | xargs grep -c x; echo "exit: $?"
find . -name '*.ts' -size -1k -exec wc -c {} +
find . -name README.md -size +0c -not -newer README.md -exec wc -l {} +
find src -type f -mtime -2 | sort | xargs cat
diff -r src src/deep
ls missing 2>/dev/null || exit 1
ls src; exit 1
echo "$#"
dirname "$(git ls-files | head -1)/x"
python3 -c "for l in open('README.md'): print(l.strip(), len(l))"
`
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => (line.startsWith("cat <<") ? `${line}\none $HOME\ntwo\nE` : line));

describe.skipIf(process.platform !== "linux")("an expanded command", () => {
  it(
    "[APPR-620] prints what a shell would print, without approval and without a sandbox",
    TIMEOUT,
    async () => {
      const host = await createTestHost({
        plugin,
        manifest,
        files: FILES,
        config: { tools: { exec: { sandbox: "off" } } },
        answer: () => "deny",
      });
      onTestFinished(() => host.dispose());
      const { workspaceDir: cwd } = host;
      execFileSync("git", ["init", "-q"], { cwd });
      execFileSync("git", ["add", "README.md", "src", "package.json"], { cwd });
      const before = await filesOf(cwd);
      const env = { ...process.env, LC_ALL: "C", GIT_CEILING_DIRECTORIES: "/" };
      for (const command of SAME_OUTPUT) {
        const { text } = await host.callTool("exec", { command, env: { LC_ALL: "C" } });
        const shell = outputOf(command, cwd, env);
        const printed = text.replace(/\n?\[(?:Exit code|Ended)[^\]]*\]$/, "");
        expect({ command, printed: printed.trimEnd() }).toEqual({
          command,
          printed: shell.trimEnd(),
        });
      }
      expect(host.questions).toEqual([]);
      expect(await filesOf(cwd)).toEqual(before);
    },
  );

  it.each([
    ["that could be an option", "-rf.md"],
    ["that could be a list of words", "@words.txt"],
    ["of a link that leads out", "out.txt"],
  ])("[APPR-940] passes on no name %s", async (_, name) => {
    const host = await createTestHost({
      plugin,
      manifest,
      files: FILES,
      config: { tools: { exec: { sandbox: "off" } } },
      answer: () => "deny",
    });
    onTestFinished(() => host.dispose());
    const { workspaceDir: cwd } = host;
    execFileSync("git", ["init", "-q"], { cwd });
    if (name === "out.txt") await symlink("/etc/hostname", join(cwd, name));
    else await writeFile(join(cwd, name), "planted\n");
    execFileSync("git", ["add", "--", name], { cwd });
    const result = await host.callTool("exec", { command: "git ls-files | xargs cat" });
    expect(result.text).toMatch(/not run to its end: ".*(?:out\.txt|-rf\.md|@words\.txt)"/);
    expect(result.text).not.toContain("planted");
    expect(host.questions).toEqual([]);
  });

  it("[APPR-940] passes on no name of a private file", async () => {
    const host = await createTestHost({
      plugin,
      manifest,
      files: FILES,
      config: { tools: { exec: { sandbox: "off" } } },
      answer: () => "deny",
    });
    onTestFinished(() => host.dispose());
    execFileSync("git", ["init", "-q"], { cwd: host.workspaceDir });
    execFileSync("git", ["add", "-f", "."], { cwd: host.workspaceDir });
    const { text } = await host.callTool("exec", { command: "git ls-files -z | xargs -0 cat" });
    expect(text).toContain("first second third");
    expect(text).not.toContain("planted");
  });
});

function outputOf(command: string, cwd: string, env: NodeJS.ProcessEnv): string {
  return execFileSync("/bin/bash", ["-c", `( ${command}\n) 2>&1; exit 0`], {
    cwd,
    env,
    encoding: "utf8",
  });
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes(".git"));
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return `${path} ${await readFile(path, "utf8")}`;
  });
  return (await Promise.all(texts)).sort();
}
