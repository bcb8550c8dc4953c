import { execFileSync } from "node:child_process";
import { rename, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type TemporaryWorkspace, temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function readIn(tree: TemporaryWorkspace) {
  const tools = createCoreTools({ ...tree, environment: {} });
  return (params: Record<string, unknown>) => callTool(tools, "read", params);
}

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
}

describe("read of a text file", () => {
  it("returns the exact text of a small file, without a notice", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/a.txt", "first\r\n\tsecond — ünï\n\nlast");
    const result = await readIn(tree)({ path: "a.txt" });

    expect(result.content).toEqual([{ type: "text", text: "first\r\n\tsecond — ünï\n\nlast" }]);
    expect(result.details).toEqual({
      path: join(tree.workspaceDir, "a.txt"),
      firstLine: 1,
      lastLine: 4,
      reachedEnd: true,
    });
  });

  it("reports that a file is empty", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/empty");
    expect(textOf(await readIn(tree)({ path: "empty" }))).toBe("[The file is empty.]");
  });

  it("[TURN-060] stops after 2000 lines and names the next offset", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/long.txt", numbered(4500));
    const read = readIn(tree);

    const first = await read({ path: "long.txt" });
    expect(textOf(first)).toMatch(/line 2000\n\n\[.*Continue with offset 2001\.\]$/);
    const second = await read({ path: "long.txt", offset: 2001 });
    expect(textOf(second)).toMatch(/^line 2001\n[\s\S]*line 4000\n/);
    const third = await read({ path: "long.txt", offset: 4001 });
    expect(third.content).toHaveLength(1);
    expect(textOf(third)).toMatch(/^line 4001\n[\s\S]*line 4500\n$/);
  });

  it("shows no notice when the limit falls on the last line", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/two.txt", "one\ntwo\n");
    const result = await readIn(tree)({ path: "two.txt", offset: 2, limit: 1 });
    expect(result.content).toEqual([{ type: "text", text: "two\n" }]);
  });

  it("stops at 96 KiB between lines; following the notices returns the whole file", async () => {
    const tree = await temporaryWorkspace();
    const text = Array.from({ length: 900 }, (_, index) => `${index}:${"ä".repeat(200)}\n`).join(
      "",
    );
    await tree.file("workspace/wide.txt", text);
    const read = readIn(tree);

    let joined = "";
    for (let offset = 1, calls = 0; offset !== 0; calls += 1) {
      expect(calls).toBeLessThan(10);
      const [body, notice] = (await read({ path: "wide.txt", offset })).content;
      if (body?.type !== "text") throw new Error("no text");
      expect(Buffer.byteLength(body.text)).toBeLessThanOrEqual(96 * 1024);
      joined += body.text;
      const next = notice?.type === "text" ? /offset (\d+)/.exec(notice.text)?.[1] : undefined;
      offset = Number(next ?? 0);
    }
    expect(joined).toBe(text);
  });

  it("truncates a line that is too long alone, and names the offset behind it", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/one-line.txt", `${"ä".repeat(100_000)}\nafter\n`);
    const read = readIn(tree);

    const [body, notice] = (await read({ path: "one-line.txt" })).content;
    expect(body).toEqual({ type: "text", text: "ä".repeat((96 * 1024) / 2) });
    expect(notice).toMatchObject({ text: expect.stringContaining("offset 2") });
    expect(textOf(await read({ path: "one-line.txt", offset: 2 }))).toBe("after\n");
  });

  it.each([
    ["one\ntwo\n", 2],
    ["one\ntwo", 2],
    ["one", 1],
  ])("reports the number of lines when the offset is past the end of %j", async (text, lines) => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/short.txt", text);
    const refusal = refusalOf(
      await readIn(tree)({ path: "short.txt", offset: 9 }),
      "invalid-value",
    );
    expect(refusal).toContain(`has only ${lines} line`);
  });

  it("shows a file with invalid UTF-8 and a notice", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/latin1.txt", Buffer.from("caf\xe9\n", "latin1"));
    const text = textOf(await readIn(tree)({ path: "latin1.txt" }));
    expect(text).toMatch(/^caf\uFFFD\n\n\[The file is not valid UTF-8/);
  });
});

describe("read of a file that is not text", () => {
  it("[TURN-060] returns an image as an image", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/dot.dat", PNG);
    const result = await readIn(tree)({ path: "dot.dat" });
    expect(result.content).toEqual([
      { type: "text", text: `dot.dat (image/png, ${PNG.length} bytes)` },
      { type: "image", data: PNG.toString("base64"), mimeType: "image/png" },
    ]);
  });

  it("rejects an image that models do not accept", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/huge.png", Buffer.concat([PNG, Buffer.alloc(3_750_000)]));
    refusalOf(await readIn(tree)({ path: "huge.png" }), "too-large");
  });

  it.each([
    ["a ZIP archive", Buffer.from("PK\u0003\u0004rest")],
    ["a PDF document", Buffer.from("%PDF-1.7\n")],
    ["an SQLite database", Buffer.from("SQLite format 3\0...")],
    ["binary data", Buffer.from([1, 2, 0, 3])],
    ["binary data", Buffer.concat([Buffer.alloc(9000, "a"), Buffer.from([0])])],
  ])("names %s instead of dumping it", async (kind, bytes) => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/some.bin", bytes);
    const refusal = refusalOf(await readIn(tree)({ path: "some.bin" }), "unreadable");
    expect(refusal).toContain(kind);
    expect(refusal).toContain(`${bytes.length} bytes`);
  });

  it("suggests list for a folder", async () => {
    const tree = await temporaryWorkspace();
    await tree.folder("workspace/docs");
    expect(refusalOf(await readIn(tree)({ path: "docs" }), "wrong-kind")).toContain("Use list");
  });

  it("does not wait for the writer of a named pipe", async () => {
    const tree = await temporaryWorkspace();
    execFileSync("mkfifo", [join(tree.workspaceDir, "pipe")]);
    expect(refusalOf(await readIn(tree)({ path: "pipe" }), "wrong-kind")).toContain("a named pipe");
  });
});

describe("read of a missing file", () => {
  it("suggests similar files", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/src/settings.ts");
    await tree.file("workspace/src/unrelated.ts");
    const refusal = refusalOf(await readIn(tree)({ path: "src/setings.ts" }), "not-found");
    expect(refusal).toContain('did you mean "src/settings.ts"?');
    expect(refusal).not.toContain("unrelated");
  });

  it("suggests similar folders when the folder is missing", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/source/main.ts");
    const refusal = refusalOf(await readIn(tree)({ path: "sorce/main.ts" }), "not-found");
    expect(refusal).toContain('did you mean "source"?');
  });

  it("reports that a part of the path is a file", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/notes");
    refusalOf(await readIn(tree)({ path: "notes/today.md" }), "not-found");
  });

  it("suggests neither the state folder nor links into it", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/.state/x");
    await tree.link("workspace/.stat", ".state");
    const tools = createCoreTools({
      ...tree,
      stateDir: join(tree.workspaceDir, ".state"),
      environment: {},
    });
    const refusal = refusalOf(await callTool(tools, "read", { path: ".stata" }), "not-found");
    expect(refusal).not.toContain("did you mean");
  });
});

it("never reads outside while a folder of the path is swapped for a link", async () => {
  const tree = await temporaryWorkspace();
  await tree.file("workspace/folder/file.txt", "inside");
  await tree.file("outside/file.txt", "outside");
  const folder = join(tree.workspaceDir, "folder");
  const aside = join(tree.workspaceDir, "aside");
  const read = readIn(tree);

  let swapping = true;
  const swaps = (async () => {
    while (swapping) {
      await rename(folder, aside);
      await symlink(join(tree.base, "outside"), folder);
      await unlink(folder);
      await rename(aside, folder);
    }
  })();
  for (let attempt = 0; attempt < 200; attempt += 1) {
    expect(textOf(await read({ path: "folder/file.txt" }))).not.toBe("outside");
  }
  swapping = false;
  await swaps;
  expect(textOf(await read({ path: "folder/file.txt" }))).toBe("inside");
});
