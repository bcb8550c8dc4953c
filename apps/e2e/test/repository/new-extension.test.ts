import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importsOf } from "../../src/repository/imports.js";
import { LINKED_PACKAGES_CONFIGURATION } from "../../src/vitest-configuration.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const DEPENDENCIES = ["plugin-sdk", "plugin-testkit"];
/** Copying the repository and creating extensions takes seconds on a busy machine. */
const SLOW_MS = 120_000;
const KINDS = ["tool", "hook", "service"];
let copy: TemporaryFolder;

beforeAll(() => {
  copy = temporaryFolder("new-extension");
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  for (const file of listed.split("\0").filter((name) => name !== "")) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(copy.path, file));
  }
  symlinkSync(join(root, "node_modules"), join(copy.path, "node_modules"));
  for (const kind of KINDS) {
    run("scripts/new.mjs", "extension", `sample-${kind}`, "--template", kind, "--no-install");
    for (const name of DEPENDENCIES) {
      const link = join(copy.path, `extensions/sample-${kind}/node_modules/@openclaw`, name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, "packages", name), link);
    }
  }
}, SLOW_MS);

afterAll(() => copy[Symbol.dispose]());

describe("pnpm new extension", () => {
  it("registers the extension in the workspace", () => {
    const { version } = JSON.parse(read("apps/gateway/package.json"));
    const topics = ["tools", "guard", "operate"];
    for (const [index, kind] of KINDS.entries()) {
      expect(read("tsconfig.json")).toContain(`"path": "extensions/sample-${kind}"`);
      expect(read("docs/project/versioning.md")).toContain(
        `\`@openclaw/sample-${kind}\` | ${version}`,
      );
      expect(read("docs/project/architecture.md")).toContain(`extensions/sample-${kind}`);
      expect(read(`.changeset/new-extension-sample-${kind}.md`)).toMatch(
        new RegExp(`sample-${kind}": minor\\n---\\n\\n${topics[index]}: Sample ${kind} is`),
      );
    }
  });

  it("writes a package like those of the other extensions", () => {
    const model = JSON.parse(read("extensions/openai/package.json"));
    for (const kind of KINDS) {
      const manifest = JSON.parse(read(`extensions/sample-${kind}/package.json`));
      expect(Object.keys(manifest)).toEqual(Object.keys(model));
      expect(manifest).toMatchObject({ exports: model.exports, engines: model.engines });
      const specifiers = importsOf(read(`extensions/sample-${kind}/src/index.ts`));
      expect(specifiers.every((name) => name.startsWith("@openclaw/plugin-sdk/"))).toBe(true);
    }
  });

  it("writes code that passes lint, types and its own tests", () => {
    run("node_modules/@biomejs/biome/bin/biome", "check", "extensions", "tsconfig.json");
    const folders = KINDS.map((kind) => `extensions/sample-${kind}`);
    // Built packages need only their declarations read, whereas every source file would be checked again.
    const types = {
      extends: "./tsconfig.check.json",
      compilerOptions: { customConditions: [] },
      include: folders,
    };
    copy.write({ "tsconfig.samples.json": JSON.stringify(types) });
    run("node_modules/typescript/bin/tsc", "-p", "tsconfig.samples.json");
    copy.write({ "vitest.samples.config.mjs": LINKED_PACKAGES_CONFIGURATION });
    vitest("run", "--config", "vitest.samples.config.mjs", ...folders);
  });

  it("writes tests that belong to the extensions project", () => {
    const listed = vitest("list", "--filesOnly", "--project", "extensions");
    for (const kind of KINDS) {
      expect(listed).toContain(`[extensions] extensions/sample-${kind}/test/plugin.test.ts\n`);
    }
  });

  it("rejects an existing name or one that is not in kebab case, and changes nothing", () => {
    const before = read("tsconfig.json");
    const create = (name: string) => () => run("scripts/new.mjs", "extension", name);
    expect(create("openai")).toThrow("extensions/openai exists");
    expect(create("Sample Tool")).toThrow("is not lower-case words joined by hyphens");
    expect(read("tsconfig.json")).toBe(before);
  });
});

function vitest(...args: string[]): string {
  return run("node_modules/vitest/vitest.mjs", ...args);
}

function run(script: string, ...args: string[]): string {
  return execFileSync(process.execPath, [join(copy.path, script), ...args], {
    cwd: copy.path,
    encoding: "utf8",
    stdio: "pipe",
  });
}

function read(file: string): string {
  return readFileSync(join(copy.path, file), "utf8");
}
