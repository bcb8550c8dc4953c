import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import * as root from "../src/index.js";

const parts = Object.keys(manifest.exports)
  .filter((path) => path !== "." && !path.endsWith(".json") && !path.startsWith("./proposals/"))
  .map((path) => path.slice("./".length));

describe("the root of the SDK", () => {
  it.each(parts)(
    "has every value of %s, so that no import of a plugin fails when it runs",
    async (part) => {
      const module: Readonly<Record<string, unknown>> = await import(`../src/${part}.ts`);
      expect(root).toMatchObject(module);
    },
  );

  it("exports only names of the entry points, at most as many as an author can survey", () => {
    const source = readFileSync(join(import.meta.dirname, "../src/index.ts"), "utf8");
    const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\} from "\.\/([\w-]+)\.js";$/gm)];
    const names = lists.flatMap(([, list = ""]) =>
      list.split(",").filter((item) => /\w/.test(item)),
    );
    expect(names.length).toBeLessThanOrEqual(129);
    expect(lists.filter(([, , part = ""]) => !parts.includes(part))).toEqual([]);
    expect(source.match(/^export\b/gm)).toHaveLength(lists.length);
  });
});
