import { createCoreTools } from "@openclaw/core-tools";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import type { HookHandler } from "@openclaw/plugin-sdk/hooks";
import type { ToolOutput } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import type { TurnRequest } from "../../src/index.js";
import { OWNER } from "../support/authorized-call.js";
import {
  calling,
  NOW,
  plugin,
  type TurnHostOptions,
  textOf,
  tool,
  turnHost,
} from "../support/turn-host.js";

/** A plugin of one handler of before_tool_call. */
function guard(id: string, handler: HookHandler<"before_tool_call">) {
  return plugin(id, (api) => void api.on("before_tool_call", handler));
}

/** Returns the answer of a call in the next model request. */
function answerInRequest(request: { prompt: readonly unknown[] } | undefined): unknown {
  return request?.prompt.find((message) => (message as { role: string }).role === "tool");
}

describe("hook guidance", () => {
  it("[TURN-035] [HCR-009] follows the result, labelled by plugin, for the model and in the transcript", async () => {
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work")],
      plugins: [
        guard("first", () => ({ guidance: "be brief" })),
        guard("silent", () => ({ guidance: "" })),
        guard("second", () => ({ guidance: "be kind" })),
      ],
    });
    await host.run();
    const [result] = await host.toolResults();
    expect(result?.content).toEqual([
      { type: "text", text: "work ran" },
      { type: "text", text: '[Guidance of plugin "first"]\nbe brief' },
      { type: "text", text: '[Guidance of plugin "second"]\nbe kind' },
    ]);
    expect(answerInRequest(host.requests[1])).toMatchObject({
      content: [{ toolCallId: "call-1", output: { type: "text", value: textOf(result) } }],
    });
  });

  it("[TURN-035] is added to failed results too", async () => {
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work", { execute: () => Promise.reject(new Error("broken")) })],
      plugins: [guard("first", () => ({ guidance: "be brief" }))],
    });
    await host.run();
    const [result] = await host.toolResults();
    expect(result?.isError).toBe(true);
    expect(textOf(result)).toBe('work failed: broken\n[Guidance of plugin "first"]\nbe brief');
  });

  it("[TURN-035] is limited to 4000 characters in total", async () => {
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work")],
      plugins: [
        guard("first", () => ({ guidance: "a".repeat(3000) })),
        guard("second", () => ({ guidance: "b".repeat(3000) })),
        guard("third", () => ({ guidance: "c" })),
      ],
    });
    await host.run();
    const [result] = await host.toolResults();
    expect(result?.content.slice(1)).toEqual([
      { type: "text", text: `[Guidance of plugin "first"]\n${"a".repeat(3000)}` },
      { type: "text", text: `[Guidance of plugin "second"]\n${"b".repeat(1000)}` },
    ]);
  });
});

describe("tool-call pipeline", () => {
  it("[TURN-031] runs its steps in order, from the lookup to the transcript", async () => {
    const steps: string[] = [];
    const host = await turnHost({
      script: [
        { toolCalls: [{ toolName: "work", params: { path: "asked" } }] },
        { toolCalls: [{ toolName: "work", params: { path: "asked" } }] },
        { text: "done" },
      ],
      coreTools: [
        tool("work", {
          parameters: { type: "object", properties: { path: { type: "string" } } },
          approval: "always",
          async execute() {
            const journal = await host.store.turns.journal.load("run-1");
            const intended = journal.some(({ step }) => step.kind === "tool-intended");
            steps.push(intended ? "executed, after its intent was stored" : "executed");
            throw new Error("broken");
          },
        }),
      ],
      plugins: [
        plugin("watcher", (api) => {
          api.registerTrustedToolPolicy({
            id: "watch",
            description: "Watches.",
            evaluate: ({ params }) => void steps.push(`policy sees ${params.path}`),
          });
          api.on("before_tool_call", () => {
            steps.push("hook");
            return { params: { path: "rewritten" }, requestReconsideration: true };
          });
          api.on("tool_error", () => void steps.push("tool_error"));
          api.on("after_tool_call", () => void steps.push("after_tool_call"));
          api.on("tool_result_persist", () => void steps.push("tool_result_persist"));
          api.on("before_message_write", ({ message }) => {
            if (message.role === "toolResult") steps.push("before_message_write");
          });
        }),
      ],
    });
    const person = {
      actor: OWNER,
      async ask() {
        steps.push("approval");
        return { decision: "allow-once", via: "test" } as const;
      },
    };
    const onEvent: TurnRequest["onEvent"] = (event) => {
      if (event.type === "message" && event.message.role === "toolResult") steps.push("written");
    };
    await host.run({ approver: person, onEvent });
    const evaluated = ["policy sees asked", "hook", "policy sees rewritten"];
    const stored = ["tool_result_persist", "before_message_write", "written"];
    const ran = ["executed, after its intent was stored", "tool_error", "after_tool_call"];
    expect(steps).toEqual([
      ...evaluated,
      ...stored,
      ...evaluated,
      "approval",
      "policy sees rewritten",
      ...ran,
      ...stored,
    ]);
  });
});

describe("denied call", () => {
  const blocking = guard("strict", () => ({ block: true, blockReason: "not today" }));
  const denied = (decider: string) => ({ tool: "work", toolCallId: "call-1", decider, at: NOW });

  it.each<[string, TurnHostOptions, string]>([
    ["a plugin", { plugins: [blocking] }, "plugin:strict"],
    ["policy", { layers: [{ layer: "global", deny: ["work"] }] }, "policy:global"],
    ["the lack of an approval", { coreTools: [tool("work", { approval: "always" })] }, "approval"],
    ["safety", { plugins: [guard("a", () => ({ params: { path: "a/.env" } }))] }, "safety"],
  ])(
    "[TURN-034] [HCR-021] adds an event and an audit log entry when denied by %s, and the turn continues",
    async (_by, options, decider) => {
      const told: string[] = [];
      const persisted: unknown[] = [];
      const { plugins = [], ...others } = options;
      const host = await turnHost({
        script: [calling("work"), { text: "done" }],
        coreTools: [tool("work")],
        ...others,
        plugins: [
          ...plugins,
          plugin("witness", (api) => {
            api.on("tool_error", () => void told.push("tool_error"));
            api.on("after_tool_call", () => void told.push("after_tool_call"));
            api.on("tool_result_persist", ({ isSynthetic }) => void persisted.push(isSynthetic));
            api.on("before_message_write", ({ message }) => void persisted.push(message.role));
          }),
        ],
      });
      expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
      const event = { type: "tool-blocked", toolCallId: "call-1", toolName: "work", decider };
      expect(host.events.filter(({ type }) => type === "tool-blocked")).toEqual([event]);
      expect(await host.store.decisions.toolAuditLog.list()).toEqual([
        { ...denied(decider), runId: "run-1", sessionKey: "agent:main:main" },
      ]);
      expect(told).toEqual([]);
      expect(persisted).toEqual(["user", "assistant", true, "toolResult", "assistant"]);
    },
  );

  it("[TURN-034] [HCR-021] adds only the audit log entry on reconsideration, until the call is repeated", async () => {
    const host = await turnHost({
      script: [calling("work"), calling("work"), { text: "done" }],
      coreTools: [tool("work")],
      plugins: [guard("wary", () => ({ requestReconsideration: true }))],
    });
    await host.run();
    expect(host.events.filter(({ type }) => type === "tool-blocked")).toEqual([]);
    expect(await host.store.decisions.toolAuditLog.list()).toMatchObject([denied("plugin:wary")]);
    expect((await host.toolResults()).map(({ isError }) => isError)).toEqual([true, false]);
  });

  it("has no decider when its tool or arguments are invalid", async () => {
    const strict = { type: "object", properties: {}, additionalProperties: false };
    const host = await turnHost({
      script: [
        { toolCalls: [{ toolName: "work", params: { a: 1 } }, { toolName: "nothing" }] },
        { text: "done" },
      ],
      coreTools: [tool("work", { parameters: strict })],
    });
    await host.run();
    expect(host.events.filter(({ type }) => type === "tool-blocked")).toEqual([]);
    expect(await host.store.decisions.toolAuditLog.list()).toEqual([]);
  });
});

describe("result details", () => {
  const answering = (details: unknown) =>
    turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [
        tool("work", {
          execute: () => ({ content: [{ type: "text", text: "ok" }], details }) as ToolOutput,
        }),
      ],
    });

  it("[TURN-043] [HCR-014] are complete in the event, truncated in the transcript, and absent from model requests", async () => {
    const details = { marker: "d".repeat(100_000) };
    const host = await answering(details);
    await host.run();
    const finished = host.events.find(({ type }) => type === "tool-finished");
    expect(finished).toMatchObject({ outcome: "ok", details });
    const [result] = await host.toolResults();
    expect(result).toMatchObject({
      persistedDetailsTruncated: true,
      details: { keys: ["marker"] },
    });
    expect(JSON.stringify(host.requests)).not.toContain("marker");
    await host.run();
    expect(JSON.stringify(host.requests)).not.toMatch(/marker|persistedDetailsTruncated/);
  });

  it("[TURN-043] are omitted from the event above 256 KiB, and when JSON cannot hold them", async () => {
    const large = await answering("x".repeat(256 * 1024));
    await large.run();
    expect(large.events.find(({ type }) => type === "tool-finished")).not.toHaveProperty("details");
    expect((await large.toolResults())[0]).toMatchObject({ persistedDetailsTruncated: true });
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const cyclic = await answering(cycle);
    await cyclic.run();
    expect(cyclic.events.find(({ type }) => type === "tool-finished")).not.toHaveProperty(
      "details",
    );
    expect((await cyclic.toolResults())[0]).not.toHaveProperty("details");
  });
});

describe("call events", () => {
  it("report start and end, with one line of the result", async () => {
    const host = await turnHost({
      script: [
        { toolCalls: [{ toolName: "work", params: { a: 1 } }] },
        calling("fail", "missing"),
        { text: "done" },
      ],
      coreTools: [
        tool("work", { execute: () => "two\nlines" }),
        tool("fail", { execute: () => Promise.reject(new Error("broken")) }),
      ],
    });
    await host.run();
    const durationMs = expect.any(Number);
    expect(host.events.filter(({ type }) => type.startsWith("tool"))).toEqual([
      { type: "tool-started", toolCallId: "call-1", toolName: "work", params: { a: 1 } },
      {
        type: "tool-finished",
        toolCallId: "call-1",
        toolName: "work",
        outcome: "ok",
        preview: "two lines",
        durationMs,
      },
      { type: "tool-started", toolCallId: "call-2", toolName: "fail", params: {} },
      {
        type: "tool-finished",
        toolCallId: "call-2",
        toolName: "fail",
        outcome: "error",
        preview: "fail failed: broken",
        durationMs,
      },
      { type: "tool-started", toolCallId: "call-3", toolName: "missing", params: {} },
      {
        type: "tool-finished",
        toolCallId: "call-3",
        toolName: "missing",
        outcome: "refused",
        preview: "Unknown tool: missing",
        durationMs: 0,
      },
    ]);
  });
});

describe("call result", () => {
  it("carries details for clients that models do not receive", async () => {
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [
        tool("work", {
          execute: () => ({ content: [{ type: "text", text: "hi" }], details: { secret: 42 } }),
        }),
      ],
    });
    await host.run();
    expect((await host.toolResults())[0]).toMatchObject({ details: { secret: 42 } });
    expect(JSON.stringify(host.requests[1]?.prompt)).not.toContain("42");
  });

  it("omits circular details", async () => {
    const details: Record<string, unknown> = {};
    details.self = details;
    const output = { content: [{ type: "text" as const, text: "hi" }], details };
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work", { execute: (): ToolOutput => output })],
    });
    expect(await host.run()).toMatchObject({ status: "completed" });
    const [result] = await host.toolResults();
    expect(result).toMatchObject({ isError: false, content: output.content });
    expect(result).not.toHaveProperty("details");
  });

  it("is synthetic if the host made it: denied, timed out, or interrupted", async () => {
    const marks: [string, unknown][] = [];
    const controller = new AbortController();
    const host = await turnHost({
      script: [calling("work", "fail", "slow", "missing", "stop", "work")],
      coreTools: [
        tool("work"),
        tool("fail", { execute: () => Promise.reject(new Error("broken")) }),
        tool("slow", { timeoutMs: 1, execute: () => new Promise(() => {}) }),
        tool("stop", {
          execute: () => {
            controller.abort();
            return new Promise(() => {});
          },
        }),
      ],
      plugins: [
        plugin("reader", (api) => {
          api.on("tool_result_persist", ({ message, isSynthetic }) => {
            marks.push([textOf(message), isSynthetic]);
          });
        }),
      ],
    });
    await host.run({ signal: controller.signal });
    expect(marks).toEqual([
      ["work ran", false],
      ["fail failed: broken", false],
      ["Tool timed out after 1 ms", true],
      ["Unknown tool: missing", true],
      ["Tool aborted", true],
      ["Tool aborted", true],
    ]);
  });
});

describe("core tools in a turn", () => {
  const PNG =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  it("return to the model what read finds", async () => {
    const workspace = await temporaryWorkspace();
    await workspace.file("workspace/notes.md", "remember the milk");
    const host = await turnHost({
      script: [
        { toolCalls: [{ toolName: "read", params: { path: "notes.md" } }] },
        ({ prompt }) => ({
          text: JSON.stringify(prompt).includes("remember the milk") ? "milk" : "nothing",
        }),
      ],
      coreTools: createCoreTools({ ...workspace, environment: {} }),
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "milk" });
  });

  it("send images to the model, and observers count them", async () => {
    const workspace = await temporaryWorkspace();
    await workspace.file("workspace/dot.png", Buffer.from(PNG, "base64"));
    const counts: number[] = [];
    const host = await turnHost({
      script: [
        { toolCalls: [{ toolName: "read", params: { path: "dot.png" } }] },
        { text: "a dot" },
      ],
      coreTools: createCoreTools({ ...workspace, environment: {} }),
      plugins: [
        plugin("counter", (api) => {
          api.on("llm_input", ({ imagesCount }) => void counts.push(imagesCount));
        }),
      ],
    });
    await host.run();
    const [result] = await host.toolResults();
    expect(result?.content).toContainEqual({ type: "image", data: PNG, mimeType: "image/png" });
    expect(JSON.stringify(host.requests[1]?.prompt)).toContain(PNG);
    expect(counts).toEqual([0, 1]);
  });

  it("request approval before they write", async () => {
    const workspace = await temporaryWorkspace();
    const host = await turnHost({
      script: [
        { toolCalls: [{ toolName: "write", params: { path: "a.txt", content: "hi" } }] },
        { text: "done" },
      ],
      coreTools: createCoreTools({ ...workspace, environment: {} }),
    });
    await host.run();
    expect(textOf((await host.toolResults())[0])).toContain("no approver reachable");
  });
});
