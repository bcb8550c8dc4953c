import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ConformanceUnavailableError,
  checkConformance,
  ManifestMissingError,
  PackingError,
  PluginLeftoversError,
  PluginMissingError,
  PluginNotLoadedError,
} from "../src/index.js";

describe("errors", () => {
  it.each([
    [new PluginMissingError("/plugins/a"), "give its folder or its entry file"],
    [new PluginNotLoadedError("a", []), "turned off by the given configuration"],
    [new PluginLeftoversError("a", [{ kind: "a timer", place: "a.ts:1:2" }]), "onDispose"],
    [new PackingError("/plugins/a", new Error("no name")), "npm pack --dry-run"],
    [new ConformanceUnavailableError("/kit/checks.js"), "install it again"],
    [new ManifestMissingError("/plugins/a"), "write openclaw.plugin.json"],
  ])("include the next step and are recognised: $code", (error, step) => {
    expect(error.message).toContain(step);
    expect(OpenClawError.isInstance(error)).toBe(true);
    expect((error.constructor as typeof PluginMissingError).isInstance(error)).toBe(true);
  });

  it("of npm appear in the report of a check", { timeout: 30_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "openclaw-unpackable-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "a"));
    const files = {
      "openclaw.plugin.json": '{ "id": "a", "entry": "index.mjs" }',
      "index.mjs": "export default () => {};",
      "package.json": '{ "name": "a" }',
    };
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, "a", name), content);
    }
    const report = await checkConformance(join(folder, "a"), { checks: ["loads-installed"] });
    expect(report.checks).toMatchObject([
      {
        status: "failed",
        findings: [
          { message: expect.stringMatching(/npm cannot list the files it would pack.*version/is) },
        ],
      },
    ]);
  });
});
