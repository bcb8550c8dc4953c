import { expect, it } from "vitest";
import { pathsOf } from "../../src/tool-call/facts.js";

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
*** Move to: src/b.ts
@@
-*** Add File: no
*** Add File: docs/with space.md
+text
*** Delete File: old.md
*** End Patch`;

const DIFF = `--- a/one.ts
+++ b/one.ts
@@ -1 +1 @@
--- /dev/null
+++ b/two.ts`;

it.each<[string, string, Record<string, unknown>, string[] | undefined]>([
  ["the path of a write", "write", { path: "a.md" }, ["a.md"]],
  ["the path of an edit, by another spelling", "Edit", { path: "a.md" }, ["a.md"]],
  [
    "the files of a patch, each once",
    "apply-patch",
    { input: PATCH },
    ["src/a.ts", "src/b.ts", "docs/with space.md", "old.md"],
  ],
  ["the files of a diff", "apply_patch", { input: DIFF }, ["one.ts", "two.ts"]],
  ["no path of a patch without paths", "apply_patch", { input: "" }, undefined],
  ["no path of invalid arguments", "write", { path: 1, input: [] }, undefined],
  ["no path of a tool that writes no file", "read", { path: "a.md" }, undefined],
])("[TURN-033] derives %s", (_what, tool, params, expected) => {
  expect(pathsOf(tool, params)).toEqual(expected === undefined ? {} : { derivedPaths: expected });
});
