import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePolicy, PolicySnapshotError, policyFromSnapshot } from "../../src/index.js";
import { core, OWNER } from "../support/decision-input.js";
import { anyContext, anyGroups, anyLayers, anyTool } from "../support/vocabulary.js";

describe("policy snapshot", () => {
  it("restores a policy that explains identically, for any rules", () => {
    const anyQuestion = fc.tuple(anyLayers, anyGroups, anyTool, anyContext);
    fc.assert(
      fc.property(anyQuestion, ([layers, members, tool, context]) => {
        const groups = Object.entries(members).map(([name, list]) => ({ name, members: list }));
        const policy = compilePolicy(layers, { groups, tools: [tool], default: "deny" });
        const again = policyFromSnapshot(JSON.parse(policy.snapshot.text));
        expect(again.explain(tool, context)).toEqual(policy.explain(tool, context));
        expect(again.snapshot).toEqual(policy.snapshot);
      }),
    );
  });

  it("differs when a rule moved in its file, even if the rules mean the same", () => {
    const [one, other] = [3, 4].map((line) =>
      compilePolicy([
        {
          layer: "global",
          deny: [{ value: "exec", source: { key: "tools.deny", file: "a", line } }],
        },
      ]),
    );
    expect(one?.hash).toBe(other?.hash);
    expect(one?.snapshot.id).not.toBe(other?.snapshot.id);
    expect(one?.explain(core("exec"), OWNER).decidedBy).toMatchObject({ source: { line: 3 } });
  });

  it.each([
    [null, "it is not an object"],
    [[], "it is not an object"],
    [{ format: 2 }, "it has format 2, and this version reads 1"],
    [{}, "it has format undefined"],
    [{ format: 1, layers: [], groups: [] }, "it lacks the lists"],
  ])("rejects %j", (value, problem) => {
    const read = () => policyFromSnapshot(value);
    expect(read).toThrow(PolicySnapshotError);
    expect(read).toThrow(problem);
    expect(PolicySnapshotError.isInstance(new Error("another"))).toBe(false);
  });
});
