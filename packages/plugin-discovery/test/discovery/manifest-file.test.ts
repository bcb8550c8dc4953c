import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describePlan, planPlugins } from "../../src/index.js";

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "manifest-file-")));
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

function write(file: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, file), content);
}

/** Reads the manifest of the test's folder. */
async function find() {
  const places = { extraPaths: [folder], plugins: {}, inline: [], reservedNames: [] };
  const { plugins, diagnostics } = await describePlan(await planPlugins(places));
  return { plugins, diagnostics, plugin: plugins[0] };
}

const FILES = {
  "openclaw.plugin.json": '{ "id": "own" }',
  "clawdbot.plugin.json": '{ "id": "legacy" }',
  "manifest.json": '{ "id": "plain" }',
  "package.json": '{ "name": "p", "openclaw": { "id": "block" }, "clawdbot": { "id": "old" } }',
};

describe("manifest of a folder", () => {
  it("[PLUG-003] is the first of the supported files; older names are read with a warning", async () => {
    const expected = [
      ["own", []],
      ["legacy", ["rename clawdbot.plugin.json to openclaw.plugin.json"]],
      ["plain", []],
      ["block", []],
    ];
    for (const [file, content] of Object.entries(FILES)) write(file, content);
    for (const [index, file] of Object.keys(FILES).entries()) {
      const { plugin, diagnostics } = await find();
      const [id, hints] = expected[index] ?? [];
      expect(plugin).toMatchObject({ id, enabled: true, manifestPath: join(folder, file) });
      expect(diagnostics.map(({ hint }) => hint)).toEqual(hints);
      rmSync(join(folder, file));
    }
    write("package.json", '{ "name": "p", "clawdbot": { "id": "old" } }');
    expect(await find()).toMatchObject({
      plugin: { id: "old", enabled: true },
      diagnostics: [
        { level: "warn", code: "manifest-legacy", hint: "rename #clawdbot to #openclaw" },
      ],
    });
  });

  it("[PLUG-003] can contain comments, trailing commas and bare keys", async () => {
    write("openclaw.plugin.json", "\uFEFF// first\n{ id: 'guard', /* then */ name: \"Guard\", }\n");
    const { plugin, diagnostics } = await find();
    expect(plugin).toMatchObject({ id: "guard", name: "Guard", enabled: true });
    expect(diagnostics).toEqual([]);
  });

  it("[PLUG-003] is limited to 256 KiB", async () => {
    write("openclaw.plugin.json", '{ "id": "guard" }'.padEnd(256 * 1024));
    expect((await find()).plugin).toMatchObject({ id: "guard", enabled: true });
    write("openclaw.plugin.json", '{ "id": "guard" }'.padEnd(256 * 1024 + 1));
    const { plugin, diagnostics } = await find();
    expect(plugin).toMatchObject({ enabled: false, error: { code: "manifest-invalid" } });
    expect(diagnostics[0]?.message).toContain("262145 bytes; a manifest has at most 262144");
  });

  it("is read again only after it changed", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    write("openclaw.plugin.json", '{ "id": "guard", "name": "One" }');
    expect((await find()).plugin).toMatchObject({ name: "One" });
    using reading = vi.spyOn(JSON, "parse");
    expect((await find()).plugin).toMatchObject({ name: "One" });
    expect(reading).not.toHaveBeenCalled();
    write("openclaw.plugin.json", '{ "id": "guard", "name": "Other" }');
    expect((await find()).plugin).toMatchObject({ name: "Other" });
    expect(reading).toHaveBeenCalledOnce();
    rmSync(join(folder, "openclaw.plugin.json"));
    expect((await find()).plugins).toEqual([]);
  });

  it.each<[string, () => void, string]>([
    ["is a folder", () => mkdirSync(join(folder, "openclaw.plugin.json")), "it is not a file"],
    ["is empty", () => write("openclaw.plugin.json", ""), "is not valid JSON5"],
    ["is cut off", () => write("openclaw.plugin.json", '{ "id": "gu'), "is not valid JSON5"],
    [
      "is not text",
      () => write("openclaw.plugin.json", new Uint8Array([0, 159, 146, 150])),
      "is not valid JSON5",
    ],
    [
      "does not hold an object",
      () => write("openclaw.plugin.json", '"guard"'),
      "expected an object",
    ],
    [
      "is nested too deeply",
      () => write("openclaw.plugin.json", `{ "id": "guard", "uiHints": ${"[".repeat(100_000)}`),
      "",
    ],
  ])("[PLUG-009] rejects the plugin by name when it %s", async (_what, prepare, message) => {
    prepare();
    const { plugins, diagnostics } = await find();
    expect(plugins).toMatchObject([
      { id: basename(folder).toLowerCase(), enabled: false, error: { code: "manifest-invalid" } },
    ]);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ level: "error", hint: expect.any(String) });
    expect(diagnostics[0]?.message).toContain(join(folder, "openclaw.plugin.json"));
    expect(diagnostics[0]?.message).toContain(message);
  });

  it("is kept when an unused field is deeply nested", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    write("openclaw.plugin.json", `{ "id": "guard", "uiHints": { "a": ${deep} } }`);
    expect((await find()).plugin).toMatchObject({ id: "guard", enabled: true });
  });

  it("returns a plugin or a reason for any bytes, without prototype pollution", async () => {
    const names = fc.constantFrom("__proto__", "constructor", "id", "entry", "kind", "permissions");
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("guard", "", null, true, -0, Number.MAX_VALUE, { polluted: true }),
        fc.string(),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(fc.oneof(names, fc.string()), tie("tree"), { maxKeys: 5 }),
      ),
    }));
    const text = fc.oneof(
      tree.map((value) => JSON.stringify(value) ?? ""),
      tree.map((value) => `{ "id": "guard", "__proto__": ${JSON.stringify(value) ?? 1} }`),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        write("openclaw.plugin.json", content);
        const { plugins, diagnostics } = await find();
        expect(plugins).toHaveLength(1);
        const isUsable = plugins[0] !== undefined && !("error" in plugins[0]);
        expect(diagnostics.some(({ level }) => level === "error")).toBe(!isUsable);
        expect("polluted" in {}).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
