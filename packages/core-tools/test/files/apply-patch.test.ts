import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bindMount, canBindMount, temporaryWorkspace } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { patchedText } from "../../src/files/patched-text.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";

async function patchTree(files: Record<string, string> = {}) {
  const tree = await temporaryWorkspace();
  for (const [path, content] of Object.entries(files)) {
    await tree.file(`workspace/${path}`, content);
  }
  const tools = createCoreTools({ ...tree, environment: {} });
  return {
    tree,
    text: (path: string) => readFile(join(tree.workspaceDir, path), "utf8"),
    names: async () => (await readdir(tree.workspaceDir, { recursive: true })).sort(),
    patch: (...lines: string[]) => {
      const input = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
      return callTool(tools, "apply_patch", { input });
    },
    apply: (params: Record<string, unknown>) => callTool(tools, "apply_patch", params),
  };
}

describe("apply_patch", () => {
  it("[TURN-061] adds, changes, moves and deletes files together", async () => {
    const { patch, text, names, tree } = await patchTree({
      "a.txt": "one\ntwo\nthree\n",
      "run.sh": "echo old\n",
      "gone.txt": "x",
    });
    await chmod(join(tree.workspaceDir, "run.sh"), 0o755);
    const result = await patch(
      "*** Add File: new/deep.txt",
      "+first",
      "+",
      "+last",
      "*** Update File: a.txt",
      "@@",
      " one",
      "-two",
      "+2",
      " three",
      "*** Update File: run.sh",
      "*** Move to: bin/run.sh",
      "-echo old",
      "+echo new",
      "",
      "*** Delete File: gone.txt",
    );
    expect(textOf(result)).toBe(
      "Added new/deep.txt.\nUpdated a.txt.\nMoved run.sh to bin/run.sh.\nDeleted gone.txt.",
    );
    expect(await text("new/deep.txt")).toBe("first\n\nlast\n");
    expect(await text("a.txt")).toBe("one\n2\nthree\n");
    expect(await text("bin/run.sh")).toBe("echo new\n");
    expect((await stat(join(tree.workspaceDir, "bin/run.sh"))).mode & 0o777).toBe(0o755);
    expect(await names()).toEqual(["a.txt", "bin", "bin/run.sh", "new", "new/deep.txt"]);
    expect(result.details).toMatchObject({
      files: [
        { change: "added" },
        { change: "updated" },
        { change: "moved" },
        { change: "deleted" },
      ],
    });
  });

  it("finds several hunks, by anchors when their lines are not unique", async () => {
    const { patch, text } = await patchTree({
      "a.ts":
        "class A {\n  run() {\n    stop();\n  }\n}\nclass B {\n  run() {\n    stop();\n  }\n}\n",
    });
    await patch(
      "*** Update File: a.ts",
      "@@ class B {",
      "@@   run() {",
      "-    stop();",
      "+    go();",
      "@@",
      " }",
      "+// end",
      "*** End of File",
    );
    expect(await text("a.ts")).toBe(
      "class A {\n  run() {\n    stop();\n  }\n}\nclass B {\n  run() {\n    go();\n  }\n}\n// end\n",
    );
  });

  it("keeps the line endings of the file and a missing final newline", async () => {
    const { patch, text } = await patchTree({ "crlf.txt": "a\r\nb\r\n", "open.txt": "a\nb" });
    await patch(
      "*** Update File: crlf.txt",
      " a",
      "+x",
      "*** Update File: open.txt",
      "-a",
      "+x",
      " b",
    );
    expect(await text("crlf.txt")).toBe("a\r\nx\r\nb\r\n");
    expect(await text("open.txt")).toBe("x\nb\n");
  });

  it("[TURN-061] accepts the parameters of edit", async () => {
    const { apply, text } = await patchTree({ "a.txt": "x x" });
    refusalOf(await apply({ path: "a.txt", old_string: "x", new_string: "y" }), "ambiguous");
    await apply({ path: "a.txt", old_string: "x", new_string: "y", replace_all: true });
    expect(await text("a.txt")).toBe("y y");
    refusalOf(await apply({}), "invalid-value");
    refusalOf(await apply({ path: "a.txt", old_string: "y" }), "invalid-value");
    refusalOf(await apply({ input: "x", path: "a.txt" }), "invalid-value");
  });

  it("converts any text to any other with one hunk of all lines", () => {
    const lines = fc.array(fc.stringMatching(/^[a-c]?$/), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const text = before.map((line) => `${line}\n`).join("");
        const hunk = { anchors: [], before, after, atEnd: false };
        expect(patchedText("a", text, [hunk])).toBe(after.map((line) => `${line}\n`).join(""));
      }),
    );
  });
});

describe("[TURN-061] failed patch without changes", () => {
  const WRONG_HUNK = ["*** Update File: b.txt", "-not there", "+x"];

  it.each([
    ["lines do not occur", WRONG_HUNK, "no-match"],
    ["lines occur twice", ["*** Update File: b.txt", "-same", "+x"], "ambiguous"],
    ["an anchor does not occur", ["*** Update File: b.txt", "@@ y", "-same", "+x"], "no-match"],
    ["it adds an existing file", ["*** Add File: b.txt", "+x"], "wrong-kind"],
    ["it deletes a missing file", ["*** Delete File: c.txt"], "not-found"],
    ["it moves onto a file", ["*** Update File: b.txt", "*** Move to: d.txt"], "wrong-kind"],
    ["it names a file twice", ["*** Delete File: ./a.txt"], "invalid-value"],
    ["it leaves the workspace", ["*** Add File: ../x.txt", "+x"], "outside-workspace"],
    ["it adds a secret file", ["*** Add File: .env", "+x"], "sensitive-path"],
  ])("changes nothing when %s", async (_name, lines, reason) => {
    const { patch, text, names } = await patchTree({
      "a.txt": "one\n",
      "b.txt": "same\nsame\n",
      "d.txt": "",
    });
    const before = await names();
    const result = await patch("*** Update File: a.txt", "-one", "+1", ...lines);
    refusalOf(result, reason);
    expect(await text("a.txt")).toBe("one\n");
    expect(await names()).toEqual(before);
  });

  it("changes nothing when a file would be too large", async () => {
    const { patch, names } = await patchTree();
    const line = `+${"x".repeat(1023)}`;
    const result = await patch("*** Add File: a", ...Array.from({ length: 1025 }, () => line));
    expect(refusalOf(result, "too-large")).toContain("1049600 bytes");
    expect(await names()).toEqual([]);
  });
});

describe("malformed patch", () => {
  it.each([
    ["no beginning", "*** End Patch", "line 1"],
    ["no end", "*** Begin Patch\n*** Delete File: a", "line 2"],
    ["no part", "*** Begin Patch\n*** End Patch", "line 2"],
    ["an unknown part", "*** Begin Patch\n*** Rename File: a\n*** End Patch", "line 2"],
    ["no hunk", "*** Begin Patch\n*** Update File: a\n*** End Patch", "line 3"],
    ["a hunk without a change", "*** Begin Patch\n*** Update File: a\n x\n*** End Patch", "line 4"],
    ["an anchor alone", "*** Begin Patch\n*** Update File: a\n@@ x\n*** End Patch", "line 4"],
    ["a line of another kind", "*** Begin Patch\n*** Add File: a\nx\n*** End Patch", "line 3"],
  ])("is reported with its line: %s", async (_name, input, place) => {
    const { apply } = await patchTree();
    expect(refusalOf(await apply({ input }), "invalid-value")).toContain(`at ${place}:`);
  });
});

describe.skipIf(!canBindMount())("file that is mounted alone", () => {
  async function mountedTree() {
    const made = await patchTree({ "a.txt": "", "b.txt": "same\n" });
    const source = join(made.tree.workspaceDir, "..", "source");
    await writeFile(source, "theirs\n");
    return { ...made, source, mount: bindMount(source, join(made.tree.workspaceDir, "a.txt")) };
  }

  it("[GW-222] is changed in place", async () => {
    const { patch, source, mount, names } = await mountedTree();
    using _mount = mount;
    await patch("*** Update File: a.txt", "-theirs", "+ours");
    expect(await readFile(source, "utf8")).toBe("ours\n");
    expect(await names()).toEqual(["a.txt", "b.txt"]);
  });

  it.each([
    ["deleted", ["*** Delete File: a.txt"]],
    ["moved", ["*** Update File: a.txt", "*** Move to: c.txt", "-theirs", "+ours"]],
  ])("[GW-561] cannot be %s, which reverts the patch and says why", async (_name, change) => {
    const { patch, source, mount, names, text } = await mountedTree();
    using _mount = mount;
    const message = refusalOf(
      await patch(
        "*** Add File: new/d.txt",
        "+x",
        "*** Update File: b.txt",
        "-same",
        "+x",
        ...change,
      ),
      "system",
    );
    expect(message).toBe(
      '"a.txt" is mounted on its own and cannot be removed or moved; nothing was changed. Change its content instead, or ask the operator to mount its folder.',
    );
    expect(await readFile(source, "utf8")).toBe("theirs\n");
    expect(await text("b.txt")).toBe("same\n");
    expect(await names()).toEqual(["a.txt", "b.txt"]);
  });
});
