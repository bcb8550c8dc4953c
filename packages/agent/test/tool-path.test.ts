import type { HookHandler } from "@openclaw/plugin-sdk/hooks";
import type { ToolOutput } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../src/index.js";
import { temporaryWorkspace } from "./temporary-workspace.js";
import { calling, plugin, textOf, tool, turnHost } from "./turn-host.js";

/** A plugin of one handler of before_tool_call. */
function guard(id: string, handler: HookHandler<"before_tool_call">) {
  return plugin(id, (api) => void api.on("before_tool_call", handler));
}

/** What the model was told of a call, in the request after it. */
function answerInRequest(request: { prompt: readonly unknown[] } | undefined): unknown {
  return request?.prompt.find((message) => (message as { role: string }).role === "tool");
}

describe("guidance", () => {
  it("follows the result, labelled by plugin, for the model and in the transcript", async () => {
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

  it("comes with a failure, too", async () => {
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

  it("is at most 4000 characters in all", async () => {
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

describe("the events of a call", () => {
  it("tell its start and its end, with one line of the result", async () => {
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

describe("an answer", () => {
  it("carries details for clients, which no model is shown", async () => {
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

  it("goes without details that lead back to themselves", async () => {
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

  it("is synthetic where the host made it: refused, timed out, or interrupted", async () => {
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

describe("the core tools", () => {
  const PNG =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  it("work in a turn: what read finds, the model is shown", async () => {
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

  it("show images to the model, and observers count them", async () => {
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

  it("ask before they write", async () => {
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
