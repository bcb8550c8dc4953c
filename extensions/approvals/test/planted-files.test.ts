import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LiteralCommand } from "@openclaw/plugin-sdk/hooks";
import { parseCommand } from "@openclaw/plugin-testkit";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createCommandEvaluator } from "../src/command-evaluator.js";
import { evaluationPlace } from "./support/evaluation.js";
import { fuzzedCases, generatedTimeout } from "./support/generated-cases.js";

const SHORT_RUNS = 400;
const BUBBLEWRAP = "/usr/bin/bwrap";
/** True when bubblewrap may be missing; in CI it must be installed. */
const IS_OPTIONAL = process.env.CI === undefined && !existsSync(BUBBLEWRAP);
const PATH = process.env.PATH ?? "";
const MARKER = "planted-7b1f";

const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());
const root = dirname(place.workspaceDir);
for (const file of [
  "outside/secret.txt",
  "outside/deep/more.txt",
  "workspace/.env",
  "workspace/src/.env.local",
  "workspace/.git/config",
  "workspace/.ssh/id_rsa",
  "workspace/certs/server.key",
]) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), `${MARKER}\n`);
}

/** Returns every path below the root with its content, so that any change is visible. */
function snapshot(folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return [path, ...snapshot(path)];
    return [entry.isFile() ? `${path} ${statSync(path).mode} ${readFileSync(path, "utf8")}` : path];
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns the programs that the host would start, as shell text that changes none of their words.
 */
function textOf({ pipelines }: LiteralCommand): string {
  const texts = pipelines.map(({ after, programs }, index) => {
    const text = programs.map(({ program, arguments: words }) =>
      [program, ...words].map(quoted).join(" "),
    );
    return `${index === 0 ? "" : ` ${after} `}${text.join(" | ")}`;
  });
  return texts.join("");
}

/** Runs a command where it can write the planted files, and nothing else of the machine. */
function outputOf(command: LiteralCommand): string {
  const words = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev"];
  const end = [root, root, "--chdir", place.workspaceDir, "--", "/bin/bash", "--norc", "-c"];
  const { error, stdout, stderr } = spawnSync(
    BUBBLEWRAP,
    [...words, "--bind", ...end, textOf(command)],
    {
      env: { PATH, HOME: "/nonexistent", LANG: "C.UTF-8" },
      timeout: 10_000,
      encoding: "utf8",
    },
  );
  if (error !== undefined) return "";
  expect(stderr).not.toContain("bwrap:");
  return stdout + stderr;
}

const PROGRAMS =
  "cat ls head tail wc nl tac cut sort uniq comm cmp diff sha256sum grep rg tree du stat realpath readlink test find sed echo printf tr seq cd".split(
    " ",
  );
const WORDS = [
  ...`. .. / - -- src src/a.ts src/link.txt src/out src/out/more.txt README.md .env src/.env.local .git .git/config .ssh certs certs/server.key ../outside/secret.txt ${root}/outside/secret.txt -r -R -n -a -L -H -f -l -u -c -w -o --files-from --from-file -f.env -exec -delete -fprint -newer -name -print -path '*' . 1 1p 'w x' 'r .env' '1,3p' e -e -i --output --output=x -omade -T --include='*' -uuu --hidden --no-ignore --pre cat --follow -type f 2>&1 >/dev/null </dev/null`.split(
    / (?!x'|\.env')/,
  ),
  "''",
];
const simple = fc
  .tuple(fc.constantFrom(...PROGRAMS), fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }))
  .map(([program, words]) => [program, ...words].join(" "));
const command = fc
  .tuple(simple, fc.constantFrom(" | ", " && ", " ; ", ""), simple)
  .map(([first, joint, second]) => (joint === "" ? first : `${first}${joint}${second}`));

describe.skipIf(IS_OPTIONAL || process.platform !== "linux")(
  "command that runs without approval",
  () => {
    it("[APPR-037] allows without approval only commands that read no planted file and write nothing", {
      timeout: generatedTimeout(300_000),
    }, async () => {
      const evaluator = createCommandEvaluator({}, PATH);
      const before = snapshot();
      let ran = 0;
      const property = fc.asyncProperty(command, async (source) => {
        const { workspaceDir } = place;
        const { decision, run } = await evaluator.evaluate(await parseCommand(source), {
          workspaceDir,
        });
        if (decision !== "run" || run === undefined) return;
        ran += 1;
        expect(outputOf(run), source).not.toContain(MARKER);
        expect(snapshot(), source).toEqual(before);
      });
      await fc.assert(property, fuzzedCases(SHORT_RUNS));
      expect(ran).toBeGreaterThan(20);
    });

    it("recognises a command that reads a planted file", () => {
      const read = { program: "/bin/cat", arguments: [".env"], redirections: [] };
      expect(outputOf({ pipelines: [{ after: ";", programs: [read] }] })).toContain(MARKER);
    });
  },
);
