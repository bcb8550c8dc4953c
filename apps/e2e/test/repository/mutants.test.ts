import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../../..");

it("matches every mutant with its source, tests and requirements", () => {
  const check = ["scripts/mutants.mjs", "--check"];
  const output = execFileSync(process.execPath, check, { cwd: root, encoding: "utf8" });
  expect(output).toMatch(/^\d+ mutants fit the sources\n$/);
});
