import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { changeConfiguration } from "../../src/changes/change.js";
import type { EntryCheck } from "../../src/changes/entry-check.js";
import { valueAt } from "../../src/index.js";

const RULES = ["plugins", "entries", "guard", "config", "rules"] as const;
const LIMIT = ["plugins", "entries", "guard", "config", "limit"] as const;

/** Rejects each rule that is "bad", a limit below 0, and settings without a limit. */
const checkEntries: EntryCheck = async ({ value, file = "" }) => {
  const problem = (key: string, message: string) => ({ key, message, file, line: 1, column: 1 });
  const rules: unknown = valueAt(value, RULES);
  const limit = valueAt(value, LIMIT);
  const config = RULES.slice(0, -1).join(".");
  return [
    ...(Array.isArray(rules) ? rules : []).flatMap((rule, index) =>
      rule === "bad" ? [problem(`${RULES.join(".")}[${index}]`, "is bad")] : [],
    ),
    ...(typeof limit === "number" && limit < 0 ? [problem(LIMIT.join("."), "is below 0")] : []),
    ...(limit === undefined ? [problem(config, "lacks a limit")] : []),
  ];
};

describe("problems that the file already has", () => {
  it("[GW-441] are warnings of a change of other values, and errors of one that writes them again", async () => {
    using folder = temporaryFolder();
    folder.write({
      "openclaw.json": `{ plugins: { entries: { guard: { config: { rules: ["bad"], limit: 1 } } } } }`,
    });
    const file = join(folder.path, "openclaw.json");
    const change = (path: readonly [string, ...string[]], value: unknown) =>
      changeConfiguration(file, [[path, value]], { checkEntries });
    const { entryWarnings } = await change(LIMIT, 2);
    expect(entryWarnings).toMatchObject([{ key: `${RULES.join(".")}[0]`, message: "is bad" }]);
    expect(readFileSync(file, "utf8")).toContain("limit: 2");

    await expect(change(RULES, ["bad", "good"])).rejects.toThrow("is bad");
    await expect(change(LIMIT, -1)).rejects.toThrow("is below 0");
    // What is wrong above the changed key, by the change.
    await expect(change(LIMIT, undefined)).rejects.toThrow("lacks a limit");
    expect(readFileSync(file, "utf8")).toContain("limit: 2");

    expect((await change(RULES, ["good"])).entryWarnings).toEqual([]);
  });
});
