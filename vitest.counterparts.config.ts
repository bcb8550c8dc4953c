import { defineConfig } from "vitest/config";
import { keepTemporaryFilesInMemory } from "./scripts/memory-folder.mjs";

keepTemporaryFilesInMemory();

/** Tests with unmodified programs of other projects, which `pnpm test:counterparts` installs. */
export default defineConfig({
  resolve: { conditions: ["openclaw-source"] },
  ssr: { resolve: { conditions: ["openclaw-source", "node"] } },
  test: {
    name: "counterparts",
    include: ["apps/e2e/test/counterparts/**/*.test.ts"],
    // Each of these programs needs several processors for a moment.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { OPENCLAW_TEST_METHODS: "1", OPENCLAW_KEYCHAIN: "off" },
    reporters: ["default", "json"],
    outputFile: { json: "counterpart-results.json" },
  },
});
