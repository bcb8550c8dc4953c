import { tracingChannel } from "node:diagnostics_channel";
import { describe, expect, it, onTestFinished } from "vitest";
import { answering, createTestHost, message } from "../support/host.js";

const CHANNELS = ["turn", "tool", "hook", "llm", "approval", "channel"];
const TEXTS = ["tell-me", "moon-base", "launched-now", "all-done", "threw-this"];

/** Returns what the tracing channels of the host publish until the end of the test. */
function observe() {
  const seen: { channel: string; kind: string; message: Record<string, unknown> }[] = [];
  for (const channel of CHANNELS) {
    const note = (kind: string) => (message: unknown) =>
      void seen.push({ channel, kind, message: { ...Object(message) } });
    const listeners = {
      start: note("start"),
      end: () => {},
      asyncStart: () => {},
      asyncEnd: note("end"),
      error: note("error"),
    };
    const channels = tracingChannel(`openclaw:${channel}`);
    channels.subscribe(listeners);
    onTestFinished(() => channels.unsubscribe(listeners));
  }
  const of = (channel: string, kind: string) =>
    seen.flatMap((each) => (each.channel === channel && each.kind === kind ? [each.message] : []));
  return { seen, of };
}

describe("tracing channels", () => {
  it("[GW-049] emit start and end of turns, tools, hooks, model calls, approvals and messages with ids and no content", async () => {
    const { seen, of } = observe();
    const host = await createTestHost({
      script: ({ prompt }) =>
        JSON.stringify(prompt).includes("launched-now")
          ? { text: "all-done" }
          : { toolCalls: [{ toolName: "launch", params: { to: "moon-base" } }] },
      register: (api) => {
        api.on("after_tool_call", () => {});
        api.registerTool({
          name: "launch",
          description: "launches",
          parameters: { type: "object", properties: { to: { type: "string" } } },
          approval: "always",
          execute: () => "launched-now",
        });
      },
    });
    host.presence.attend(answering(host, "allow-once"));
    const outcome = await host.flow.receive(message("tell-me"), {});
    expect(outcome).toMatchObject({ status: "replied", text: "all-done" });

    const runId = "runId" in outcome ? outcome.runId : undefined;
    const ids = { runId, sessionKey: "agent:main:main" };
    expect(of("turn", "start")[0]).toMatchObject({ ...ids, agentId: "main", trigger: "user" });
    expect(of("turn", "end").at(-1)).toMatchObject({ ...ids, outcome: "completed" });
    expect(of("llm", "start")[0]).toMatchObject({ ...ids, provider: "scripted", model: "script" });
    expect(of("llm", "end")).toHaveLength(2);
    expect(of("tool", "end")).toMatchObject([{ ...ids, toolName: "launch", outcome: "ok" }]);
    expect(of("tool", "start")).toMatchObject([{ ...ids, pluginId: "guard" }]);
    const [requested] = of("approval", "start");
    expect(requested).toMatchObject(ids);
    expect(of("approval", "end")).toMatchObject([
      { ...ids, approvalId: requested?.approvalId, outcome: "allowed-once" },
    ]);
    expect(of("hook", "end")).toMatchObject([{ hook: "after_tool_call", owners: ["guard"] }]);
    expect(of("channel", "start")[0]).toMatchObject({
      direction: "inbound",
      channel: "terminal",
    });
    expect(of("channel", "end").some((each) => each.outcome === "replied")).toBe(true);
    const published = JSON.stringify(seen);
    expect(TEXTS.filter((text) => published.includes(text))).toEqual([]);
  });

  it("[GW-049] emit failures with their code and no message", async () => {
    const { seen, of } = observe();
    const host = await createTestHost({
      script: () => {
        throw new Error("threw-this");
      },
      register: (api) => {
        api.on("before_agent_run", () => Promise.reject(new Error("threw-this")), {
          mode: "fail-open",
        });
      },
    });
    expect(await host.flow.receive(message("tell-me"), {})).toMatchObject({ status: "failed" });
    expect(of("llm", "error")).toMatchObject([{ errorCode: expect.stringMatching(/^MODEL_/) }]);
    expect(of("turn", "end").at(-1)).toMatchObject({ outcome: "failed" });
    const published = JSON.stringify(seen);
    expect(TEXTS.filter((text) => published.includes(text))).toEqual([]);
  });
});
