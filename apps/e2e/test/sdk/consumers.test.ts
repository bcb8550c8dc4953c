import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const { exports } = JSON.parse(
  readFileSync(join(root, "packages/plugin-sdk/package.json"), "utf8"),
);
const specifiers = Object.keys(exports)
  .filter((path) => !path.endsWith(".json"))
  .map((path) => `@openclaw/plugin-sdk${path.slice(1)}`);

/** Uses every entry point, one of its values and one of its types. */
const consumer = [
  ...specifiers.map((specifier, index) => `import * as part${index} from "${specifier}";`),
  'import { defineTool, type ToolDefinition } from "@openclaw/plugin-sdk/tools";',
  `export const parts = [${specifiers.map((_specifier, index) => `part${index}`)}];`,
  "export const tool: ToolDefinition = defineTool({",
  '  name: "a", description: "", parameters: { type: "object" }, execute: () => null });',
  "// @ts-expect-error a tool has a name, so the types are there",
  "export const wrong: ToolDefinition = {};",
].join("\n");

function project(files: Readonly<Record<string, string>>): TemporaryFolder {
  const folder = temporaryFolder("consumer");
  mkdirSync(join(folder.path, "node_modules/@openclaw"), { recursive: true });
  symlinkSync(
    join(root, "packages/plugin-sdk"),
    join(folder.path, "node_modules/@openclaw/plugin-sdk"),
  );
  symlinkSync(join(root, "node_modules/@types"), join(folder.path, "node_modules/@types"));
  folder.write(files);
  return folder;
}

describe("SDK consumer", () => {
  it.each([
    ["nodenext", { module: "NodeNext", moduleResolution: "NodeNext" }],
    ["bundler", { module: "ESNext", moduleResolution: "Bundler" }],
  ])("[SDK-006] finds the types of every entry point under %s", (_name, options) => {
    const compilerOptions = {
      ...options,
      target: "ES2023",
      strict: true,
      noEmit: true,
      types: ["node"],
    };
    using folder = project({
      "package.json": JSON.stringify({ type: "module" }),
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["consumer.ts"] }),
      "consumer.ts": consumer,
    });
    const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), [], {
      cwd: folder.path,
      encoding: "utf8",
    });
    expect(stdout).toBe("");
  });

  it("[SDK-012] adds a hook by declaration merging, without an overload", () => {
    const compilerOptions = {
      target: "ES2023",
      module: "NodeNext",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
    };
    using folder = project({
      "package.json": JSON.stringify({ type: "module" }),
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["host.ts"] }),
      "host.ts": `
        import type { HookContext, HookEvent, HookResult, HooksOfKind } from "@openclaw/plugin-sdk/hooks";
        import type { PhaseHook } from "@openclaw/plugin-sdk/lifecycle";
        import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
        declare module "@openclaw/plugin-sdk/hooks" {
          interface HookMap {
            door_opened: {
              kind: "decide";
              event: { door: string };
              context: { floor: number };
              result: { close?: boolean } | undefined;
            };
          }
        }
        export function register(api: OpenClawPluginApi): void {
          api.on("door_opened", ({ door }, { floor }) => ({ close: door === "cellar" && floor < 0 }));
          // @ts-expect-error the new hook has no such field
          api.on("door_opened", () => ({ shut: true }));
          // @ts-expect-error nobody added this one
          api.on("door_closed", () => {});
        }
        export const floor: HookContext<"door_opened">["floor"] = 1;
        export const door: HookEvent<"door_opened">["door"] = "front";
        export const result: HookResult<"door_opened"> = { close: true };
        export const kind: HooksOfKind<"decide"> = "door_opened";
        export const phase: PhaseHook<"tool.pre"> = "before_tool_call";
      `,
    });
    const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), [], {
      cwd: folder.path,
      encoding: "utf8",
    });
    expect(stdout).toBe("");
    const api = readFileSync(join(root, "packages/plugin-sdk/api/plugin-entry.md"), "utf8");
    expect(api.match(/^ {4}on</gm)).toHaveLength(1);
  });

  it("[SDK-006] requires the same ES modules from CommonJS as it imports", () => {
    using folder = project({
      "package.json": JSON.stringify({ type: "commonjs" }),
      "index.js": `
        const assert = require("node:assert/strict");
        (async () => {
          for (const specifier of ${JSON.stringify(specifiers)}) {
            const required = require(specifier);
            const imported = await import(specifier);
            for (const name of Object.keys(imported)) assert.equal(required[name], imported[name]);
          }
        })();
      `,
    });
    execFileSync(process.execPath, ["index.js"], { cwd: folder.path });
  });
});
