import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { LiteralCommand } from "@openclaw/plugin-sdk/hooks";
import { parseCommand } from "@openclaw/plugin-testkit";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createCommandEvaluator } from "../src/command-evaluator.js";
import { evaluationPlace } from "./support/evaluation.js";
import { fuzzedCases, generatedTimeout } from "./support/generated-cases.js";

const SHORT_RUNS = 500;

const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());

/** Programs that print their name and words on one line, and do nothing else. */
const spies = join(place.bin, "..", "spies");
const NAMES = ["cat", "ls", "grep", "find", "wc", "head", "sort", "npm", "x"];
mkdirSync(spies);
/** Separator of the words of a line, which no literal word contains. */
const SEPARATOR = "\u001f";
// One write per line, because the programs of a pipe write concurrently.
const script = `#!/bin/sh
line="\${0##*/}"
for word in "$@"; do line="$line${SEPARATOR}$word"; done
printf '%s\\n' "$line" >> "$SPIED"
`;
for (const name of NAMES) {
  writeFileSync(join(spies, name), script);
  chmodSync(join(spies, name), 0o755);
}
const spied = join(place.bin, "..", "spied");

/** Returns the words of every program that a shell starts for a command, sorted. */
function startedBy(shell: string, source: string): string[] | undefined {
  writeFileSync(spied, "");
  const { error } = spawnSync(shell, ["-c", source], {
    cwd: place.workspaceDir,
    env: { PATH: spies, SPIED: spied, HOME: "/nonexistent", LANG: "C.UTF-8" },
    timeout: 10_000,
    stdio: ["ignore", "ignore", "ignore"],
  });
  return error === undefined ? lines() : undefined;
}

function lines(): string[] {
  const text = readFileSync(spied, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .sort();
}

/**
 * Returns the words of the programs that the host would start: all except those after `||`, because
 * spies always succeed.
 */
function startedByHost({ pipelines }: LiteralCommand): string[] {
  return pipelines
    .filter(({ after }) => after !== "||")
    .flatMap(({ programs }) => programs)
    .map(({ program, arguments: words }) => [program, ...words].join(SEPARATOR))
    .sort();
}

/**
 * Returns whether all programs and files exist, because a missing one would fail and change which
 * programs run after it.
 */
function isSpied({ pipelines }: LiteralCommand): boolean {
  const programs = pipelines.flatMap((pipeline) => pipeline.programs);
  return programs.every(
    ({ program, redirections }) =>
      NAMES.includes(program) &&
      redirections.every(({ operator, target }) => operator === ">&" || target === "/dev/null"),
  );
}

const pieces = fc.constantFrom(
  `$${"{x}"}`,
  ...'a b -l -n 1 src README.md x=1 . .. / - -- = : , + @ % ^ ! a.ts * ? [a] {a,b} {x},b} ~ ~root HEAD~1 @~ a=~ a:~/b $x $(x) `x` $\'a\' $"a" # #a \\ \\a \\* \\; \\$ \\\' \' " \'\' "" \'a b\' "a b" \'a\'b "a$x" "\\$x" "\\a" \'é\' é ( ) (x) { } ; & | || && |& ;; < > >> << <<< >& 2>&1 >/dev/null 2>/dev/null </dev/null 2> 1>&2 &>x <(x) >(x) [[ ]] [ ] if then fi do done ! time eval exec'.split(
    " ",
  ),
  "\n",
  "\t",
  "\r",
  "\u00a0",
  "\u200b",
);
const separators = fc.constantFrom(" ", " ", " ", "", "\t");
const literalWords = fc.constantFrom(
  ..."-l -n 5 src README.md 'a b' \"c d\" 'it'\\''s' \"\\$x\" \\* a=b ! '' \"\" -- 2>&1 >/dev/null 2>/dev/null </dev/null".split(
    " ",
  ),
);
const names = fc.constantFrom(...NAMES);
/** Mostly well-formed commands with hostile words in between. */
const command = fc
  .array(
    fc.tuple(
      fc.constantFrom(" | ", " && ", "; ", ";", "|", "&&", " || "),
      names,
      fc.array(
        fc.tuple(
          separators,
          fc.oneof({ weight: 5, arbitrary: literalWords }, { weight: 2, arbitrary: pieces }),
        ),
        {
          maxLength: 5,
        },
      ),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) =>
    parts
      .map(([joint, name, words], index) => {
        const text = words.map(([space, word]) => `${space}${word}`).join("");
        return `${index === 0 ? "" : joint}${name}${text}`;
      })
      .join(""),
  );

describe("command that runs without approval", () => {
  it("[APPR-038] starts the same programs as bash and dash for a literal command", {
    timeout: generatedTimeout(120_000),
  }, async () => {
    const shells = ["/bin/bash", "/bin/dash", "/usr/bin/dash"].filter((shell) => existsSync(shell));
    expect(shells).toContain("/bin/bash");
    let compared = 0;
    const property = fc.asyncProperty(command, async (source) => {
      const { literal } = await parseCommand(source);
      if (literal === undefined || !isSpied(literal)) return;
      for (const shell of new Set(shells)) {
        const started = startedBy(shell, source);
        if (started === undefined) continue;
        expect(started, `${shell}: ${JSON.stringify(source)}`).toEqual(startedByHost(literal));
        compared += 1;
      }
    });
    await fc.assert(property, fuzzedCases(SHORT_RUNS));
    expect(compared).toBeGreaterThan(50);
  });

  it("[APPR-037] runs a listed command with its own words and the options that the host adds", async () => {
    const evaluator = createCommandEvaluator({}, [place.bin].join(delimiter));
    const property = fc.asyncProperty(command, async (source) => {
      const parsed = await parseCommand(source);
      const { run, decision } = await evaluator.evaluate(parsed, {
        workspaceDir: place.workspaceDir,
      });
      if (decision !== "run" || run === undefined || parsed.literal === undefined) return;
      const asked = parsed.literal.pipelines.flatMap(({ programs }) => programs);
      for (const [index, program] of run.pipelines.flatMap(({ programs }) => programs).entries()) {
        const words = asked[index]?.arguments ?? [];
        const added = program.arguments.filter((word) => !words.includes(word));
        for (const word of added)
          expect(word).toMatch(/^--(?:$|exclude|exclude-dir|no-config|iglob)/);
      }
    });
    await fc.assert(property, { numRuns: 500, seed: 20_261_122 });
  });

  it("records the programs that a shell starts", () => {
    expect(startedBy("/bin/bash", "ls 'a b' $((1+1)) | wc")).toEqual([
      ["ls", "a b", "2"].join(SEPARATOR),
      "wc",
    ]);
    rmSync(spied, { force: true });
  });
});
