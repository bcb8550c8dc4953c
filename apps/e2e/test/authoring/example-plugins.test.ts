import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const tests = globSync("docs/examples/*/*.test.ts", { cwd: root }).sort();

/** A project of an author, who has installed the host and the test kit. */
function authorsProject(folder: string): TemporaryFolder {
  const project = temporaryFolder("example");
  const installed = {
    openclaw: "apps/gateway",
    "@openclaw/plugin-testkit": "packages/plugin-testkit",
  };
  for (const [name, source] of Object.entries(installed)) {
    const path = join(project.path, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, source), path);
  }
  const files = globSync(`${folder}/*`, { cwd: root });
  const texts = files.map((file) => [basename(file), readFileSync(join(root, file), "utf8")]);
  project.write({
    ...Object.fromEntries(texts),
    "package.json": JSON.stringify({ type: "module" }),
  });
  return project;
}

describe("example plugins", () => {
  it("include guidance and reconsideration", () => {
    expect(tests).toContain("docs/examples/careful-writes/careful-writes.test.ts");
  });

  it.each(tests)("%s passes", (file) => {
    using project = authorsProject(dirname(file));
    const { status, stdout } = spawnSync(process.execPath, ["--test", basename(file)], {
      cwd: project.path,
      encoding: "utf8",
    });
    expect(status, stdout).toBe(0);
  });
});
