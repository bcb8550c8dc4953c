import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseCommand } from "@openclaw/plugin-testkit";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createCommandEvaluator } from "../src/command-evaluator.js";
import { evaluationPlace } from "./support/evaluation.js";
import { generatedCases, generatedTimeout } from "./support/generated-cases.js";

const PATH = process.env.PATH ?? "";
const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());
const made = join(place.workspaceDir, "made");

/**
 * Words that contain code; if one is interpreted as arithmetic, a pattern or code, it creates a
 * file.
 */
const WORDS = [
  ...`README.md src $x "$x" -n -v 0 1 * made $? \${x} \${x:=made} \${x@P} \${!x} \${x[0]} $((x)) $[x] $(ls) a=1 --output=made -omade -w`.split(
    " ",
  ),
  "'a[$(touch made)]'",
  "'$(touch made)'",
  "'; touch made'",
  '"a[\\$(touch made)]"',
];
const COMMANDS = [
  ..."echo W|ls W|cat README.md W|printf W W|printf '%d' W|test W W|test W -eq 0|[ W W ]|[[ W -eq 0 ]]|x=W|x=W y=W|export x=W|declare -i x=W|let W|(( W ))|read x <<< W|: W|true W|sort README.md W|uniq README.md W|wc -l W|head W README.md|sed W README.md|sed -n W README.md|awk W README.md|find . W W|grep W README.md|git status W|date W|tr W W|seq W|cut W README.md|tail W README.md|basename W|unset W|a[W]=1|cd W|ls > W|cat < W|trap W EXIT|alias ls=W|eval W|touch made".split(
    "|",
  ),
];

const word = fc.constantFrom(...WORDS);
const simple = fc
  .tuple(fc.constantFrom(...COMMANDS), word, word)
  .map(([command, ...words]) =>
    words.reduce((text, next) => text.replace("W", () => next), command),
  );
const SHAPES: readonly ((first: string, second: string) => string)[] = [
  (first) => first,
  (first, second) => `${first}; ${second}`,
  (first, second) => `${first} && ${second}`,
  (first, second) => `${first} | ${second}`,
  (first) => `(${first})`,
  (first) => `{ ${first}; }`,
  (first, second) => `if ${first}; then ${second}; fi`,
  (first, second) => `for x in 'a[$(touch made)]'; do ${first}; ${second}; done`,
  (first) => `case $x in *) ${first} ;; esac`,
  (first) => `echo $(${first})`,
  (first) => `cat <<E\n$(${first})\nE`,
  (first, second) => `f() { ${first}; }; ${second}; f`,
  (first) => `bash -c '${first.replaceAll("'", "'\\''")}'`,
  (first, second) => `x='a[$(touch made)]'; ${first}; ${second}`,
];
const { command } = fc.letrec<{ command: string }>((tie) => ({
  command: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    simple,
    fc
      .tuple(fc.constantFrom(...SHAPES), tie("command"), tie("command"))
      .map(([shape, first, second]) => shape(first, second)),
  ),
}));

describe("command that runs without approval", () => {
  it("[APPR-042] allows without approval only commands that change nothing when bash runs them", {
    timeout: generatedTimeout(60_000),
  }, async () => {
    const evaluator = createCommandEvaluator({}, PATH);
    let ran = 0;
    const property = fc.asyncProperty(command, async (source) => {
      const parsed = await parseCommand(source);
      const { workspaceDir } = place;
      if ((await evaluator.evaluate(parsed, { workspaceDir })).decision !== "run") return;
      ran += 1;
      const env = { PATH, HOME: workspaceDir };
      spawnSync("bash", ["--norc", "-c", source], { cwd: workspaceDir, env, timeout: 5_000 });
      const changed = existsSync(made);
      rmSync(made, { force: true });
      expect(changed, source).toBe(false);
    });
    const cases = generatedCases(600);
    await fc.assert(property, cases);
    expect(ran).toBeGreaterThan(cases.numRuns / 60);
  });
});
