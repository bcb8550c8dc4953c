import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

interface Manifest {
  name: string;
  private?: boolean;
  engines?: { node?: string };
  exports?: Record<string, unknown>;
  publishConfig?: { exports?: Record<string, unknown> };
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

interface Package {
  dir: string;
  manifest: Manifest;
}

const packages: Package[] = globSync("{packages,extensions,apps}/*/package.json", { cwd: root })
  .map((file) => ({ dir: dirname(file), manifest: readManifest(file) }))
  .sort((a, b) => (a.dir < b.dir ? -1 : 1));

/** Which packages of the house a package may import, in code, types and tests alike. */
const ARROWS: Record<string, readonly string[]> = {
  "packages/hook-runner": [],
  "packages/tool-policy": [],
  "packages/plugin-sdk": [],
  "packages/client": [],
  "packages/plugin-runtime": ["plugin-sdk", "hook-runner"],
  "packages/store": ["plugin-sdk"],
  "packages/models": ["plugin-sdk"],
  "packages/agent": [
    "plugin-sdk",
    "plugin-runtime",
    "hook-runner",
    "tool-policy",
    "models",
    "store",
  ],
  "packages/gateway": [
    "plugin-sdk",
    "plugin-runtime",
    "hook-runner",
    "tool-policy",
    "models",
    "store",
    "agent",
    "client",
  ],
  "apps/gateway": [
    "gateway",
    "client",
    "plugin-sdk",
    "channel-guidance",
    "openai",
    "openai-compatible",
    "anthropic",
  ],
};

/** The entry points that users of a published package may import. */
const ENTRY_POINTS: Record<string, readonly string[]> = {
  "@openclaw/agent": ["."],
  "@openclaw/anthropic": [".", "./package.json"],
  "@openclaw/channel-guidance": [".", "./package.json"],
  "@openclaw/client": [".", "./wire"],
  "@openclaw/gateway": ["."],
  "@openclaw/hook-runner": ["."],
  "@openclaw/models": ["."],
  "@openclaw/openai": [".", "./package.json"],
  "@openclaw/openai-compatible": [".", "./package.json"],
  "@openclaw/plugin-runtime": ["."],
  "@openclaw/plugin-sdk": [
    ".",
    "./plugin-entry",
    "./hooks",
    "./lifecycle",
    "./tools",
    "./tool-results",
    "./provider-entry",
    "./errors",
    "./manifest",
  ],
  "@openclaw/store": ["."],
  "@openclaw/tool-policy": ["."],
  openclaw: [
    "./plugin-sdk",
    "./plugin-sdk/plugin-entry",
    "./plugin-sdk/hooks",
    "./plugin-sdk/lifecycle",
    "./plugin-sdk/tools",
    "./plugin-sdk/tool-results",
    "./plugin-sdk/provider-entry",
    "./plugin-sdk/errors",
    "./plugin-sdk/manifest",
  ],
};

describe("the topology of the house", () => {
  it("pins the published packages and their entry points", () => {
    const published = packages.filter(({ manifest }) => manifest.private !== true);
    const found = published.map(({ manifest }) => [
      manifest.name,
      Object.keys(manifest.exports ?? {}),
    ]);
    expect(Object.fromEntries(found)).toEqual(ENTRY_POINTS);
  });

  it("publishes the same entry points that the workspace uses, without the source condition", () => {
    for (const { manifest } of packages.filter(({ manifest }) => manifest.private !== true)) {
      const workspace = Object.entries(manifest.exports ?? {});
      const published = workspace.map(([path, target]) => [path, withoutSource(target)]);
      expect(manifest.publishConfig?.exports, manifest.name).toEqual(Object.fromEntries(published));
    }
  });

  it("names no internal package that the arrows do not allow", () => {
    for (const { dir, manifest } of packages) {
      const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
      for (const name of named.filter(isOurs)) expectArrow(dir, name, `${dir}/package.json`);
    }
  });

  it("imports along the arrows only, in sources, tests and benchmarks", () => {
    for (const { dir } of packages) {
      for (const file of globSync(`${dir}/{src,test,bench}/**/*.{ts,mjs}`, { cwd: root })) {
        if (file.includes("/test/cases/")) continue;
        for (const specifier of importsOf(file)) {
          if (isOurs(specifier)) expectArrow(dir, specifier, file);
        }
      }
    }
  });

  it("gives every package the same rooms", () => {
    for (const { dir, manifest } of packages) {
      expect(existsSync(join(root, dir, "README.md")), `${dir}/README.md`).toBe(true);
      if (manifest.private === true || dir === "apps/gateway") continue;
      const index = readFileSync(join(root, dir, "src/index.ts"), "utf8");
      if (dir.startsWith("packages/"))
        expect(index.split("\n").length, dir).toBeLessThanOrEqual(90);
      expect(manifest.engines?.node, dir).toBe("^22.22.2 || ^24.15.0 || >=26");
    }
  });

  it("exports by name and keeps no drawers", () => {
    const drawers = /^(utils?|helpers?|common|shared|misc|types)$/;
    for (const file of globSync("{packages,extensions,apps}/*/src/**/*.ts", { cwd: root })) {
      expect(readFileSync(join(root, file), "utf8"), file).not.toMatch(/^export \*/m);
      expect(basename(file, ".ts"), file).not.toMatch(drawers);
      expect(basename(file), file).toMatch(/^[a-z0-9-]+\.ts$/);
    }
  });

  it("keeps openclaw/plugin-sdk equal to @openclaw/plugin-sdk", () => {
    execFileSync(process.execPath, ["scripts/sdk-exports.mjs", "--check"], { cwd: root });
  });
});

function expectArrow(dir: string, specifier: string, file: string): void {
  if (dir === "apps/e2e") return;
  const target = targetOf(specifier);
  if (dir.startsWith("extensions/")) {
    expect(target, `${file} imports ${specifier}; an extension uses the SDK only`).toBe(
      "plugin-sdk",
    );
    return;
  }
  const own = dir.slice(dir.indexOf("/") + 1);
  if (target === own) return;
  expect(ARROWS[dir], `${file} imports ${specifier}`).toContain(target);
}

/** Folder name of the package that a specifier of ours points into. */
function targetOf(specifier: string): string {
  const [scope = "", name = ""] = specifier.split("/");
  return scope === "@openclaw" ? name : "gateway";
}

function isOurs(specifier: string): boolean {
  return (
    specifier.startsWith("@openclaw/") ||
    specifier === "openclaw" ||
    specifier.startsWith("openclaw/")
  );
}

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), "utf8");
  const pattern = /(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*["']([^"']+)["']/g;
  return [...source.matchAll(pattern)].flatMap(([, specifier]) => specifier ?? []);
}

function withoutSource(target: unknown): unknown {
  if (typeof target !== "object" || target === null) return target;
  const { "openclaw-source": _source, ...rest } = target as Record<string, unknown>;
  return rest;
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest;
}
