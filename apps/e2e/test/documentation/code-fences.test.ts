import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { codeFences } from "../../src/code-fences.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const fences = codeFences(root);

/** A project of a reader, who has installed every published package and what the pages name besides. */
function readersProject(): TemporaryFolder {
  const project = temporaryFolder("fences");
  const install = (name: string, folder: string) => {
    const path = join(project.path, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, folder), path);
  };
  for (const file of globSync("{packages,extensions,apps}/*/package.json", { cwd: root })) {
    const { name } = JSON.parse(readFileSync(join(root, file), "utf8"));
    install(name, dirname(file));
  }
  for (const name of ["@sinclair/typebox", "typebox", "zod"]) {
    install(name, `packages/plugin-sdk/node_modules/${name}`);
  }
  install(
    "@ai-sdk/openai-compatible",
    "extensions/openai-compatible/node_modules/@ai-sdk/openai-compatible",
  );
  for (const name of ["@anthropic-ai/sdk", "openai", "ai", "@ai-sdk/openai", "@langchain/openai"]) {
    install(name, `apps/e2e/node_modules/${name}`);
  }
  for (const name of ["@types/node", "vitest"]) install(name, `node_modules/${name}`);
  project.write(Object.fromEntries(fences.map(({ file, code }) => [file, code])));
  return project;
}

/** Returns the output of a command that should succeed, with the places of the fences. */
function complaints(folder: string, command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  let said = `${stdout}${stderr}`;
  for (const { file, place } of fences) said = said.replaceAll(file, place);
  return status === 0 ? "" : said;
}

describe("code in the documentation", () => {
  it("is found in pages, READMEs and the examples of the SDK", () => {
    const pages = fences.map(({ place }) => place.split(":")[0]);
    expect(pages).toContain("README.md");
    expect(pages).toContain("docs/author/plugins.md");
    expect(pages).toContain("packages/plugin-sdk/src/tools/definition.ts");
  });

  it("[SDK-018] [SDK-036] compiles in a reader's project", () => {
    using project = readersProject();
    const compilerOptions = {
      target: "ES2023",
      module: "NodeNext",
      strict: true,
      verbatimModuleSyntax: true,
      moduleDetection: "force",
      skipLibCheck: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: ["node"],
    };
    project.write({
      "package.json": JSON.stringify({ type: "module" }),
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["**/*.ts"] }),
    });
    expect(complaints(project.path, join(root, "node_modules/.bin/tsc"), [])).toBe("");
  });

  it("[SDK-018] [SDK-036] runs when it is an example of the SDK or marked as runnable", () => {
    using project = readersProject();
    const runnable = fences.filter((fence) => fence.runnable);
    expect(runnable.length).toBeGreaterThan(4);
    const imports = runnable.map(({ file }) => `await import("./${file}");\n`).join("");
    project.write({ "package.json": JSON.stringify({ type: "module" }), "run.mjs": imports });
    expect(complaints(project.path, process.execPath, ["run.mjs"])).toBe("");
  });
});
