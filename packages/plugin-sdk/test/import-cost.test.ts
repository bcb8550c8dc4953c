import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

const root = join(import.meta.dirname, "..");

/** Modules loaded and resources opened by the import of a module in a separate process. */
interface Imported {
  /** URLs of the modules, including Node's own modules. */
  readonly modules: readonly string[];
  /** Resources of the event loop that were begun: timers, files, sockets. */
  readonly started: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function importing(file: string): Imported {
  const script = join(import.meta.dirname, "support/imported-modules.mjs");
  return JSON.parse(execFileSync(process.execPath, [script, file], { encoding: "utf8" }));
}

interface Manifest {
  exports: Record<string, string | { default: string }>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries = Object.values(manifest.exports).flatMap((target) =>
  typeof target === "string" ? [] : [target.default],
);

describe("importing the built SDK", () => {
  it.each(entries)(
    "[SDK-004] %s loads nothing of Node but paths and addresses, and starts nothing",
    (entry) => {
      const { modules, started, before, after } = importing(join(root, entry));
      expect(existsSync(join(root, entry))).toBe(true);
      const foreign = modules.filter((url) => !url.startsWith("file:"));
      expect(foreign.filter((url) => !/^node:(path|url)$/.test(url))).toEqual([]);
      expect(started).toEqual([]);
      expect(after).toEqual(before);
    },
  );

  it("[SDK-004] loads at most ten modules for a plugin's entry", () => {
    const { modules } = importing(join(root, "dist/plugin-entry.js"));
    expect(modules.length).toBeLessThanOrEqual(10);
  });

  it("[SDK-005] loads no module of another package", () => {
    expect(manifest.dependencies ?? {}).toEqual({});
    const peers = ["@sinclair/typebox", "typebox"];
    expect(Object.keys(manifest.peerDependencies ?? {}).toSorted()).toEqual(peers);
    for (const peer of peers) expect(manifest.peerDependenciesMeta?.[peer]?.optional).toBe(true);
    const { modules } = importing(join(root, "dist/index.js"));
    expect(modules.filter((url) => url.includes("/node_modules/"))).toEqual([]);
  });

  it("detects loaded modules, open resources and timers", () => {
    const folder = mkdtempSync(join(tmpdir(), "openclaw-sdk-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "guilty.mjs");
    writeFileSync(
      file,
      'import { open } from "node:fs";\nopen("/", () => {}); setTimeout(() => {}, 1);',
    );
    const { modules, started, after } = importing(file);
    expect(modules).toContain("node:fs");
    expect(started).toContain("Timeout");
    expect(after).toContain("Timeout");
  });
});
