import { parseCommand } from "@openclaw/plugin-testkit";
import { afterAll, describe, expect, it } from "vitest";
import { createCommandEvaluator } from "../src/command-evaluator.js";
import { isReader } from "../src/contained/readers.js";
import { evaluationPlace } from "./support/evaluation.js";
import { READING_COMMANDS } from "./support/reading-commands.js";

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());

async function evaluate(command: string) {
  const evaluator = createCommandEvaluator({}, SYSTEM_PATH);
  const { workspaceDir } = place;
  return await evaluator.evaluate(await parseCommand(command), { workspaceDir });
}

describe("a command that only reads", () => {
  it("[APPR-261] needs approval in at most 5 % of an everyday list where a read-only sandbox is active", async () => {
    expect(READING_COMMANDS.length).toBeGreaterThanOrEqual(200);
    const asked: string[] = [];
    for (const command of READING_COMMANDS) {
      const { decision, contained } = await evaluate(command);
      if (decision !== "run" && contained === undefined) asked.push(command);
    }
    expect(asked.length / READING_COMMANDS.length, asked.join("\n")).toBeLessThanOrEqual(0.05);
  });

  it.each([
    "cat /etc/passwd",
    "cat /etc/hos[t]s /etc/hosts",
    "cat ~/.ssh/id_rsa",
    "ls ~",
    "cat .env",
    "awk 1 .env",
    "cat ../outside/secret.txt *",
    "grep -r x --file=/etc/hosts *",
    "awk 1 </etc/hosts",
    "ls *.md > made",
    "ls * &",
    "sed -i s/a/b/ *.md",
    "sed -ni p *.md",
    "sort -oout *.md",
    "find . -name '*.md' -delete",
    "find . -name '*.md' -exec touch {} +",
    "ls * | xargs rm",
    "tail -f *.md",
    "npm run build *",
    "npm test",
    "npx tsc *",
    "node script.js *",
    "python3 script.py",
    "node -e \"require('fs').writeFileSync('x', '')\"",
    "python3 -c \"open('x', 'w')\"",
    "python3 -c 'import urllib.request'  && python3 -c 'import urllib.request as r; r.urlopen(1)'",
    "curl https://example.com *",
    "bash src/a.sh *",
    "./bin/ls *",
    "bin/ls *",
    "f() { ls; }; f *",
    "sudo ls *",
    "ssh host ls *",
    "docker run x *",
    "git commit -m x *",
    "git show HEAD:.env | awk 1",
    "git log -p .env | awk 1",
    "echo $(git show HEAD:.env)",
    "ls * | xargs git show",
    "bash -c 'git show HEAD:.env'",
    "env GIT_DIR=x git status *",
    "date -s 2020-01-01",
    "tee out < README.md",
    "yes *",
    "sleep 1000",
    "cat /dev/zero | head -c 5 *",
  ])("[APPR-261] needs approval beyond that: %s", async (command) => {
    expect(await evaluate(command)).not.toMatchObject({ decision: "run" });
    expect((await evaluate(command)).contained).toBeUndefined();
  });

  it("[APPR-261] runs without a shell where it is literal, with the restrictions of the table of git", async () => {
    const { contained } = await evaluate("git grep -n foo | awk '{ print $1 }'");
    const programs = contained?.command?.pipelines.flatMap(({ programs }) => programs) ?? [];
    expect(programs.map(({ program }) => program.split("/").at(-1))).toEqual(["git", "awk"]);
    expect(programs[0]).toMatchObject({ repository: { workTree: place.workspaceDir } });
    expect(programs[0]?.arguments).toContain(":(top,exclude,icase,glob)**/.env");
    const shell = await evaluate("for f in *.md; do head -1 $f; done");
    expect(shell.contained).toEqual({ reason: expect.any(String) });
  });

  it("recognises programs that only print their version", () => {
    expect(isReader("anything", ["--version"])).toBe(true);
    expect(isReader("rm", ["-v"])).toBe(false);
    expect(isReader("anything", ["--version", "x"])).toBe(false);
  });
});
