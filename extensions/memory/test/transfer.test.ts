import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it, onTestFinished } from "vitest";
import { exportMemory } from "../src/transfer/export.js";
import { importFolder } from "../src/transfer/import.js";
import { WatchedFolder } from "../src/transfer/watched-folder.js";
import { lexicalEmbedder } from "./support/lexical-embedder.js";
import { fill, OWNER, openTestMemory, pathsFor, START } from "./support/open-memory.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const quiet: Logger = { debug() {}, info() {}, warn() {}, error() {} };

describe("import and export", () => {
  it("[MEM-046] imports an export to the same memory", async () => {
    const clock = { now: START };
    const memory = await openTestMemory({}, { clock });
    await memory.documents.writeAll(OWNER, [
      {
        path: "a.md",
        content: "one\r\n\ttwo  \n",
        tags: ["x"],
        importance: 0.9,
        sourceUrl: "https://a.b/c",
      },
      { path: "A.md", content: "other case" },
      { path: "folder", content: "a document" },
      { path: "folder/inside.md", content: "in a folder of the same name" },
      { path: "daily/2026-03-01.md", content: "note" },
      { path: `long/${"ä".repeat(150)}.md`, content: "long name" },
      { path: "without-ending", content: "" },
    ]);
    clock.now += 60_000;
    await memory.documents.write(OWNER, { path: "a.md", content: "three", append: true });
    await memory.connections.create(OWNER, {
      sourcePath: "a.md",
      targetPath: "A.md",
      type: "updates",
      strength: 0.5,
    });
    await memory.spaces.create(OWNER, "work", "office");
    await memory.spaces.change(OWNER, { name: "work", path: "a.md", isIn: true });
    await memory.profiles.set("owner", { key: "home", value: "Ghent", type: "dynamic" });
    const folder = join(temporaryFolder(), "export");
    expect(await exportMemory(memory, OWNER, folder)).toEqual({ folder, documents: 7 });
    expect(readFileSync(join(folder, "daily/2026-03-01.md"), "utf8")).toBe("note");
    await expect(exportMemory(memory, OWNER, folder)).rejects.toThrow("empty folder");

    const other = await openTestMemory({}, { clock: { now: START + 1e9 } });
    const report = await importFolder(other, OWNER, folder);
    expect(report).toEqual({ created: 7, changed: 0, unchanged: 0, skipped: [] });
    const stateOf = async ({ documents, connections, spaces, profiles }: typeof memory) => ({
      documents: (await documents.list(OWNER)).map(({ id: _id, ...rest }) => rest),
      contents: await Promise.all(
        (await documents.list(OWNER)).map(
          async ({ path }) => (await documents.find(OWNER, path))?.content,
        ),
      ),
      connections: (await connections.list(OWNER)).map(({ id: _id, ...rest }) => rest),
      spaces: await spaces.list(OWNER),
      contentsOfSpace: await spaces.contents(OWNER, "work"),
      facts: (await profiles.list("owner")).map(({ updatedAt: _time, ...rest }) => rest),
    });
    expect(await stateOf(other)).toEqual(await stateOf(memory));
    expect(await importFolder(other, OWNER, folder)).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: 7,
    });
  });

  it("[MEM-046] skips binary, invalid and huge files with the reason, and imports the rest", async () => {
    const folder = temporaryFolder({
      "good.md": "# Good",
      "empty.md": "",
      "binary.md": new Uint8Array([35, 0, 1]),
      "latin.md": new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
      "picture.png": "not looked at",
      ".hidden/secret.md": "hidden",
      "node_modules/x/readme.md": "dependency",
      "back\\slash.md": "odd name",
    });
    const outside = temporaryFolder({ "outside.md": "outside" });
    symlinkSync(join(outside, "outside.md"), join(folder, "link.md"));
    symlinkSync(outside, join(folder, "linked"));
    // A file of 200 MB without blocks on the disk.
    writeFileSync(join(folder, "huge.md"), "");
    truncateSync(join(folder, "huge.md"), 200 * 1024 * 1024);
    const memory = await openTestMemory();
    const { skipped, ...counts } = await importFolder(memory, OWNER, folder, { target: "/notes/" });
    expect(counts).toEqual({ created: 2, changed: 0, unchanged: 0 });
    expect(Object.fromEntries(skipped.map(({ file, problem }) => [file, problem]))).toEqual({
      "back\\slash.md": expect.stringContaining("backslash"),
      "binary.md": "it is binary, not text",
      "huge.md": expect.stringContaining("209715200 bytes"),
      "latin.md": expect.stringContaining("not valid UTF-8"),
    });
    const paths = (await memory.documents.list(OWNER)).map(({ path }) => path);
    expect(paths).toEqual(["notes/empty.md", "notes/good.md"]);
  });

  it("[MEM-046] skips a file that is renamed during the import, and rejects wrong folders", async () => {
    const names = Array.from(
      { length: 120 },
      (_, index) => `n${String(index).padStart(3, "0")}.md`,
    );
    const folder = temporaryFolder(Object.fromEntries(names.map((name) => [name, `text ${name}`])));
    const memory = await openTestMemory();
    const report = await importFolder(memory, OWNER, folder, {
      onProgress(files) {
        if (files === 50) renameSync(join(folder, "n119.md"), join(folder, "a-new-name.md"));
      },
    });
    expect(report).toMatchObject({
      created: 119,
      skipped: [{ file: "n119.md", problem: "it was renamed or removed meanwhile" }],
    });
    await expect(importFolder(memory, OWNER, join(folder, "none"))).rejects.toMatchObject({
      code: "MEMORY_IMPORT_FAILED",
    });
    await expect(importFolder(memory, OWNER, join(folder, "n001.md"))).rejects.toThrow(
      "got a file",
    );
    writeFileSync(join(folder, "memory-export.json"), "{}");
    await expect(importFolder(memory, OWNER, folder)).rejects.toThrow("version 1");
    const wrong = { version: 1, documents: [{ file: 7 }], connections: [], spaces: [], facts: [] };
    writeFileSync(join(folder, "memory-export.json"), JSON.stringify(wrong));
    await expect(importFolder(memory, OWNER, folder)).rejects.toThrow("/documents/0");
    const escaping = {
      version: 1,
      documents: [{ file: "../x.md", path: "x.md", createdAt: "", updatedAt: "" }],
      connections: [],
      spaces: [],
      facts: [],
    };
    writeFileSync(join(folder, "memory-export.json"), JSON.stringify(escaping));
    await importFolder(memory, OWNER, folder);
    expect(await memory.documents.find(OWNER, "x.md")).toBeUndefined();
  });
});

describe("folder on disk", () => {
  it("[MEM-047] is taken over at the start, and changes while it is watched", async () => {
    const folder = temporaryFolder({ "a.md": "alpha", "sub/b.md": "beta" });
    const memory = await openTestMemory({}, { embedder: lexicalEmbedder() });
    await fill(memory, { "notes/own.md": "written by the model" });
    const options = { folder, target: "notes", owner: OWNER, logger: quiet };
    const paths = async () => (await memory.documents.list(OWNER)).map(({ path }) => path);
    const first = new WatchedFolder(memory, options);
    expect(await first.start()).toMatchObject({ created: 2 });
    await first.stop();
    // While nothing watches.
    rmSync(join(folder, "a.md"));
    writeFileSync(join(folder, "c.md"), "gamma");
    const second = new WatchedFolder(memory, options);
    onTestFinished(() => second.stop());
    await second.start();
    expect(await paths()).toEqual(["notes/c.md", "notes/own.md", "notes/sub/b.md"]);
    writeFileSync(join(folder, "c.md"), "delta changed");
    const nearest = async () => (await pathsFor(memory, "delta"))[0];
    await expect.poll(nearest, { timeout: 10_000 }).toBe("notes/c.md");
    mkdirSync(join(folder, "new"));
    renameSync(join(folder, "c.md"), join(folder, "new/d.md"));
    await expect
      .poll(paths, { timeout: 10_000 })
      .toEqual(["notes/new/d.md", "notes/own.md", "notes/sub/b.md"]);
  });

  it("[MEM-047] leaves its documents when it does not exist", async () => {
    const folder = temporaryFolder({ "a.md": "alpha" });
    const memory = await openTestMemory();
    const options = { folder, target: "", owner: OWNER, logger: quiet };
    const first = new WatchedFolder(memory, options);
    await first.start();
    await first.stop();
    rmSync(folder, { recursive: true });
    const second = new WatchedFolder(memory, options);
    expect(await second.start()).toBeUndefined();
    await second.stop();
    expect(await memory.documents.list(OWNER)).toHaveLength(1);
  });
});
