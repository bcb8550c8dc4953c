import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { createTestHost } from "../support/host.js";

/** Loads a plugin that exports a schema, with a configuration, and returns the result. */
async function configured(configSchema: unknown, config: Record<string, unknown>) {
  let seen: unknown;
  const plugin = {
    id: "guard",
    configSchema,
    register(api: { pluginConfig: unknown }) {
      seen = api.pluginConfig;
    },
  } as PluginDefinition;
  const { runtime } = createTestHost([plugin], { entries: { guard: { config } } });
  const { diagnostics } = await runtime.load();
  return { seen, problem: diagnostics[0]?.message };
}

const standard = (validate: (value: Record<string, unknown>) => unknown) => ({
  "~standard": { version: 1, vendor: "example", validate },
});

describe("plugin configuration", () => {
  it("[PLUG-021] is filled with nested defaults, each a separate copy", async () => {
    const list = [1];
    const schema = {
      type: "object",
      properties: {
        list: { type: "array", default: list },
        inner: {
          type: "object",
          default: {},
          properties: { on: { type: "boolean", default: true } },
        },
        given: { type: "object", properties: { on: { type: "boolean", default: true } } },
        absent: { type: "object", properties: { on: { type: "boolean", default: true } } },
      },
    };
    const { seen } = await configured(schema, { given: {} });
    expect(seen).toEqual({ list: [1], inner: {}, given: { on: true } });
    expect((seen as { list: unknown }).list).not.toBe(list);
  });

  it("never pollutes a prototype", async () => {
    const schema = JSON.parse(
      '{ "type": "object", "properties": { "__proto__": { "default": { "polluted": true } } } }',
    );
    const { seen } = await configured(schema, {});
    expect(seen).toEqual({});
    expect((seen as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["JSON Schema", { type: "object", properties: { limit: { type: "integer" } } }],
    [
      "a function that gives it",
      () => ({ type: "object", properties: { limit: { type: "integer" } } }),
    ],
    [
      "a Standard Schema",
      standard(({ limit }) =>
        typeof limit === "number"
          ? { value: { limit } }
          : { issues: [{ message: "must be integer", path: [{ key: "limit" }] }] },
      ),
    ],
    [
      "an object with safeParse",
      {
        safeParse: ({ limit }: { limit: unknown }) =>
          typeof limit === "number"
            ? { success: true, data: { limit } }
            : {
                success: false,
                error: { issues: [{ message: "must be integer", path: ["limit"] }] },
              },
      },
    ],
  ])("[PLUG-021] is checked against %s", async (_what, schema) => {
    expect((await configured(schema, { limit: 3 })).seen).toEqual({ limit: 3 });
    const wrong = await configured(schema, { limit: "secret-value" });
    expect(wrong.seen).toBeUndefined();
    expect(wrong.problem).toMatch(
      /plugins\.entries\.guard\.config is wrong at \/limit: must be integer/,
    );
    expect(wrong.problem).not.toContain("secret-value");
  });

  it("is replaced by the output of a transforming schema", async () => {
    const split = ({ words }: Record<string, unknown>) => ({
      value: { words: String(words).split(" ") },
    });
    expect((await configured(standard(split), { words: "a b" })).seen).toEqual({
      words: ["a", "b"],
    });
    const withDefault = { parse: (given: object) => ({ greeting: "hello", ...given }) };
    expect((await configured(withDefault, {})).seen).toEqual({ greeting: "hello" });
  });

  it("is unchanged for older plugins that parse it themselves", async () => {
    const schema = { parse: ({ words }: { words: string }) => ({ words: words.split(" ") }) };
    expect((await configured(schema, { words: "a b" })).seen).toEqual({ words: "a b" });
    expect((await configured(schema, {})).problem).toMatch(/config is wrong at \/: /);
  });

  it("is checked by an older plugin's validate, or the JSON Schema next to its hints", async () => {
    const validate = {
      validate: (value: object) => ({ ok: "limit" in value, errors: ["no limit"] }),
    };
    expect((await configured(validate, { limit: 1 })).seen).toEqual({ limit: 1 });
    expect((await configured(validate, {})).problem).toMatch(/is wrong at \/: no limit/);
    const beside = {
      jsonSchema: { type: "object", properties: { limit: { type: "integer" } } },
      uiHints: { limit: { label: "Limit" } },
    };
    expect((await configured(beside, { limit: "x" })).problem).toMatch(/is wrong at \/limit/);
    expect((await configured(() => beside, { limit: 3 })).seen).toEqual({ limit: 3 });
  });

  it("is checked by a Standard Schema that is a function", async () => {
    const schema = Object.assign(
      () => undefined,
      standard(() => ({ value: { made: true } })),
    );
    expect((await configured(schema, {})).seen).toEqual({ made: true });
  });

  it.each<[string, unknown]>([
    ["gives no answer", standard(() => undefined)],
    ["makes no object of it", standard(() => ({ value: 7 }))],
    ["refuses without a reason", { safeParse: () => ({ success: false }) }],
  ])("rejects a schema that %s", async (_what, schema) => {
    const { seen, problem } = await configured(schema, {});
    expect(seen).toBeUndefined();
    expect(problem).toContain("config is wrong at /");
  });

  it("is accepted without a check when the plugin has no schema", async () => {
    expect((await configured(undefined, { any: 1 })).seen).toEqual({ any: 1 });
  });
});
