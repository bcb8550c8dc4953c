import { beforeAll, describe, expect, it } from "vitest";
import { type CaseResult, type PluginCase, readCases, runCases } from "../support/case-folder.js";

const cases = await readCases();
let results: ReadonlyMap<string, CaseResult>;

beforeAll(async () => {
  results = await runCases(cases);
}, 60_000);

function resultOf(name: string): CaseResult {
  const result = results.get(name);
  if (result === undefined) throw new Error(`the runner said nothing of case ${name}`);
  return result;
}

describe.each([...cases])("load case %s", (name, { sentence, expect: expected }: PluginCase) => {
  it(sentence, () => {
    const { plugins, diagnostics, logs, ...rest } = expected;
    const found = resultOf(name);
    if (plugins !== undefined) {
      expect(found.plugins.map((plugin) => plugin.id)).toEqual(plugins.map(({ id }) => id));
      for (const [index, plugin] of plugins.entries()) expectPlugin(found.plugins[index], plugin);
    }
    if (diagnostics !== undefined) {
      const shown = found.diagnostics.map(({ code, pluginId }) => ({ code, pluginId }));
      expect(shown).toEqual(diagnostics.map(({ code, pluginId }) => ({ code, pluginId })));
      for (const [index, diagnostic] of diagnostics.entries()) {
        const { message = "", hint = "", ...fields } = diagnostic;
        expect(found.diagnostics[index]).toMatchObject(fields);
        expect(found.diagnostics[index]?.message).toContain(message);
        expect(found.diagnostics[index]?.hint ?? "").toContain(hint);
      }
    }
    if (logs !== undefined) expect(found.logs.map(({ message }) => message)).toEqual(logs);
    expect(found).toMatchObject(rest);
  });
});

/** The source of a plugin is given without the folder in which the case was laid out. */
function expectPlugin(
  found: Record<string, unknown> | undefined,
  expected: Record<string, unknown>,
) {
  const { source, ...fields } = expected;
  expect(found).toMatchObject(fields);
  if (typeof source === "string") expect(String(found?.source).endsWith(source)).toBe(true);
}

describe("load cases together", () => {
  it("name plugin, file and next step for every failure", () => {
    const failures = [...results.values()].flatMap(({ diagnostics }) =>
      diagnostics.filter(({ level, pluginId }) => level === "error" && pluginId !== "slow"),
    );
    expect(failures.length).toBeGreaterThan(25);
    for (const { message, hint } of failures) {
      expect(message).not.toBe("");
      expect(hint).toBeTruthy();
    }
  });

  it("leave no registration of a failed plugin", () => {
    for (const { plugins } of results.values()) {
      for (const plugin of plugins.filter(({ status }) => status !== "loaded")) {
        expect(plugin).toMatchObject({ toolNames: [], hookNames: [], providerIds: [] });
      }
    }
  });
});
