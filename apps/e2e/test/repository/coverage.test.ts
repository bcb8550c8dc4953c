import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { sourcesDigest } from "../../src/repository/sources-digest.js";

const dir = fileURLToPath(new URL("../../../../packages/tool-policy", import.meta.url));

// Measuring takes longer than all tests of the package, so CI measures, and this test checks the record.
it("[POL-044] covers every line and branch of these tool policy sources", () => {
  const { sources, lines, branches } = JSON.parse(
    readFileSync(join(dir, "coverage.recorded.json"), "utf8"),
  );
  expect(sources, "The sources changed; run `pnpm coverage --record`.").toBe(sourcesDigest(dir));
  expect(lines.covered).toBe(lines.total);
  expect(branches.covered).toBe(branches.total);
  expect(branches.total).toBeGreaterThan(500);
});
