import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseCommandIn } from "@openclaw/plugin-testkit";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createCommandEvaluator } from "../src/command-evaluator.js";
import { evaluationPlace } from "./support/evaluation.js";
import { generatedCases, generatedTimeout } from "./support/generated-cases.js";

const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());
const { workspaceDir } = place;
for (const link of ["src/link.txt", "src/out"]) rmSync(join(workspaceDir, link));
writeFileSync(join(workspaceDir, "src/README.md"), "text\n");
const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
execFileSync("git", ["add", "README.md", "src/README.md", "src/a.ts"], { cwd: workspaceDir, env });
for (const name of ["cp", "mv", "split", "truncate", "xxd"]) {
  writeFileSync(join(place.bin, name), "#!/bin/sh\n", { mode: 0o755 });
}
const evaluator = createCommandEvaluator({}, place.bin);

async function decisionOf(command: string): Promise<string> {
  const parsed = await parseCommandIn(workspaceDir, command);
  return (await evaluator.evaluate(parsed, { workspaceDir })).decision;
}

const READERS = ["cat", "head -1", "wc -l", "grep -n text", "basename", "echo", "stat -c %s"];
const WRITERS = [
  ..."rm|rm -f|touch|tee|tee -a|sed -i s/a/b/|sort -o made|uniq README.md|mv -t src|cp -t src|ln -s -t src|chmod +x|truncate -s 0|sh|bash -c|sh -c|python3|node|dd of=made|git rm|git add|xxd -r README.md|split|env touch|timeout 5 rm|find -delete -o -name|awk -i inplace 1|perl -pi -e 1".split(
    "|",
  ),
];

/** Places in a command to which the names of tracked files come. */
const POSITIONS: readonly ((program: string) => string)[] = [
  (program) => `git ls-files | xargs -n 1 ${program}`,
  (program) => `git ls-files | xargs -I{} ${program} {}`,
  (program) => `git ls-files -z | xargs -0 -n2 ${program}`,
  (program) => `git ls-files -z '*.ts' | xargs -0 -I% ${program} %`,
  (program) => `git ls-files src | xargs -L 1 ${program}`,
  (program) => `git ls-files | sort | xargs -r ${program}`,
  (program) => `${program} $(git ls-files)`,
  (program) => `${program} $(git ls-files '*.ts' | head -1)`,
  (program) => `for f in $(git ls-files); do ${program} "$f"; done`,
  (program) => `for f in $(git ls-files '*.md'); do echo "$f" | xargs ${program}; done`,
  (program) => `git ls-files | while read -r f; do ${program} "$f"; done`,
  (program) => `f=$(git ls-files README.md); ${program} "$f"`,
  (program) => `for f in a b; do git ls-files | xargs -I{} ${program} {}; done`,
  (program) => `if git ls-files | xargs -n 1 ${program}; then echo yes; fi`,
];
/** Commands of two parts. */
const SHAPES: readonly ((one: string, other: string) => string)[] = [
  (_, other) => other,
  (one, other) => `${one}; ${other}`,
  (one, other) => `${one} && ${other}`,
  (one, other) => `${other}; ${one}`,
  (one, other) => `${one} | head -1; ${other}`,
  (one, other) => `for x in $(git ls-files src); do ${one}; ${other}; done`,
  (one, other) => `(${one}); { ${other}; }`,
  (_, other) => `cd src && ${other}`,
];

describe("a command with the names of tracked files", () => {
  it("[APPR-620] runs without approval in each position when its program only reads", async () => {
    const asked: string[] = [];
    for (const position of POSITIONS) {
      const command = position("basename");
      if ((await decisionOf(command)) !== "run") asked.push(command);
    }
    expect(asked).toEqual([]);
  });

  it("[APPR-620] needs approval in each position when a program writes", {
    timeout: generatedTimeout(20_000),
  }, async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...READERS),
      fc.constantFrom(...WRITERS),
      fc.constantFrom(...POSITIONS),
      fc.constantFrom(...POSITIONS),
      fc.constantFrom(...SHAPES),
      async (reader, writer, one, other, shape) => {
        const command = shape(one(reader), other(writer));
        expect(await decisionOf(command), command).not.toBe("run");
      },
    );
    await fc.assert(property, { seed: 20_261_129, ...generatedCases(15) });
  });
});
