import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { slowTests } from "../../src/repository/slow-tests.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

it("[GW-730] the quick run leaves out tests that start programs, themselves or with their support, and no others", () => {
  const slow = slowTests(root);
  // It kills a process that its own support starts, and another test starts PostgreSQL with its support.
  expect(slow).toContain("packages/store/test/crash.test.ts");
  expect(slow).toContain("packages/store/test/engine/postgres-faults.test.ts");
  expect(slow).not.toContain("packages/tool-policy/test/decision/oracle.test.ts");
  const direct = globSync("{packages,extensions}/*/test/**/*.test.ts", { cwd: root }).filter(
    (path) =>
      /^import .* from "node:child_process";$/m.test(readFileSync(join(root, path), "utf8")),
  );
  expect(direct.filter((path) => !slow.includes(path))).toEqual([]);
});
