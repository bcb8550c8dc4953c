import { describe, expect, it } from "vitest";
import { ruleProblems } from "../../src/rules/examples.js";

const rule = {
  prefix: ["docker", "compose", ["up", "down"]],
  decision: "allow",
  match: ["docker compose up -d", "docker compose down"],
  notMatch: ["docker compose exec web sh", "docker up"],
  note: "the local services",
};

describe("ruleProblems", () => {
  it("[APPR-040] reports examples that contradict the rule", () => {
    expect(ruleProblems([rule])).toEqual([]);
    expect(
      ruleProblems([rule, { ...rule, match: ["docker ps"], notMatch: ["docker compose down -v"] }]),
    ).toMatchObject([
      { path: ["rules", 1, "match", 0], message: expect.stringContaining("does not match") },
      { path: ["rules", 1, "notMatch", 0], message: expect.stringContaining("must not match") },
    ]);
  });

  it("reports examples that are not plain words, which cannot be compared without a shell", () => {
    for (const example of ["docker  compose up", "docker compose 'up'", "docker compose up; id"]) {
      expect(ruleProblems([{ ...rule, match: [example] }])).toMatchObject([
        { path: ["rules", 0, "match", 0], message: expect.stringContaining("plain words") },
      ]);
    }
  });

  it("reports malformed rules, and a sandbox without effect", () => {
    expect(ruleProblems({})).toMatchObject([{ path: ["rules"] }]);
    for (const wrong of [null, {}, { ...rule, prefix: [] }, { ...rule, match: [1] }]) {
      expect(ruleProblems([wrong])).toMatchObject([{ path: ["rules", 0] }]);
    }
    expect(ruleProblems([{ ...rule, match: undefined, note: "" }])).toMatchObject([
      { message: "missing or malformed: `match`, `note`" },
    ]);
    expect(ruleProblems([{ ...rule, decision: "ask", sandbox: "workspace" }])).toMatchObject([
      { path: ["rules", 0, "sandbox"] },
    ]);
  });
});
