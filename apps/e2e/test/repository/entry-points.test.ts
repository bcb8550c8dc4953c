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
  "kit",
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

/** Proposals of the SDK, which are not part of its contract (SDK-024). */
const SDK_PROPOSALS = ["isolation-tier"];

/** Entry points that only plugins written for older hosts import, under the host's name (SDK-003). */
const OLDER_PARTS = [
  "account-core",
  "account-helpers",
  "account-id",
  "account-resolution",
  "allow-from",
  "approval-auth-runtime",
  "approval-runtime",
  "browser-support",
  "channel-actions",
  "channel-config-helpers",
  "channel-config-schema",
  "channel-entry-contract",
  "channel-feedback",
  "channel-inbound",
  "channel-ingress-runtime",
  "channel-outbound",
  "channel-pairing",
  "channel-plugin-common",
  "channel-policy",
  "channel-reply-pipeline",
  "channel-runtime",
  "channel-secret-basic-runtime",
  "channel-setup",
  "channel-status",
  "channel-targets",
  "command-auth",
  "core",
  "dangerous-name-runtime",
  "diagnostic-flags",
  "diagnostic-runtime",
  "directory-runtime",
  "error-runtime",
  "expect-runtime",
  "extension-shared",
  "gateway-runtime",
  "hook-runtime",
  "inbound-envelope",
  "infra-runtime",
  "keyed-async-queue",
  "lazy-runtime",
  "llm-task",
  "logging-core",
  "markdown-table-runtime",
  "media-runtime",
  "number-runtime",
  "persistent-dedupe",
  "plugin-config-runtime",
  "plugin-runtime",
  "provider-http",
  "provider-web-search",
  "provider-web-search-config-contract",
  "provider-web-search-contract",
  "reply-history",
  "reply-payload",
  "reply-runtime",
  "routing",
  "run-command",
  "runtime-env",
  "runtime-group-policy",
  "runtime-store",
  "secret-file-runtime",
  "secret-input",
  "secret-ref-runtime",
  "security-runtime",
  "setup",
  "setup-runtime",
  "setup-tools",
  "ssrf-runtime",
  "state-paths",
  "status-helpers",
  "string-coerce-runtime",
  "temp-path",
  "testing",
  "text-chunking",
  "text-runtime",
  "text-utility-runtime",
  "tool-payload",
  "tool-send",
  "webhook-ingress",
  "webhook-request-guards",
  "webhook-targets",
];

/** Entry points of every published package. */
const ENTRY_POINTS: Record<string, readonly string[]> = {
  "@openclaw/agent": ["."],
  "@openclaw/approvals": [".", "./command-evaluator", "./package.json"],
  "@openclaw/approval-broker": ["."],
  "@openclaw/declarative-hooks": [".", "./definitions", "./package.json"],
  "@openclaw/client": [".", "./conversation", "./device-file"],
  "@openclaw/configuration": ["."],
  "@openclaw/control-ui": ["."],
  "@openclaw/core-tools": ["."],
  "@openclaw/embeddings-en": ["."],
  "@openclaw/jobs": [".", "./bridge", "./worker"],
  "@openclaw/messaging": ["."],
  "@openclaw/routines": ["."],
  "@openclaw/protocol": [".", "./anthropic", "./device", "./openai", "./registry"],
  "@openclaw/server": [".", "./mcp"],
  "@openclaw/gateway": [".", "./configuration", "./upkeep"],
  "@openclaw/hook-runner": ["."],
  "@openclaw/models": ["."],
  "@openclaw/older-plugins": [".", "./sdk/*"],
  "@openclaw/platform-fakes": ["."],
  "@openclaw/plugin-discovery": ["."],
  "@openclaw/plugin-install": ["."],
  "@openclaw/plugin-loader": ["."],
  "@openclaw/plugin-runtime": ["."],
  "@openclaw/plugin-sdk": [
    ".",
    ...SDK_PARTS.map((part) => `./${part}`),
    ...SDK_PROPOSALS.map((name) => `./proposals/${name}`),
    "./manifest.schema.json",
  ],
  "@openclaw/plugin-testkit": [".", "./model-providers"],
  "@openclaw/safety": ["."],
  "@openclaw/wasm-host": [".", "./testing"],
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
