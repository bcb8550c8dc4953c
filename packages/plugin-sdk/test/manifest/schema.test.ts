import { describe, expect, it } from "vitest";
import { PLUGIN_MANIFEST_SCHEMA } from "../../src/manifest.js";

describe("manifest.schema.json", () => {
  it("[PLUG-007] is the schema as data, whose type the compiler compares with the manifest's", async () => {
    // Lists of words stand on one line, as the formatter has them.
    const words = /\[\s+("[^[\]{}]*")\s+\]/g;
    const text = JSON.stringify(PLUGIN_MANIFEST_SCHEMA, null, 2).replace(
      words,
      (_list, items: string) => `[${items.replace(/\s+/g, " ")}]`,
    );
    await expect(`${text}\n`).toMatchFileSnapshot("../../manifest.schema.json");
  });

  it("[SDK-341] has an ID that is not the URL of a registry", () => {
    expect(PLUGIN_MANIFEST_SCHEMA.$id).toBe("urn:openclaw:plugin-manifest");
    expect(JSON.stringify(PLUGIN_MANIFEST_SCHEMA)).not.toMatch(/unpkg|npmjs|jsdelivr/);
  });

  it("is deeply frozen", () => {
    const thawed: unknown[] = [];
    (function visit(value: unknown): void {
      if (typeof value !== "object" || value === null) return;
      if (!Object.isFrozen(value)) thawed.push(value);
      for (const part of Object.values(value)) visit(part);
    })(PLUGIN_MANIFEST_SCHEMA);
    expect(thawed).toEqual([]);
  });
});
