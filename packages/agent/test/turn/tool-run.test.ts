import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { runTool } from "../../src/index.js";
import { approver, OWNER } from "../support/authorized-call.js";
import { NOW, plugin, type TurnHostOptions, textOf, tool, turnHost } from "../support/turn-host.js";

/** Runs one call of `work` outside a conversation. */
async function running(options: TurnHostOptions, toolName = "work", params = {}) {
  const host = await turnHost(options);
  const call = { toolCallId: "call-1", toolName, params };
  const { text: _text, ...request } = host.request();
  return { host, message: await runTool(call, request, host.services, host.pin) };
}

const work: AnyAgentTool = tool("work");

describe("runTool", () => {
  it("returns the tool's result and writes no transcript", async () => {
    const { host, message } = await running({ coreTools: [work] });
    expect(message).toEqual({
      role: "toolResult",
      toolCallId: "call-1",
      toolName: "work",
      isError: false,
      content: [{ type: "text", text: "work ran" }],
      timestamp: NOW,
    });
    expect(await host.transcript()).toEqual([]);
    expect(host.requests).toEqual([]);
    expect(host.events.map(({ type }) => type)).toEqual(["tool-started", "tool-finished"]);
  });

  it("uses the tool-call pipeline: hooks receive the call with model and run", async () => {
    const seen: unknown[] = [];
    const { message } = await running({
      plugins: [
        plugin("guard", (api) => {
          api.registerTool(work);
          api.on("before_tool_call", ({ toolName }, { runId, modelId }) => {
            seen.push([toolName, runId, modelId]);
            return { block: true, blockReason: "not today" };
          });
        }),
      ],
    });
    expect(message.isError).toBe(true);
    expect(textOf(message)).toBe("Tool blocked: not today");
    expect(seen).toEqual([["work", "run-1", "script"]]);
  });

  it.each<[string, TurnHostOptions, string, object, string]>([
    ["no such tool", {}, "nothing", {}, "Unknown tool: nothing"],
    [
      "a tool that policy denies",
      { layers: [{ layer: "global", deny: ["work"] }] },
      "work",
      {},
      "Tool work is not allowed here (global: work)",
    ],
    [
      "no object of arguments",
      {},
      "work",
      [],
      "Invalid parameters for work: arguments must be object",
    ],
  ])("rejects %s", async (_what, options, name, params, text) => {
    const { message } = await running({ coreTools: [work], ...options }, name, params);
    expect(textOf(message)).toBe(text);
  });

  it("requires approval as a turn would", async () => {
    const { message } = await running({ coreTools: [tool("work", { approval: "always" })] });
    expect(textOf(message)).toContain("no approver reachable");
  });

  it("waits for the approver's decision, and runs once", async () => {
    const host = await turnHost({ coreTools: [tool("work", { approval: "always" })] });
    const { text: _text, ...request } = host.request();
    const call = { toolCallId: "call-1", toolName: "work", params: {} };
    const person = approver("allow-once");
    const asked = { ...request, approver: person };
    const message = await runTool(call, asked, host.services, host.pin);
    expect(textOf(message)).toBe("work ran");
    expect(person.asked).toMatchObject([{ tool: "work", toolCallId: "call-1" }]);
    expect(host.events.map(({ type }) => type)).toEqual(["tool-started", "tool-finished"]);
  });

  it("cancels its approval request when it is interrupted", async () => {
    const host = await turnHost({ coreTools: [tool("work", { approval: "always" })] });
    const controller = new AbortController();
    const { text: _text, ...request } = host.request({ signal: controller.signal });
    const silent = {
      actor: OWNER,
      ask() {
        controller.abort();
        return new Promise<never>(() => {});
      },
    };
    const call = { toolCallId: "call-1", toolName: "work", params: {} };
    const asked = { ...request, approver: silent };
    const message = await runTool(call, asked, host.services, host.pin);
    expect(textOf(message)).toBe("Tool aborted");
    expect(await host.store.decisions.approvals.list()).toMatchObject([{ state: "cancelled" }]);
  });

  it("throws for a model that does not exist", async () => {
    const host = await turnHost();
    const { text: _text, ...request } = host.request({ model: "nobody/nothing" });
    const call = { toolCallId: "call-1", toolName: "work", params: {} };
    await expect(runTool(call, request, host.services, host.pin)).rejects.toMatchObject({
      code: "MODEL_NOT_FOUND",
    });
  });
});
