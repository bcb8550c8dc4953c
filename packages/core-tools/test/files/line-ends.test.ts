import { readFile } from "node:fs/promises";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { patchedText } from "../../src/files/patched-text.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";

const MARK = "\uFEFF";

async function fileWith(content: string) {
  const tree = await temporaryWorkspace();
  const file = await tree.file("workspace/a.txt", content);
  const tools = createCoreTools({ ...tree, environment: {} });
  const call = (name: string, params: Record<string, unknown>) => callTool(tools, name, params);
  return {
    text: () => readFile(file, "utf8"),
    edit: (old_string: string, new_string: string, replace_all = false) =>
      call("edit", { path: "a.txt", old_string, new_string, replace_all }),
    patch: (...lines: string[]) => {
      const body = ["*** Begin Patch", "*** Update File: a.txt", ...lines, "*** End Patch"];
      return call("apply_patch", { input: body.join("\n") });
    },
    write: (content: string) => call("write", { path: "a.txt", content }),
    grep: (pattern: string) => call("grep", { path: "a.txt", pattern }),
  };
}

describe("edit", () => {
  it.each([
    ["one line by two in a CRLF file", "a\r\nb\r\nc\r\n", "b", "x\ny", "a\r\nx\r\ny\r\nc\r\n"],
    ["the last, open line by two", "a\r\nb", "b", "x\ny", "a\r\nx\r\ny"],
    ["the only line of a file by two", "a", "a", "x\r\ny", "x\r\ny"],
    ["two lines of a mixed file", "a\nb\r\nc\n", "a\nb\n", "x\ny\n", "x\ny\r\nc\n"],
    ["lines at a change of the line ends", "a\r\nb\nc\r\n", "b\nc", "b\nx\nc", "a\r\nb\nx\nc\r\n"],
    ["a CRLF part of an LF file", "a\nb\r\nc\n", "b", "x\ny", "a\nx\r\ny\r\nc\n"],
    ["text that was copied with CRLF", "a\nb\nc\n", "a\r\nb", "x\r\ny", "x\ny\nc\n"],
    ["text in a file that ends lines with CR", "a\rb\rc\r", "a\nb", "x\ny\nz", "x\ry\rz\rc\r"],
    ["beside a lone CR in an LF file", "10%\r20%\nb\n", "10%\r20%\nb", "x\nb", "x\nb\n"],
    ["a lone CR literally", "a\r\nb\r\n", "a\r", "a", "a\nb\r\n"],
    ["text after a byte order mark", `${MARK}a\r\nb\r\n`, "a\nb", "x\ny", `${MARK}x\r\ny\r\n`],
    ["text with its byte order mark", `${MARK}a\nb\n`, `${MARK}a`, "x", `${MARK}x\nb\n`],
    ["the byte order mark itself", `${MARK}a\n`, MARK, "", "a\n"],
  ])("[TURN-220] replaces %s", async (_case, content, oldText, newText, expected) => {
    const { edit, text } = await fileWith(content);
    const result = await edit(oldText, newText);
    expect(textOf(result)).toContain("Replaced 1 time");
    expect(await text()).toBe(expected);
  });

  it("[TURN-220] still matches over two lines after a line was replaced by two", async () => {
    const { edit, text } = await fileWith("a\r\nb\r\nc\r\n");
    await edit("b", "b\nb2");
    await edit("a\nb\nb2\nc\n", "done\n");
    expect(await text()).toBe("done\r\n");
  });

  it("[TURN-220] replaces every occurrence with the line ends of its place", async () => {
    const { edit, text } = await fileWith("a\nb\r\na\r\nb\n");
    expect(textOf(await edit("a\nb", "x\ny\nz", true))).toContain("2 times in a.txt (lines 1, 3)");
    expect(await text()).toBe("x\ny\nz\r\nx\r\ny\r\nz\n");
  });

  it("[TURN-220] converts line ends when the carriage return is named", async () => {
    const { edit, text } = await fileWith("a\r\nb\r\n");
    await edit("\r", "", true);
    expect(await text()).toBe("a\nb\n");
    refusalOf(await edit("a\r\nb", "a\nb"), "invalid-value");
  });

  it("[TURN-220] changes no line end outside of the replaced text", async () => {
    const lines = fc.array(fc.tuple(fc.constantFrom("a", "b", ""), fc.constantFrom("\n", "\r\n")), {
      minLength: 1,
      maxLength: 8,
    });
    const replacement = fc.string({ unit: fc.constantFrom("x", "\n"), maxLength: 5 });
    const { edit, text, write } = await fileWith("");
    await fc.assert(
      fc.asyncProperty(lines, replacement, async (file, added) => {
        const before = file.map(([line, end]) => line + end).join("");
        const target = "<\n>";
        await write("x");
        await edit("x", `${before}${target}${before}`);
        await edit(target, added);
        const after = await text();
        expect(after.startsWith(before)).toBe(true);
        expect(after.endsWith(before)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

describe("apply_patch", () => {
  it("[TURN-220] changes a mixed file and keeps the line ends of every other line", async () => {
    const { patch, text } = await fileWith("a\nb\r\nc\nd\r\n");
    await patch(" a", "-b", "+x", "+y", " c", "+z");
    expect(await text()).toBe("a\nx\r\ny\r\nc\nz\nd\r\n");
  });

  it("[TURN-220] matches the first line of a file with a byte order mark", async () => {
    const { patch, text } = await fileWith(`${MARK}a\r\nb\r\n`);
    await patch("-a", "+x", "+y");
    await patch(`-${MARK}x`, `+${MARK}z`);
    expect(await text()).toBe(`${MARK}z\r\ny\r\nb\r\n`);
  });

  it("[TURN-220] adds to a file whose last line has no line end", async () => {
    const { patch, text } = await fileWith("a\r\nb");
    await patch(" b", "+c");
    expect(await text()).toBe("a\r\nb\r\nc\r\n");
  });

  it("[TURN-220] converts any mixed text with one hunk of all lines", () => {
    const line = fc.stringMatching(/^[a-c]?$/);
    const lines = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { minLength: 1 });
    fc.assert(
      fc.property(lines, fc.array(line, { minLength: 1 }), (file, after) => {
        const text = file.map(([content, end]) => content + end).join("");
        const hunk = { anchors: [], before: file.map(([content]) => content), after, atEnd: false };
        const patched = patchedText("a", text, [hunk]);
        expect(patched.replaceAll("\r\n", "\n")).toBe(after.map((each) => `${each}\n`).join(""));
        const used = new Set(patched.match(/\r?\n/g));
        expect([...used].every((end) => file.some(([, own]) => own === end))).toBe(true);
      }),
    );
  });
});

describe("write", () => {
  it.each([
    ["CRLF", "a\r\nb\r\n", "x\ny\n", "x\r\ny\r\n", '"\\r\\n" line ends'],
    ["a byte order mark", `${MARK}a\n`, "x\n", `${MARK}x\n`, "byte order mark"],
    ["both", `${MARK}a\r\n`, "x\n", `${MARK}x\r\n`, "line ends and byte order mark"],
  ])(
    "[TURN-220] keeps %s of the replaced file, and reports it",
    async (_case, old, content, expected, note) => {
      const { write, text } = await fileWith(old);
      expect(textOf(await write(content))).toContain(note);
      expect(await text()).toBe(expected);
    },
  );

  it.each([
    ["a mixed file", "a\r\nb\n", "x\ny\n"],
    ["a file with LF", "a\nb\n", "x\r\ny\r\n"],
    ["a CRLF file, with CRLF", "a\r\nb\r\n", "x\r\ny\n"],
    ["a file of one line", "a", "x\ny\n"],
  ])("[TURN-220] writes content as it is over %s", async (_case, old, content) => {
    const { write, text } = await fileWith(old);
    expect(textOf(await write(content))).not.toContain("Kept");
    expect(await text()).toBe(content);
  });
});

it("[TURN-220] grep finds the beginning of a file after its byte order mark", async () => {
  const { grep } = await fileWith(`${MARK}first\r\n`);
  expect(textOf(await grep("^first$"))).toBe("a.txt:1: first");
});
