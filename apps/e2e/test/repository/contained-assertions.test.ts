import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const RULE = "scripts/contained-expect.grit";

/** Returns the output of the linter for a statement in a test. */
function lint(statement: string): string {
  using folder = temporaryFolder("lint");
  folder.write({
    "biome.json": JSON.stringify({ plugins: [join(root, RULE)] }),
    "sample.test.ts": `import { api, judging, loaded, runner } from "./host.js";\n${statement}\n`,
  });
  const biome = join(root, "node_modules/.bin/biome");
  const { stdout, stderr } = spawnSync(biome, ["lint"], { cwd: folder.path, encoding: "utf8" });
  return stdout + stderr;
}

describe(`the lint rule ${RULE}`, () => {
  it.each([
    ["a hook handler", `api.on("agent_end", () => { expect(1).toBe(1); });`],
    ["a handler with options", `api.on("agent_end", () => expect.unreachable(), { priority: 1 });`],
    ["a registration", `runner.register({ name: "x", handler: () => expect(1).toBe(1) });`],
    ["a plugin", `await loaded((given) => { expect(given).toBeDefined(); });`],
    ["a method of a plugin", `export default { register(given) { expect(given).toBe(1); } };`],
    ["a guard", `judging([() => expect.unreachable()]);`],
    ["settled work", `await Promise.allSettled([1].map(async () => { expect(1).toBe(1); }));`],
  ])("forbids an assertion in %s when the caller catches its failure", (_where, statement) => {
    expect(lint(statement)).toContain("cannot fail the test");
  });

  it("reports nothing in the repository's tests", () => {
    const { overrides } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
    expect(overrides).toContainEqual({
      includes: expect.arrayContaining(["**/test/**"]),
      plugins: [`./${RULE}`],
    });
  });

  it("allows an assertion after the dispatch, and matcher functions", () => {
    const collected = `const seen = []; api.on("agent_end", (event) => seen.push(event));`;
    expect(lint(`${collected}\nexpect(seen).toEqual([1]);`)).not.toContain("cannot fail");
    expect(lint(`expect(api).toEqual({ handler: expect.any(Function) });`)).not.toContain(
      "cannot fail",
    );
  });
});
