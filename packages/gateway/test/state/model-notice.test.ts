import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import type { ModelChoice } from "@openclaw/models";
import { describe, expect, it } from "vitest";
import { openStateFolder } from "../../src/state/folder.js";
import { announceModel } from "../../src/state/model-notice.js";

const demo: ModelChoice = {
  ref: "demo/echo",
  reason: "demo",
  source: "no model key",
  paid: false,
  setupHints: [],
};
const paid: ModelChoice = {
  ref: "openai/gpt-4o",
  reason: "environment",
  source: "OPENAI_API_KEY",
  paid: true,
  setupHints: [],
};

describe("announceModel", () => {
  it("reports the change, its reason, the cost and how to return", () => {
    using folder = temporaryFolder();
    const state = openStateFolder(folder.path);
    expect(announceModel(state, demo)).toBeUndefined();
    const notice = announceModel(state, paid);
    for (const word of ["OPENAI_API_KEY", "openai/gpt-4o", "cost money", "--model demo/echo"]) {
      expect(notice?.text).toContain(word);
    }
    expect(announceModel(state, paid)).toBeUndefined();
  });

  it.each([
    ["at the first start", [paid]],
    ["when the operator named the model", [demo, { ...paid, reason: "requested" as const }]],
    ["when the new model is free", [demo, { ...paid, paid: false }]],
    ["from one paid model to another", [paid, { ...paid, ref: "anthropic/claude" }]],
    ["back to the demo model", [paid, demo]],
  ])("returns no notice %s", (_, starts) => {
    using folder = temporaryFolder();
    const state = openStateFolder(folder.path);
    expect(starts.map((model) => announceModel(state, model))).toEqual(starts.map(() => undefined));
  });

  it.each(["", "{", "null", "42", '{ "model": 3 }'])(
    "skips the comparison for a damaged file: %j",
    (content) => {
      using folder = temporaryFolder();
      const state = openStateFolder(folder.path);
      folder.write({ "last-model.json": content });
      expect(announceModel(state, paid)).toBeUndefined();
      expect(JSON.parse(readFileSync(join(folder.path, "last-model.json"), "utf8"))).toEqual({
        model: "openai/gpt-4o",
      });
    },
  );

  it("writes a file that only its user can read", () => {
    using folder = temporaryFolder();
    announceModel(openStateFolder(folder.path), demo);
    expect(statSync(join(folder.path, "last-model.json")).mode & 0o777).toBe(0o600);
  });
});
