import type { AgentMessage, ToolDefinition } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { deferred } from "../support/deferred.js";
import { calling, plugin, textOf, tool, turnHost } from "../support/turn-host.js";

/** Tools that note when they begin and end. */
function observedTools() {
  const order: string[] = [];
  const observed = (name: string, changes: Partial<ToolDefinition> = {}) =>
    tool(name, {
      async execute(toolCallId) {
        order.push(`${toolCallId} begins`);
        await Promise.resolve();
        order.push(`${toolCallId} ends`);
        return `${name} as ${toolCallId}`;
      },
      ...changes,
    });
  return { observed, order };
}

function callIds(messages: readonly AgentMessage[]): string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "toolCall" ? [part.toolCallId] : [])),
  );
}

describe("calls of one reply", () => {
  it("[TURN-040] run one after another", async () => {
    const { observed, order } = observedTools();
    const host = await turnHost({
      script: [calling("a", "b"), { text: "done" }],
      coreTools: [observed("a"), observed("b", { parallelSafe: true })],
    });
    await host.run();
    expect(order).toEqual(["call-1 begins", "call-1 ends", "call-2 begins", "call-2 ends"]);
  });

  it("[TURN-040] run in parallel when neighbours are parallel-safe, four at most, and keep their order", async () => {
    const order: string[] = [];
    const together = new Map([
      ["call-1", deferred()],
      ["call-7", deferred()],
    ]);
    // The first call of a batch ends only after the last one has started: run in sequence they would hang.
    const last = new Map([
      ["call-4", "call-1"],
      ["call-8", "call-7"],
    ]);
    const observed = (name: string, parallelSafe: boolean) =>
      tool(name, {
        parallelSafe,
        async execute(toolCallId) {
          order.push(`${toolCallId} begins`);
          together.get(last.get(toolCallId) ?? "")?.resolve();
          await together.get(toolCallId)?.promise;
          order.push(`${toolCallId} ends`);
          return name;
        },
      });
    const host = await turnHost({
      script: [calling("a", "a", "a", "a", "a", "b", "a", "a"), { text: "done" }],
      coreTools: [observed("a", true), observed("b", false)],
    });
    await host.run();
    const begun = order.filter((step) => step.endsWith("begins")).map((step) => step.slice(5, 6));
    expect(begun.join("")).toBe("12345678");
    expect(order.indexOf("call-5 begins")).toBeGreaterThan(order.indexOf("call-1 ends"));
    expect(order.indexOf("call-6 begins")).toBeGreaterThan(order.indexOf("call-5 ends"));
    expect(order.indexOf("call-7 begins")).toBeGreaterThan(order.indexOf("call-6 ends"));
    const results = await host.toolResults();
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(callIds(await host.transcript()));
  });

  it("[TURN-040] run in parallel up to tools.maxParallel, each with its own hooks", async () => {
    const order: string[] = [];
    const host = await turnHost({
      script: [calling("a", "a"), { text: "done" }],
      maxParallelCalls: 1,
      coreTools: [
        tool("a", {
          parallelSafe: true,
          async execute(toolCallId) {
            order.push(`${toolCallId} begins`);
            await Promise.resolve();
            order.push(`${toolCallId} ends`);
            return "done";
          },
        }),
      ],
      plugins: [
        plugin("guard", (api) => {
          api.on(
            "before_tool_call",
            ({ toolCallId }) => void order.push(`${toolCallId} evaluated`),
          );
        }),
      ],
    });
    await host.run();
    const steps = ["evaluated", "begins", "ends"];
    expect(order).toEqual(
      ["call-1", "call-2"].flatMap((id) => steps.map((step) => `${id} ${step}`)),
    );
  });

  it("[TURN-040] return their results in call order, regardless of which ends first", async () => {
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

  it("[TURN-482] run after the result of the call before went through tool_result_persist and is stored", async () => {
    const order: string[] = [];
    const watcher = plugin("watcher", (api) => {
      api.on("before_tool_call", ({ toolName }) => void order.push(`before ${toolName}`));
      api.on("after_tool_call", ({ toolName }) => void order.push(`after ${toolName}`));
      api.on("tool_result_persist", ({ toolName }) => void order.push(`persist ${toolName}`));
    });
    const host = await turnHost({
      plugins: [watcher],
      script: [calling("one", "two"), { text: "done" }],
      coreTools: [
        tool("one", { execute: () => "first" }),
        tool("two", {
          execute: async () => textOf((await host.toolResults())[0]),
        }),
      ],
    });
    await host.run();
    const each = (name: string) => [`before ${name}`, `after ${name}`, `persist ${name}`];
    expect(order).toEqual([...each("one"), ...each("two")]);
    // The second tool read the transcript, which had the first result.
    expect((await host.toolResults()).map(textOf)).toEqual(["first", "first"]);
  });

  it("fail independently", async () => {
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

describe("malformed call", () => {
  it.each<[string, string, string]>([
    ["whose arguments are no JSON", '{"path": ', "The arguments are not usable as JSON"],
    ["whose arguments would reach a prototype", '{"__proto__": {}}', '"__proto__" is not allowed'],
  ])(
    "[LLM-038] %s is answered with the problem; the others run",
    async (_what, rawParams, problem) => {
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
    },
  );
});

describe("calls with the same ID", () => {
  it("are distinguished, in one reply and across several", async () => {
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
