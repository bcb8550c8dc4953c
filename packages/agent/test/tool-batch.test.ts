import type { AgentMessage, ToolDefinition } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { deferred } from "./deferred.js";
import { calling, textOf, tool, turnHost } from "./turn-host.js";

/** Tools that note when they begin and end, and how many run at once. */
function observedTools() {
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const observed = (name: string, changes: Partial<ToolDefinition> = {}) =>
    tool(name, {
      async execute(toolCallId) {
        order.push(`${toolCallId} begins`);
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        order.push(`${toolCallId} ends`);
        return `${name} as ${toolCallId}`;
      },
      ...changes,
    });
  return { observed, order, most: () => most };
}

function callIds(messages: readonly AgentMessage[]): string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "toolCall" ? [part.toolCallId] : [])),
  );
}

describe("calls of one reply", () => {
  it("run one after another", async () => {
    const { observed, order } = observedTools();
    const host = await turnHost({
      script: [calling("a", "b"), { text: "done" }],
      coreTools: [observed("a"), observed("b", { parallelSafe: true })],
    });
    await host.run();
    expect(order).toEqual(["call-1 begins", "call-1 ends", "call-2 begins", "call-2 ends"]);
  });

  it("run together where neighbours are parallel-safe, four at most, and keep their order", async () => {
    const { observed, order, most } = observedTools();
    const host = await turnHost({
      script: [calling("a", "a", "a", "a", "a", "b", "a", "a"), { text: "done" }],
      coreTools: [observed("a", { parallelSafe: true }), observed("b")],
    });
    await host.run();
    expect(most()).toBe(4);
    const begun = order.filter((step) => step.endsWith("begins")).map((step) => step.slice(5, 6));
    expect(begun.join("")).toBe("12345678");
    expect(order.indexOf("call-5 begins")).toBeGreaterThan(order.indexOf("call-4 ends"));
    expect(order.indexOf("call-6 begins")).toBeGreaterThan(order.indexOf("call-5 ends"));
    expect(order.indexOf("call-8 begins")).toBeLessThan(order.indexOf("call-7 ends"));
    const results = await host.toolResults();
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(callIds(await host.transcript()));
  });

  it("are answered in their order, whichever ends first", async () => {
    const second = deferred();
    const host = await turnHost({
      script: [calling("slow", "quick"), { text: "done" }],
      coreTools: [
        tool("slow", {
          parallelSafe: true,
          async execute() {
            await second.promise;
            return "slow";
          },
        }),
        tool("quick", {
          parallelSafe: true,
          execute() {
            second.resolve();
            return "quick";
          },
        }),
      ],
    });
    await host.run();
    expect((await host.toolResults()).map(textOf)).toEqual(["slow", "quick"]);
  });

  it("fail each for itself", async () => {
    const host = await turnHost({
      script: [calling("bad", "good"), { text: "done" }],
      coreTools: [
        tool("bad", { parallelSafe: true, execute: () => Promise.reject(new Error("broken")) }),
        tool("good", { parallelSafe: true }),
      ],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect((await host.toolResults()).map(textOf)).toEqual(["bad failed: broken", "good ran"]);
  });
});

describe("a call that cannot be read", () => {
  it.each<[string, string, string]>([
    ["whose arguments are no JSON", '{"path": ', "The arguments are not usable as JSON"],
    ["whose arguments would reach a prototype", '{"__proto__": {}}', '"__proto__" is not allowed'],
  ])("%s is answered with the problem; the others run", async (_what, rawParams, problem) => {
    const host = await turnHost({
      script: [
        { toolCalls: [{ toolName: "work", rawParams }, { toolName: "work" }] },
        { text: "done" },
      ],
      coreTools: [tool("work", { parallelSafe: true })],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    const [bad, good] = await host.toolResults();
    expect(bad).toMatchObject({ toolCallId: "call-1", toolName: "work", isError: true });
    expect(textOf(bad)).toContain(problem);
    expect(textOf(good)).toBe("work ran");
    const [, asked] = await host.transcript();
    expect(asked?.content[0]).toMatchObject({ type: "toolCall", params: rawParams });
  });
});

describe("calls with one id", () => {
  it("are told apart, in one reply and over several", async () => {
    const twice = { toolName: "work", toolCallId: "same" };
    const host = await turnHost({
      script: [{ toolCalls: [twice, twice] }, { toolCalls: [twice] }, { text: "done" }],
      coreTools: [tool("work", { execute: (toolCallId) => `ran as ${toolCallId}` })],
    });
    await host.run();
    const ids = callIds(await host.transcript());
    expect(new Set(ids).size).toBe(3);
    const results = await host.toolResults();
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(ids);
    expect(results.map(textOf)).toEqual(ids.map((id) => `ran as ${id}`));
  });
});
