import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { evaluationPlace } from "./support/evaluation.js";

const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());
const { workspaceDir } = place;
for (const folder of ["templates/.github/workflows", "docs"]) {
  mkdirSync(join(workspaceDir, folder), { recursive: true });
}
for (const file of ["AGENTS.md", "templates/.github/workflows/ci.yml"]) {
  writeFileSync(join(workspaceDir, file), "text\n");
}
symlinkSync("AGENTS.md", join(workspaceDir, "link"));
const ALLOWING = {
  rules: ["touch", "tee", "ln", "sed", "perl", "dd", "git", "tar", "env"].map((program) => ({
    prefix: [program] as const,
    decision: "allow" as const,
    note: "allowed here",
    match: [program],
  })),
};

describe("command that writes a followed file", () => {
  it.each([
    ["touch AGENTS.md", "followed:AGENTS.md"],
    ["tee link", "followed:AGENTS.md"],
    ["ln -s x .git/hooks/pre-commit", "followed:.git/"],
    ["sed -i s/a/b/ A*.md", "followed:AGENTS.md"],
    ["dd if=README.md of=.ENVRC", "followed:.envrc"],
    ["cd .git && touch config", "followed:.git/"],
    ["git config core.fsmonitor ./x", "followed:.git/"],
    ["cp -r templates/. .", "followed:.github/workflows/"],
    ["npm config set a b", "followed:.npmrc"],
    ["anything --out=.mcp.json", "followed:.mcp.json"],
    ["find . -name '*.md' -delete", "followed:AGENTS.md"],
    ["npx --yes husky@9 init", "followed:.husky/"],
    ["mktemp -p .git/hooks", "followed:.git/"],
    ["sqlite3 x.db '.output .envrc' 'select 1'", "followed:.envrc"],
    ["cp --parents .git/config sub", "followed:.git/"],
  ])(
    "[APPR-280] needs approval each time, also where a rule or a setting allows its program: %s",
    async (command, rule) => {
      for (const config of [ALLOWING, { security: "full" as const }]) {
        const verdict = await place.evaluate(command, config);
        expect(verdict).toMatchObject({ decision: "ask-each-time", isDoubt: false });
        expect(verdict.grantable).toBeUndefined();
        expect(verdict.commands.map((found) => found.rule)).toContain(rule);
        expect(verdict.reason).toContain("a file that programs follow");
      }
    },
  );

  it.each([
    "tar -xf a.tgz",
    "git checkout main",
    "git stash pop",
    "touch $NAME",
    'cd "$FOLDER" && touch a',
    "env -C sub touch a",
    "cp $FILE docs",
    "mkdir $FOLDER",
  ])("[APPR-600] is doubtful where the files are known only when it runs: %s", async (command) => {
    const verdict = await place.evaluate(command, ALLOWING);
    expect(verdict).toMatchObject({ decision: "ask-each-time", isDoubt: true });
    expect(verdict.commands.map((found) => found.rule)).toContain("doubt:written-files");
  });

  it.each(["touch a.txt", "tee docs/notes.md", "sed -i s/a/b/ src/*.ts", "dd if=a of=b"])(
    "[APPR-600] leaves other files to rules and grants: %s",
    async (command) => {
      const { decision, commands } = await place.evaluate(command, ALLOWING);
      expect(decision).not.toMatch(/each-time|critical/);
      expect(commands.every(({ rule }) => !/followed|doubt/.test(rule))).toBe(true);
    },
  );
});
