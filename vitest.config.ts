import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { keepTemporaryFilesInMemory } from "./scripts/memory-folder.mjs";

keepTemporaryFilesInMemory();

const source = {
  resolve: { conditions: ["openclaw-source"] },
  ssr: { resolve: { conditions: ["openclaw-source", "node"] } },
};
// Only what the tests of types use is checked here; `pnpm typecheck` checks every file. They are a project of their own,
// because the check takes ten seconds also when one other file is asked for.
const typecheck = {
  ...{ enabled: true, only: true },
  checker: "tsc" as const,
  tsconfig: "./tsconfig.type-tests.json",
  include: ["packages/*/test/**/*.test-d.ts"],
};

// A test that hangs is to fail, not one on a machine that is busy.
const patient = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  setupFiles: ["scripts/patient-waits.mjs"],
  expect: { poll: { timeout: 20_000 } },
};

// Files that leave nothing behind share what they import, and with it a fifth of the time.
const together = { isolate: false };

// What is measured must not run in code that others have warmed up, nor beside hosts that were abandoned; and what
// changes the language must not run beside other tests.
const APART = [
  "packages/hook-runner/test/**/*.test.ts",
  "packages/*/test/crash.test.ts",
  "packages/gateway/test/host/message-way.test.ts",
  "packages/plugin-{loader,runtime}/test/faults/*.test.ts",
];

// Files, locks and the damage that can be done to them.
const ONE_ENGINE_ONLY = [
  "engine/libsql",
  "engine/sqlite",
  "engine/erased-content",
  "engine/database-file",
  "engine/cut-log",
  "store-file",
  "engine/state-lock",
  "engine/test-server",
  "engine/serialized/write-turns",
  "plugins/stores",
  "crash",
  "upkeep/backup",
  // These need no database at all.
  "upkeep/batch-size",
  "error-message",
  "errors",
  "upkeep/retention-configuration",
  "store-configuration",
  "database/text-column",
].map((name) => `packages/store/test/${name}.test.ts`);

// The language is that of the files; what differs are transactions over HTTP, so what depends on them is enough.
const LIBSQL_SERVER = [
  "database/unit-of-work",
  "jobs/leases",
  "messages/inbox",
  "queues/*",
  "store",
].map((name) => `packages/store/test/${name}.test.ts`);

export default defineConfig({
  test: {
    // Many tests wait for a process or a deadline; meanwhile a worker more uses the processors.
    maxWorkers: availableParallelism() + 1,
    // Every call of a method of the wire, in any test, is checked against its definition. No test touches the
    // keychain of the person who runs it.
    env: { OPENCLAW_TEST_METHODS: "1", OPENCLAW_KEYCHAIN: "off" },
    reporters: ["default", "json"],
    outputFile: { json: "test-results.json" },
    coverage: { provider: "v8", include: ["packages/*/src/**", "extensions/*/src/**"] },
    projects: [
      {
        ...source,
        test: {
          name: "packages",
          include: ["packages/*/test/**/*.test.ts"],
          exclude: ["packages/*/test/**/postgres*.test.ts", ...APART],
          ...patient,
          ...together,
        },
      },
      { ...source, test: { name: "types", include: [], typecheck } },
      { ...source, test: { name: "apart", include: APART, ...patient } },
      // The same tests of the store again, over a server.
      {
        ...source,
        test: {
          name: "postgres",
          include: [
            "packages/store/test/**/*.test.ts",
            "{packages,extensions}/*/test/**/postgres*.test.ts",
          ],
          exclude: ONE_ENGINE_ONLY,
          globalSetup: "packages/store/test/support/postgres-setup.ts",
          ...patient,
          ...together,
        },
      },
      // And over files that libSQL opens, and over a server of libSQL.
      {
        ...source,
        test: {
          name: "libsql",
          include: ["packages/store/test/**/*.test.ts"],
          exclude: [...ONE_ENGINE_ONLY, "packages/store/test/**/postgres*.test.ts"],
          provide: { isLibsql: true },
          ...patient,
          ...together,
        },
      },
      {
        ...source,
        test: {
          name: "libsql-server",
          include: LIBSQL_SERVER,
          globalSetup: "packages/store/test/support/libsql-setup.ts",
          ...patient,
          ...together,
        },
      },
      {
        ...source,
        test: {
          name: "extensions",
          include: ["extensions/*/test/**/*.test.ts"],
          exclude: ["extensions/*/test/**/postgres*.test.ts"],
          ...patient,
          ...together,
        },
      },
      // Scenarios start real processes, several of them one after another.
      {
        ...source,
        test: {
          name: "apps",
          include: ["apps/*/test/**/*.test.ts"],
          // They need programs of other projects; see vitest.counterparts.config.ts.
          exclude: ["apps/e2e/test/counterparts/**"],
          ...together,
          ...patient,
          testTimeout: 120_000,
          // The first command of a worker loads the command line.
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
