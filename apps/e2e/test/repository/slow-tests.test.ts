import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { LONG_TESTS, slowTests } from "../../src/repository/slow-tests.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

it("[GW-730] the quick run leaves out tests that start programs or a whole host, themselves or with their support", () => {
  const slow = slowTests(root);
  // It kills a process that its own support starts, and another test starts PostgreSQL with its support.
  expect(slow).toContain("packages/store/test/crash.test.ts");
  expect(slow).toContain("packages/store/test/engine/postgres-faults.test.ts");
  expect(slow).not.toContain("packages/messaging/test/submissions/parser.test.ts");
  const direct = globSync("{packages,extensions}/*/test/**/*.test.ts", { cwd: root }).filter(
    (path) =>
      /^import .* from "node:child_process";$/m.test(readFileSync(join(root, path), "utf8")),
  );
  expect(direct.filter((path) => !slow.includes(path))).toEqual([]);
  // A host in the process of the test, with a database in memory, is no reason.
  expect(slow).toContain("packages/gateway/test/gateway.test.ts");
  expect(slow).not.toContain("packages/gateway/test/messaging/turns/queue.test.ts");
});

it.each(Object.entries(LONG_TESTS))(
  "[GW-730] the quick run leaves out tests because %s",
  (_reason, patterns) => {
    for (const pattern of patterns)
      expect(globSync(pattern, { cwd: root }), pattern).not.toEqual([]);
  },
);
