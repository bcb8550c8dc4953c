import { describe, expect, it } from "vitest";
import { type HookStage, NotedResult } from "../../src/index.js";
import { createFixture } from "../support/fixture.js";

const EVENT = { toolName: "x", params: {} };

function registered(returned: unknown, stage: HookStage = "policy") {
  const fixture = createFixture();
  const handler = () => returned as undefined;
  fixture.runner.register({ name: "check", owner: "p", source: "p", stage, handler });
  return fixture;
}

describe("a result with a note", () => {
  it("gives the caller of `detailed` both, and other callers the result", async () => {
    const note = { why: "harmless" };
    const { runner } = registered(new NotedResult({ guidance: "go on" }, note));
    const details = await runner.detailed("check", EVENT, {});
    expect(details.contributions).toMatchObject([{ result: { guidance: "go on" } }]);
    expect(details.contributions[0]?.note).toBe(note);
    expect(details.called).toMatchObject([{ owner: "p", hook: "check" }]);
    expect(await runner.decide("check", EVENT, {})).toEqual({ guidance: "go on" });
  });

  it.each([[undefined], [null], [{}]])(
    "may hold %j, which does not count as a result",
    async (result) => {
      const { runner } = registered(new NotedResult(result, "noted"));
      const details = await runner.detailed("check", EVENT, {});
      expect(details.result).toBeUndefined();
      expect(details.contributions).toMatchObject([{ result: {}, note: "noted" }]);
    },
  );

  it("is malformed when its result is", async () => {
    const { runner } = registered(new NotedResult({ block: "yes" }, "noted"));
    const details = await runner.detailed("check", EVENT, {});
    expect(details).toMatchObject({ outcome: "denied", contributions: [] });
  });

  it("is malformed from an ordinary handler", async () => {
    const { runner } = registered(new NotedResult({ guidance: "no" }, "noted"), "ordinary");
    const details = await runner.detailed("check", EVENT, {});
    expect(details).toMatchObject({ outcome: "denied", contributions: [] });
    expect(runner.counters().hooks.check.failed).toEqual({ HOOK_MALFORMED: 1 });
  });
});
