import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { realPathOf } from "../../src/files/real-path.js";

it("agrees with the kernel for every existing path", async () => {
  const tree = await temporaryWorkspace();
  await mkdir(join(tree.base, "a/b/c"), { recursive: true });
  await tree.link("a/to-c", "b/c");
  await tree.link("a/b/up", "..");
  await tree.link("a/absolute", join(tree.base, "a/b"));
  await tree.link("a/b/c/round", "../../absolute/up");

  const name = fc.constantFrom("a", "b", "c", "to-c", "up", "absolute", "round", "..", ".");
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 12 }), async (names) => {
      const path = [tree.base, "a", ...names].join("/");
      const kernel = await realpath(path).catch(() => undefined);
      if (kernel === undefined) return;
      compared += 1;
      expect(await realPathOf(path)).toBe(kernel);
    }),
    { numRuns: 300 },
  );
  expect(compared).toBeGreaterThan(30);
});

it("keeps the names of missing parts, also after a link", async () => {
  const tree = await temporaryWorkspace();
  await tree.link("dangling", "nowhere/yet");
  expect(await realPathOf(join(tree.base, "dangling/file.txt"))).toBe(
    join(tree.base, "nowhere/yet/file.txt"),
  );
});
