import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { workspacePackages } from "../../src/repository/workspace-package.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const published = workspacePackages(root).filter(({ manifest }) => manifest.private !== true);

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
  "outbound-webhook",
  "http",
  "errors",
  "manifest",
];

/** Entry points that only plugins written for older hosts import, under the host's name (SDK-003). */
const OLDER_PARTS = [
  "account-id",
  "approval-runtime",
  "channel-config-schema",
  "core",
  "diagnostic-flags",
  "diagnostic-runtime",
  "error-runtime",
  "extension-shared",
  "gateway-runtime",
  "hook-runtime",
  "infra-runtime",
  "keyed-async-queue",
  "lazy-runtime",
  "logging-core",
  "plugin-runtime",
  "provider-http",
  "provider-web-search",
  "provider-web-search-config-contract",
  "runtime-env",
  "runtime-store",
  "secret-input",
  "secret-ref-runtime",
  "ssrf-runtime",
  "state-paths",
  "string-coerce-runtime",
  "temp-path",
  "testing",
  "tool-payload",
];

/** Entry points of every published package. */
const ENTRY_POINTS: Record<string, readonly string[]> = {
  "@openclaw/agent": ["."],
  "@openclaw/approvals": [".", "./command-evaluator", "./package.json"],
  "@openclaw/approval-broker": ["."],
  "@openclaw/client": ["."],
  "@openclaw/core-tools": ["."],
  "@openclaw/embeddings-en": ["."],
  "@openclaw/messaging": ["."],
  "@openclaw/protocol": [".", "./openai", "./registry"],
  "@openclaw/server": ["."],
  "@openclaw/gateway": [".", "./configuration", "./upkeep"],
  "@openclaw/hook-runner": ["."],
  "@openclaw/models": ["."],
  "@openclaw/plugin-runtime": ["."],
  "@openclaw/plugin-sdk": [".", ...SDK_PARTS.map((part) => `./${part}`), "./manifest.schema.json"],
  "@openclaw/plugin-testkit": [".", "./model-providers"],
  "@openclaw/safety": ["."],
  "@openclaw/store": [".", "./decisions", "./errors", "./upkeep"],
  "@openclaw/tool-policy": ["."],
  "create-openclaw-plugin": ["."],
  openclaw: [
    "./plugin-sdk",
    ...[...SDK_PARTS, ...OLDER_PARTS].map((part) => `./plugin-sdk/${part}`),
  ],
};

/** Entry points of an extension that `ENTRY_POINTS` does not name. */
const EXTENSION_ENTRY_POINTS = [".", "./package.json"];

describe("entry points of published packages", () => {
  it("[SDK-007] are pinned", () => {
    for (const { dir, manifest } of published) {
      const fallback = dir.startsWith("extensions/") ? EXTENSION_ENTRY_POINTS : undefined;
      const expected = ENTRY_POINTS[manifest.name] ?? fallback;
      expect(Object.keys(manifest.exports ?? {}), manifest.name).toEqual(expected);
    }
    const names = published.map(({ manifest }) => manifest.name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(ENTRY_POINTS)));
  });

  it("are the same in the workspace and in the registry, without the source condition", () => {
    for (const { manifest } of published) {
      const workspace = Object.entries(manifest.exports ?? {});
      const expected = workspace.map(([path, target]) => [path, withoutSource(target)]);
      expect(manifest.publishConfig?.exports, manifest.name).toEqual(Object.fromEntries(expected));
    }
  });

  it("[SDK-001] list every name of the SDK, also at the root of the host's spelling", () => {
    execFileSync(process.execPath, ["scripts/sdk-exports.mjs", "--check"], { cwd: root });
  });
});

function withoutSource(target: unknown): unknown {
  if (typeof target !== "object" || target === null) return target;
  const entries = Object.entries(target).filter(([condition]) => condition !== "openclaw-source");
  return Object.fromEntries(entries);
}
