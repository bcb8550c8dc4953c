import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { slowTests } from "./apps/e2e/src/repository/slow-tests.js";
import { keepTemporaryFilesInMemory } from "./scripts/memory-folder.mjs";

keepTemporaryFilesInMemory();

const slow = slowTests(import.meta.dirname);

/** The tests of packages and extensions that start no program and no database server, for the loop of a change. */
export default defineConfig({
  resolve: { conditions: ["openclaw-source"] },
  ssr: { resolve: { conditions: ["openclaw-source", "node"] } },
  test: {
    name: "quick",
    include: ["{packages,extensions}/*/test/**/*.test.ts"],
    exclude: slow,
    isolate: false,
    maxWorkers: availableParallelism(),
    setupFiles: ["scripts/quick-properties.mjs", "scripts/patient-waits.mjs"],
    expect: { poll: { timeout: 20_000 } },
    env: { OPENCLAW_TEST_METHODS: "1", OPENCLAW_KEYCHAIN: "off" },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
