import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { PLUGIN_API_VERSION } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const runner = fileURLToPath(new URL("../../src/run-api-version.mjs", import.meta.url));
const folder = fileURLToPath(new URL("../../api-versions", import.meta.url));
const versions = readdirSync(folder);
const tsc = join(root, "node_modules/.bin/tsc");

/** Behaviour of the plugins of all API versions, unchanged in this version. */
const expected = {
  toolNames: ["greet"],
  hookNames: ["before_tool_call", "after_tool_call"],
  serviceIds: ["fixture-service"],
  commandNames: ["fixture"],
  said: ["Good day, Ada! (1)", "Good day, Ada! (2)", expect.stringContaining("nobody is there")],
  problems: [],
  logs: ["started", "greet ended with ok", "greet ended with ok", "stopped"],
};

describe("plugins of every plugin API version", () => {
  it("[SDK-020] have a version independent of the host's, and the host reports the versions that it supports", async () => {
    expect(PLUGIN_API_VERSION).toMatch(/^1\.\d+\.\d+$/);
    const { version } = JSON.parse(readFileSync(join(root, "apps/gateway/package.json"), "utf8"));
    expect(version).not.toBe(PLUGIN_API_VERSION);
    using project = temporaryFolder("api-version");
    const asking = (pluginApi: string) => {
      project.write({
        "openclaw.plugin.json": JSON.stringify({
          id: "asking",
          entry: "index.mjs",
          compat: { pluginApi },
        }),
        "index.mjs": "export function register() {}",
      });
      return createTestHost({ plugin: project.path });
    };
    await expect(asking("^2.0.0")).rejects.toThrow(
      `requires plugin API ^2.0.0, and this host is ${PLUGIN_API_VERSION}`,
    );
    await using host = await asking(`^${PLUGIN_API_VERSION}`);
    expect(host.plugin).toMatchObject({ id: "asking", status: "loaded" });
  });

  it("exist for the present version", () => {
    expect(versions).toContain(PLUGIN_API_VERSION);
  });

  it.each(versions.flatMap((version) => ["source", "built"].map((form) => [version, form])))(
    "[SDK-023] keep the behaviour of %s as %s",
    (version = "", form = "") => {
      const plugin = join(folder, version, form);
      const { stdout, stderr } = spawnSync(process.execPath, [runner, plugin], {
        encoding: "utf8",
      });
      expect(stdout, stderr).not.toBe("");
      expect(JSON.parse(stdout)).toEqual(expected);
    },
  );

  it.each(versions)(
    "[SDK-023] compile %s against the present types, with the recorded output",
    (version) => {
      using project = temporaryFolder("api-version");
      cpSync(join(folder, version, "source/index.ts"), join(project.path, "index.ts"));
      mkdirSync(join(project.path, "node_modules/@openclaw"), { recursive: true });
      symlinkSync(
        join(root, "packages/plugin-sdk"),
        join(project.path, "node_modules/@openclaw/plugin-sdk"),
      );
      symlinkSync(join(root, "node_modules/@types"), join(project.path, "node_modules/@types"));
      const compilerOptions = {
        target: "ES2023",
        module: "NodeNext",
        strict: true,
        skipLibCheck: true,
        types: ["node"],
      };
      project.write({
        "package.json": JSON.stringify({ type: "module" }),
        "tsconfig.json": JSON.stringify({ compilerOptions, include: ["index.ts"] }),
      });
      execFileSync(tsc, [], { cwd: project.path });
      const built = readFileSync(join(folder, version, "built/index.js"), "utf8");
      expect(readFileSync(join(project.path, "index.js"), "utf8")).toBe(built);
    },
  );
});
