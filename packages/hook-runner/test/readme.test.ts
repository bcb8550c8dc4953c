import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runSource, SOURCE } from "./support/source-process.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const example = /```ts runnable\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";

describe("README example", () => {
  it("[HOOK-001] defines and runs a foreign map in ten lines", async () => {
    expect(example.trimEnd().split("\n")).toHaveLength(10);
    const script = example.replace('"@openclaw/hook-runner"', JSON.stringify(SOURCE));
    const { status, stdout, stderr } = await runSource(script);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toBe("{ cents: 450 }\n");
  });

  it("[HOOK-001] compiles", { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "hook-runner-readme-"));
    try {
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
      writeFileSync(join(folder, "example.ts"), example);
      const compilerOptions = {
        noEmit: true,
        composite: false,
        declaration: false,
        declarationMap: false,
        emitDeclarationOnly: false,
        typeRoots: [join(root, "node_modules/@types")],
        paths: { "@openclaw/hook-runner": [fileURLToPath(SOURCE)] },
      };
      const config = { extends: join(root, "tsconfig.base.json"), compilerOptions };
      writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({ ...config, files: ["example.ts"] }),
      );
      const tsc = join(root, "node_modules/.bin/tsc");
      expect(execFileSync(tsc, ["-p", folder], { encoding: "utf8" })).toBe("");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
