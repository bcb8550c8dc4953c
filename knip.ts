import { existsSync, globSync } from "node:fs";
import { basename } from "node:path";
import type { KnipConfig } from "knip";
import manifest from "./apps/gateway/package.json" with { type: "json" };

/**
 * Packages that plugin authors and other programs build on: each export of their entry points is API, whether this
 * repository uses it or not. An export of any other package must be used by another package of the repository.
 * `scripts/unused-exceptions.mjs` lists the exceptions.
 */
const PUBLIC_PACKAGES = [
  "client",
  "create-openclaw-plugin",
  "embeddings-en",
  "hook-runner",
  "older-plugins",
  "platform-fakes",
  "plugin-sdk",
  "plugin-testkit",
  "safety",
  "tool-policy",
  "wasm-host",
];

/** Files that are loaded by their path: tests, benchmarks, and what child processes and test hosts load. */
const ENTRY = [
  "test/**/*.test.ts",
  "test/**/*.test-d.ts",
  "test/{children,releases}/**/*.mjs",
  "test/support/**/*.{mjs,cjs}",
  "bench/**/*.mjs",
];

/** Plugins, each written as its author would. */
const PLUGINS = ["test/cases/**", "test/plugins/*/**", "templates/**"];

/** Programs that other files start by their path. */
const FURTHER_ENTRIES: Readonly<Record<string, readonly string[]>> = {
  "apps/control-ui": ["src/theme.js", "src/public/push-worker.js"],
  "apps/e2e": ["src/run-*.mjs"],
  "packages/wasm-host": [
    "src/worker/{component,transpile}-worker.ts",
    "src/worker/transpile-wasi.ts",
  ],
};

/** Extensions that the reference host or one of its tests imports; it loads the others by name. */
const IMPORTED: readonly string[] = [
  "@openclaw/approvals",
  "@openclaw/declarative-hooks",
  "@openclaw/http-channel",
];
const bundled = Object.keys(manifest.dependencies).filter(
  (name) => existsSync(`extensions/${basename(name)}`) && !IMPORTED.includes(name),
);

/** Dependencies that are resolved by name when the program runs, not imported. */
const USED_BY_NAME: Readonly<Record<string, string[]>> = {
  "apps/gateway": [
    ...bundled,
    // What the bundled packages load that cannot be bundled itself.
    "@openclaw/embeddings-en",
    "better-sqlite3",
    "jiti",
    "pg",
    "pino",
    "undici",
  ],
  // Imported by its URL, in the process of a run.
  "extensions/lobster": ["@clawdbot/lobster"],
  // `dockerlinter` is run by its path; the parser of PromQL expects the packages of lezer beside it;
  // `axe-core` is read as a file, and run in the page of a browser.
  "apps/e2e": ["dockerlinter", "@lezer/common", "axe-core"],
  // The style sheet of the page imports the files of the fonts.
  "apps/control-ui": ["@fontsource-variable/ibm-plex-sans", "@fontsource/ibm-plex-mono"],
  // Adapters of chat platforms are found by the names of their packages.
  "extensions/chat-bridge": [
    "@chat-adapter/discord",
    "@chat-adapter/slack",
    "@chat-adapter/whatsapp",
  ],
  "packages/hook-runner": ["fastify"],
  // The declarations of its dependencies refer to these types.
  "packages/models": ["@types/json-schema"],
};

export default {
  preprocessor: "./scripts/unused-exceptions.mjs",
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Programs of the operating system that tests and scripts start.
  ignoreBinaries: [
    "bwrap",
    "mkfifo",
    "mount",
    "nsenter",
    "openssl",
    "prlimit",
    "script",
    "umount",
    "unshare",
  ],
  workspaces: {
    ".": {
      // The table of release checks is loaded by its path.
      entry: ["scripts/*.mjs", "scripts/rehearsal/browser.mjs", "scripts/release-checks/table.mjs"],
      project: ["scripts/**/*.mjs"],
      // `check-packages.mjs` starts its program `attw`; `console-seed.mjs` loads the Vite of the console.
      ignoreDependencies: ["@arethetypeswrong/cli", "vite"],
    },
    ...Object.fromEntries(
      globSync("{packages,extensions,apps}/*").map((folder) => [folder, workspace(folder)]),
    ),
  },
} satisfies KnipConfig;

function workspace(folder: string) {
  const name = basename(folder);
  const isInternal = folder.startsWith("packages/") && !PUBLIC_PACKAGES.includes(name);
  return {
    entry: [...ENTRY, ...(FURTHER_ENTRIES[folder] ?? [])].filter((pattern) =>
      finds(folder, pattern),
    ),
    project: ["{src,test,bench,build}/**/*.{ts,tsx,mjs,cjs,js}"],
    ignore: PLUGINS.filter((pattern) => finds(folder, pattern)),
    ignoreDependencies: USED_BY_NAME[folder] ?? [],
    includeEntryExports: isInternal,
  };
}

function finds(folder: string, pattern: string): boolean {
  return globSync(pattern, { cwd: folder }).length > 0;
}
