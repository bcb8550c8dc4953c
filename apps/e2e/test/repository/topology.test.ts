import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

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
const GROUND = ["foundation", "plugin-sdk", "hook-runner", "tool-policy", "safety", "protocol"];
const FIRST = [...GROUND, "models", "store", "plugin-runtime"];
const SECOND = [...FIRST, "approval-broker", "core-tools"];
const ARROWS: Record<string, readonly string[]> = {
  "packages/foundation": [],
  "packages/protocol": [],
  "packages/hook-runner": ["foundation"],
  "packages/tool-policy": ["foundation"],
  "packages/safety": ["foundation"],
  "packages/plugin-sdk": ["foundation"],
  "packages/client": ["foundation", "protocol"],
  "packages/models": ["foundation", "plugin-sdk"],
  "packages/store": ["foundation", "plugin-sdk"],
  "packages/plugin-runtime": ["foundation", "plugin-sdk", "hook-runner", "safety"],
  "packages/approval-broker": ["foundation", "plugin-sdk", "safety", "store"],
  "packages/core-tools": ["foundation", "plugin-sdk", "safety", "store"],
  "packages/agent": SECOND,
  "packages/messaging": [...SECOND, "agent"],
  "packages/server": [
    "foundation",
    "plugin-sdk",
    "plugin-runtime",
    "store",
    "protocol",
    "messaging",
  ],
  // The client is used by its tests.
  "packages/gateway": [...SECOND, "agent", "messaging", "server", "client"],
  "packages/plugin-testkit": [...SECOND, "agent", "messaging", "gateway"],
  "packages/create-openclaw-plugin": ["foundation"],
  "apps/gateway": [
    "foundation",
    "gateway",
    "messaging",
    "protocol",
    "client",
    "plugin-sdk",
    "plugin-testkit",
    "create-openclaw-plugin",
    "approvals",
    "channel-guidance",
    "openai",
    "openai-compatible",
    "anthropic",
  ],
};

/** The parts of the SDK, each an entry point under both of its names (SDK-001). */
const SDK_PARTS = [
  "plugin-entry",
  "tool-plugin",
  "hooks",
  "lifecycle",
  "tools",
  "tool-results",
  "param-readers",
  "config-schema",
  "channel-core",
  "provider-entry",
  "approvals",
  "sessions",
  "services",
  "store",
  "http",
  "errors",
  "manifest",
];

/** What plugins of an older vintage import besides, under the host's name alone (SDK-003). */
const OLDER_PARTS = [
  "account-id",
  "approval-runtime",
  "channel-config-schema",
  "core",
  "diagnostic-runtime",
  "error-runtime",
  "hook-runtime",
  "infra-runtime",
  "keyed-async-queue",
  "logging-core",
  "plugin-runtime",
  "runtime-env",
  "runtime-store",
  "state-paths",
  "string-coerce-runtime",
  "temp-path",
  "testing",
  "tool-payload",
];

/** The entry points that users of a published package may import. */
const ENTRY_POINTS: Record<string, readonly string[]> = {
  "@openclaw/agent": ["."],
  "@openclaw/anthropic": [".", "./package.json"],
  "@openclaw/approvals": [".", "./command-judge", "./package.json"],
  "@openclaw/channel-guidance": [".", "./package.json"],
  "@openclaw/approval-broker": ["."],
  "@openclaw/client": ["."],
  "@openclaw/core-tools": ["."],
  "@openclaw/messaging": ["."],
  "@openclaw/protocol": ["."],
  "@openclaw/server": ["."],
  "@openclaw/gateway": [".", "./upkeep"],
  "@openclaw/hook-runner": ["."],
  "@openclaw/models": ["."],
  "@openclaw/openai": [".", "./package.json"],
  "@openclaw/openai-compatible": [".", "./package.json"],
  "@openclaw/plugin-runtime": ["."],
  "@openclaw/plugin-sdk": [".", ...SDK_PARTS.map((part) => `./${part}`), "./manifest.schema.json"],
  "@openclaw/plugin-testkit": ["."],
  "@openclaw/safety": ["."],
  "@openclaw/store": [".", "./decisions", "./errors", "./upkeep"],
  "@openclaw/tool-policy": ["."],
  "create-openclaw-plugin": ["."],
  openclaw: [
    "./plugin-sdk",
    ...[...SDK_PARTS, ...OLDER_PARTS].map((part) => `./plugin-sdk/${part}`),
  ],
};

describe("the topology of the house", () => {
  it("[SDK-007] pins the published packages and their entry points", () => {
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

  it("[SDK-032] lets extensions import the SDK alone, and the test kit in their tests", () => {
    for (const { dir } of packages.filter((one) => one.dir.startsWith("extensions/"))) {
      const files = globSync(`${dir}/{src,test,bench}/**/*.{ts,mjs}`, { cwd: root });
      expect(files.length, dir).toBeGreaterThan(1);
      for (const file of files) {
        for (const specifier of importsOf(file).filter(isOurs)) expectArrow(dir, specifier, file);
      }
    }
    const outside = () => expectArrow("extensions/x", "@openclaw/gateway", "extensions/x/src/a.ts");
    const kit = () =>
      expectArrow("extensions/x", "@openclaw/plugin-testkit", "extensions/x/src/a.ts");
    expect(outside).toThrow();
    expect(kit).toThrow();
  });

  it("names no internal package that the arrows do not allow", () => {
    for (const { dir, manifest } of packages) {
      for (const field of ["dependencies", "devDependencies"] as const) {
        const named = Object.keys(manifest[field] ?? {});
        const place = `${dir}/package.json#${field}`;
        for (const name of named.filter(isOurs)) expectArrow(dir, name, place);
      }
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
      const written = !index.startsWith("// Generated");
      if (dir.startsWith("packages/") && written)
        expect(index.split("\n").length, dir).toBeLessThanOrEqual(100);
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

  it("[SDK-001] has every part of the SDK as a list of names, the root as all of them", () => {
    execFileSync(process.execPath, ["scripts/sdk-exports.mjs", "--check"], { cwd: root });
  });
});

function expectArrow(dir: string, specifier: string, file: string): void {
  if (dir === "apps/e2e") return;
  const target = targetOf(specifier);
  if (dir.startsWith("extensions/")) {
    const inTests = file.startsWith(`${dir}/test/`) || file.endsWith("#devDependencies");
    const allowed = inTests ? ["plugin-sdk", "plugin-testkit"] : ["plugin-sdk"];
    expect(allowed, `${file} imports ${specifier}; an extension uses the SDK only`).toContain(
      target,
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
  if (scope === "@openclaw") return name;
  return scope === "openclaw" ? "gateway" : scope;
}

function isOurs(specifier: string): boolean {
  return (
    specifier.startsWith("@openclaw/") ||
    specifier === "openclaw" ||
    specifier === "create-openclaw-plugin" ||
    specifier.startsWith("openclaw/")
  );
}

/** Statements at the margin, and calls on lines on which no text begins before them: code in texts is none. */
const STATEMENT =
  /^(?:import\s*|(?:import|export)\b[^"'`;{]*(?:\{[^}]*\}[^"'`;{]*)?\bfrom\s*)["']([^"']+)["']/gm;
const CALL = /^[^"'`\n]*\b(?:import|require)\(\s*["']([^"']+)["']/gm;

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), "utf8");
  return [...source.matchAll(STATEMENT), ...source.matchAll(CALL)].flatMap(
    ([, specifier]) => specifier ?? [],
  );
}

function withoutSource(target: unknown): unknown {
  if (typeof target !== "object" || target === null) return target;
  const { "openclaw-source": _source, ...rest } = target as Record<string, unknown>;
  return rest;
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest;
}
