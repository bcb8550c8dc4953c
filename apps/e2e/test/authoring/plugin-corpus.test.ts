import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type CorpusItem,
  type CorpusResult,
  type ExpectedPlugin,
  loadCorpus,
  readCorpus,
} from "../../src/plugin-corpus.js";

const items = await readCorpus();

/** The fields of a record that name what a plugin registered. */
const NAMES = [
  "toolNames",
  "hookNames",
  "commandNames",
  "channelIds",
  "providerIds",
  "serviceIds",
  "gatewayMethods",
  "cliCommands",
  "httpRoutes",
];

describe.each([
  ["where the host looks by itself", false],
  ["in a folder that is named", true],
])("unmodified older plugins, %s", (_place, named) => {
  let found: CorpusResult;

  beforeAll(async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), "plugin-corpus-")));
    try {
      found = await loadCorpus(items, root, named);
    } finally {
      await rm(root, { recursive: true });
    }
  }, 60_000);

  it.each(items.map((item): [string, CorpusItem] => [item.folder, item]))(
    "[PLUG-053] keep every declaration of %s",
    (_folder, item) => {
      for (const [id, expected] of Object.entries(item.plugins)) expectPlugin(found, id, expected);
      expect(tellings(item)).toEqual([...(item.diagnostics ?? [])].sort());
      for (const [kind, count] of Object.entries(item.registered ?? {})) {
        const owners = found.registered[kind] ?? [];
        expect(owners.filter((id) => Object.hasOwn(item.plugins, id)).length, kind).toBe(count);
      }
      const messages = found.logs.map(({ message }) => message);
      for (const line of item.logs ?? []) expect(messages).toContain(line);
    },
  );

  it.each(["2026.2", "2026.5", "2026.9"])(
    "[SDK-023] of the %s API exist as source and as built JavaScript, and all are loaded",
    (vintage) => {
      const ids = items
        .filter(({ folder }) => folder.startsWith(`${vintage}-`))
        .flatMap(({ plugins }) => Object.keys(plugins));
      const loaded = found.records.filter(({ id }) => ids.includes(id));
      expect(loaded.map(({ status }) => status)).toEqual(ids.map(() => "loaded"));
      const sources = loaded.map(({ source }) => String(source));
      expect(sources.filter((file) => /\.[cm]?ts$/.test(file))).not.toEqual([]);
      expect(sources.filter((file) => /\.[cm]?js$/.test(file))).not.toEqual([]);
    },
  );

  it("run their tools with the parameters and sessions they were written for", () => {
    const expected = items.flatMap(({ calls = [] }) => calls);
    expect(found.results).toHaveLength(expected.length);
    for (const [index, { tool, details, returns }] of expected.entries()) {
      const result = found.results[index];
      if (returns !== undefined) expect(result, tool).toEqual(returns);
      else expect(result?.details, tool).toEqual(details);
    }
  });

  it("request approval as the guard of the quick start documents", () => {
    const expected = items.flatMap(({ decisions = [] }) => decisions.map(({ asks }) => asks));
    expect(found.answers).toEqual(expected);
  });

  /** Returns the codes of the diagnostics of an item's plugins, without those of failures. */
  function tellings({ plugins }: CorpusItem): string[] {
    return found.diagnostics
      .filter(({ pluginId = "" }) => Object.keys(plugins).some((id) => id.startsWith(pluginId)))
      .filter(({ pluginId, level }) => pluginId !== undefined && level !== "error")
      .map(({ code }) => code)
      .filter((code) => !EXPECTED_OF_OLDER.has(code))
      .sort();
  }
});

/** Diagnostics of nearly all older plugins, which have their own tests. */
const EXPECTED_OF_OLDER = new Set([
  "manifest-unknown-field",
  "manifest-not-used",
  "deprecated-hook",
  "not-hosted-yet",
  "accepted-not-used",
  "unknown-option",
]);

function expectPlugin({ records, diagnostics }: CorpusResult, id: string, plugin: ExpectedPlugin) {
  const { status = "loaded", loader, error } = plugin;
  const record = records.find((one) => one.id === id);
  const errors = diagnostics.filter(({ pluginId, level }) => pluginId === id && level === "error");
  expect(record, JSON.stringify(errors)).toMatchObject({
    status,
    ...(loader === undefined ? {} : { loader }),
  });
  expect(errors).toHaveLength(error === undefined ? 0 : 1);
  if (error !== undefined) {
    expect(record?.error).toMatchObject({ code: error.code });
    for (const part of error.message) expect(JSON.stringify(record?.error)).toContain(part);
    expect(errors[0]?.hint).toContain(error.hint ?? "");
  }
  const names = NAMES.map((field) => [field, plugin[field] ?? []]);
  expect(record).toMatchObject(Object.fromEntries(names));
}
