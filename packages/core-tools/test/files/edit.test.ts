import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { type TemporaryWorkspace, temporaryWorkspace } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";

function editIn(tree: TemporaryWorkspace) {
  const tools = createCoreTools({ ...tree, environment: {} });
  return (params: Record<string, unknown>) => callTool(tools, "edit", { path: "a.txt", ...params });
}

describe("edit", () => {
  it("replaces the single occurrence and reports its place", async () => {
    const tree = await temporaryWorkspace();
    const file = await tree.file("workspace/a.txt", "one\ntwo\nthree\n");
    await chmod(file, 0o640);
    const result = await editIn(tree)({ old_string: "two\n", new_string: "2\n" });

    expect(textOf(result)).toBe("Replaced 1 time in a.txt (line 2).");
    expect(await readFile(file, "utf8")).toBe("one\n2\nthree\n");
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it("replaces every occurrence when asked to", async () => {
    const tree = await temporaryWorkspace();
    const file = await tree.file("workspace/a.txt", "x = 1\ny = x\nx\n");
    const result = await editIn(tree)({ old_string: "x", new_string: "xx", replace_all: true });

    expect(textOf(result)).toBe("Replaced 3 times in a.txt (lines 1, 2, 3).");
    expect(await readFile(file, "utf8")).toBe("xx = 1\ny = xx\nxx\n");
  });

  it("takes new_string literally", async () => {
    const tree = await temporaryWorkspace();
    const file = await tree.file("workspace/a.txt", "price");
    await editIn(tree)({ old_string: "price", new_string: "$& $1 $$ \\n" });
    expect(await readFile(file, "utf8")).toBe("$& $1 $$ \\n");
  });

  it("keeps a byte order mark and \\r\\n line endings", async () => {
    const tree = await temporaryWorkspace();
    const file = await tree.file("workspace/a.txt", "\uFEFFone\r\ntwo\r\nthree\r\n");
    await editIn(tree)({ old_string: "one\ntwo\n", new_string: "1\n2\n" });
    expect(await readFile(file, "utf8")).toBe("\uFEFF1\r\n2\r\nthree\r\n");
  });

  it("equals splitting and joining the text", async () => {
    const tree = await temporaryWorkspace();
    const edit = editIn(tree);
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é", "😀"), maxLength: 30 });
    const wanted = fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(letters, wanted, letters, async (text, oldText, newText) => {
        const file = await tree.file("workspace/a.txt", text);
        const params = { old_string: oldText, new_string: newText, replace_all: true };
        const result = await edit(params);
        const changes = text.includes(oldText) && oldText !== newText;
        expect(result.isError ?? false).toBe(!changes);
        expect(await readFile(file, "utf8")).toBe(text.replaceAll(oldText, () => newText));
      }),
      { numRuns: 60 },
    );
  });
});

describe("[TURN-061] failed edit without changes", () => {
  it.each([
    ["is absent", "no-match", { old_string: "four", new_string: "4" }, "does not occur"],
    ["differs in whitespace", "no-match", { old_string: "one ", new_string: "1" }, "whitespace"],
    ["is ambiguous", "ambiguous", { old_string: "t", new_string: "T" }, "occurs 2 times"],
    ["equals new_string", "invalid-value", { old_string: "one", new_string: "one" }, "the same"],
  ])("rejects an old_string that %s", async (_case, reason, params, words) => {
    const tree = await temporaryWorkspace();
    const file = await tree.file("workspace/a.txt", "one\ntwo\nthree\n");
    const before = await stat(file);

    expect(refusalOf(await editIn(tree)(params), reason)).toContain(words);
    expect(await readFile(file, "utf8")).toBe("one\ntwo\nthree\n");
    expect((await stat(file)).ino).toBe(before.ino);
  });

  it("names the lines of an ambiguous text, ten at most", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/a.txt", "x\n".repeat(12));
    const refusal = refusalOf(
      await editIn(tree)({ old_string: "x", new_string: "y" }),
      "ambiguous",
    );
    expect(refusal).toContain("occurs 12 times");
    expect(refusal).toContain("(lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)");
  });

  it("rejects files that are not UTF-8 or would grow beyond 1 MiB", async () => {
    const tree = await temporaryWorkspace();
    const edit = editIn(tree);
    await tree.file("workspace/a.txt", Buffer.from("caf\xe9", "latin1"));
    refusalOf(await edit({ old_string: "caf", new_string: "tea" }), "unreadable");

    const file = await tree.file("workspace/a.txt", "x".repeat(1000));
    const params = { old_string: "x", new_string: "y".repeat(2000), replace_all: true };
    refusalOf(await edit(params), "too-large");
    expect((await stat(file)).size).toBe(1000);

    await tree.file("workspace/a.txt", "x".repeat(1024 * 1024 + 1));
    refusalOf(await edit(params), "too-large");
  });

  it("rejects files that do not exist or are outside", async () => {
    const tree = await temporaryWorkspace();
    const outside = await tree.file("outside.txt", "text");
    const edit = editIn(tree);
    const params = { old_string: "text", new_string: "changed" };

    refusalOf(await edit({ ...params, path: "none.txt" }), "not-found");
    refusalOf(await edit({ ...params, path: "../outside.txt" }), "outside-workspace");
    expect(await readFile(outside, "utf8")).toBe("text");
  });

  it("rejects a file that another edit changed first", async () => {
    const tree = await temporaryWorkspace();
    const file = await tree.file("workspace/a.txt", "0");
    const edit = editIn(tree);
    for (let round = 0; round < 30; round += 1) {
      await writeFile(file, "counter 0");
      const edits = Array.from({ length: 4 }, (_, index) =>
        edit({ old_string: "counter", new_string: `counter ${index}` }),
      );
      const results = await Promise.all(edits);
      const done = results.filter((result) => result.isError !== true).length;
      const text = await readFile(file, "utf8");
      expect(text.match(/ \d/g)?.length, "no edit that was reported done is lost").toBe(done + 1);
    }
  });
});
