import { readFileSync } from "node:fs";
import { configurationSchema, SECRET_SECTIONS } from "@openclaw/configuration";
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
      properties: {
        url: { type: "string", description: "file:<path> or a|b." },
        days: {
          anyOf: [{ type: "number", exclusiveMinimum: 0 }, { const: "forever" }],
          default: 30,
          description: "Days.",
        },
        rest: { type: "integer", minimum: 1, description: "Rest." },
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
  it("are paths through objects, maps and lists", () => {
    expect(configurationKeys(schema).map(({ path }) => path)).toEqual([
      "store.url",
      "store.days",
      "store.rest",
      "limits.<tool>",
      "rules[].on",
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
    const page = configurationPage(schema, ([section]) =>
      section === "store" ? "hot" : "restart",
    );
    for (const row of [
      "| `store.url` | string |  | hot | `file:<path>` or a\\|b. |",
      '| `store.days` | number, above 0 or `"forever"` | `30` | hot | Days. |',
      "| `store.rest` | integer, at least 1 |  | hot | Rest. |",
      "| `limits.<tool>` | integer, 1 to 9 |  | restart | Calls. |",
      "| `rules[].on` | `true`, `false` |  | restart | On. |",
    ]) {
      expect(page).toContain(`\n${row}\n`);
    }
  });
});

it.each(["docs/operate/configuring.md", "docs/operate/secrets.md", "docs/requirements/gateway.md"])(
  "[GW-521] %s names every section that may refer to a stored secret",
  (page) => {
    const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), "utf8");
    const paragraphs = text.replaceAll("\n", " ").split(/(?:\. |\|)/);
    const list = paragraphs.find((each) =>
      SECRET_SECTIONS.every((key) => each.includes(`\`${key}\``)),
    );
    expect(list).toMatch(/secret|available/);
  },
);
