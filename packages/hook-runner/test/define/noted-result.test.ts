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

describe("results with a note", () => {
  it("return result and note to callers of `detailed`, and the result alone to others", async () => {
    const note = { why: "harmless" };
    const { runner } = registered(new NotedResult({ guidance: "go on" }, note));
    const details = await runner.detailed("check", EVENT, {});
    expect(details.contributions).toMatchObject([{ result: { guidance: "go on" } }]);
    expect(details.contributions[0]?.note).toBe(note);
    expect(details.called).toMatchObject([{ owner: "p", hook: "check" }]);
    expect(await runner.decide("check", EVENT, {})).toEqual({ guidance: "go on" });
  });

  it.each([[undefined], [null], [{}]])(
    "accept %j, which does not count as a result",
    async (result) => {
      const { runner } = registered(new NotedResult(result, "noted"));
      const details = await runner.detailed("check", EVENT, {});
      expect(details.result).toBeUndefined();
      expect(details.contributions).toMatchObject([{ result: {}, note: "noted" }]);
    },
  );

  it("are malformed when their result is malformed", async () => {
    const { runner } = registered(new NotedResult({ block: "yes" }, "noted"));
    const details = await runner.detailed("check", EVENT, {});
    expect(details).toMatchObject({ outcome: "denied", contributions: [] });
  });

  it("are malformed when an ordinary handler returns them", async () => {
    const { runner } = registered(new NotedResult({ guidance: "no" }, "noted"), "ordinary");
    const details = await runner.detailed("check", EVENT, {});
    expect(details).toMatchObject({ outcome: "denied", contributions: [] });
    expect(runner.counters().hooks.check.failed).toEqual({ HOOK_MALFORMED: 1 });
  });
});
