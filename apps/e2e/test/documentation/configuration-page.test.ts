import { configurationSchema } from "@openclaw/gateway";
import { describe, expect, it } from "vitest";
import {
  type ConfigurationSchema,
  configurationKeys,
  configurationPage,
} from "../../src/documentation/configuration-page.js";

const schema: ConfigurationSchema = {
  properties: {
    store: {
      description: "Rows.",
      "x-applies": "live",
      properties: {
        url: { type: "string", description: "file:<path> or a|b." },
        days: {
          anyOf: [{ type: "number", exclusiveMinimum: 0 }, { const: "forever" }],
          default: 30,
          description: "Days.",
        },
        rest: { type: "integer", minimum: 1, "x-applies": "restart", description: "Rest." },
      },
    },
    limits: {
      "x-key": "tool",
      description: "Calls.",
      patternProperties: { "^.*$": { type: "integer", minimum: 1, maximum: 9 } },
    },
    rules: {
      description: "Rules.",
      type: "array",
      items: { properties: { on: { type: "boolean", description: "On." } } },
    },
  },
};

describe("configuration keys", () => {
  it("are paths through objects, maps and lists, with the live-update setting", () => {
    expect(configurationKeys(schema).map(({ path, isLive }) => [path, isLive])).toEqual([
      ["store.url", true],
      ["store.days", true],
      ["store.rest", false],
      ["limits.<tool>", false],
      ["rules[].on", false],
    ]);
  });

  it("all have a description in the gateway's schema", () => {
    const ours: ConfigurationSchema = JSON.parse(JSON.stringify(configurationSchema));
    const keys = configurationKeys(ours);
    expect(keys.length).toBeGreaterThan(100);
    const without = keys.filter(({ schema }) => !schema.description);
    expect(without.map(({ path }) => path)).toEqual([]);
    for (const [name, section] of Object.entries(ours.properties ?? {})) {
      expect(section.description, name).toBeTypeOf("string");
    }
  });
});

describe("configuration page", () => {
  it("shows key, type, default, when a change applies, and description", () => {
    const page = configurationPage(schema);
    for (const row of [
      "| `store.url` | string |  | live | `file:<path>` or a\\|b. |",
      '| `store.days` | number, above 0 or `"forever"` | `30` | live | Days. |',
      "| `store.rest` | integer, at least 1 |  | at start | Rest. |",
      "| `limits.<tool>` | integer, 1 to 9 |  | at start | Calls. |",
      "| `rules[].on` | `true`, `false` |  | at start | On. |",
    ]) {
      expect(page).toContain(`\n${row}\n`);
    }
  });
});
