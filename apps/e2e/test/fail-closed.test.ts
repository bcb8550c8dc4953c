import type { CataloguedHookName } from "@openclaw/plugin-sdk";
import { createTestHost, type ModelScript, type TestHostOptions } from "@openclaw/plugin-testkit";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { failingPlugin, hookPlugin } from "../src/hook-plugin.js";
import { HOOK_SCENARIOS } from "../src/hook-scenarios.js";
import { createHookWitness } from "../src/hook-witness.js";

const TEXT = "please run the tool";
/** A model that calls a tool, then says what came of it. */
const model: ModelScript = [
  { toolCalls: [{ toolName: "time", params: { operation: "now" }, toolCallId: "call-1" }] },
  { text: "It is noon." },
];

/** Sends one message through a host in which a guard of one hook fails, and others watch. */
async function failAt(hook: CataloguedHookName, options: Partial<TestHostOptions> = {}) {
  const store = await openStore({ file: ":memory:" });
  onTestFinished(() => store.close());
  const witness = createHookWitness([
    "request_post",
    "agent_error",
    "agent_end",
    "llm_input",
    "after_tool_call",
    "message_sent",
  ]);
  const host = await createTestHost({
    plugin: failingPlugin(hook),
    neighbours: [witness.plugin],
    model,
    store,
    ...options,
  });
  onTestFinished(() => host.dispose());
  const reply = await host.turn(TEXT);
  const row = await store.inbox.get(reply.outcome.messageId);
  const turn = row?.runId === undefined ? undefined : await store.turns.get(row.runId);
  const transcript = turn === undefined ? [] : await store.transcript.load(turn.sessionId);
  return { host, witness, reply, row, turn, transcript: transcript.map(({ message }) => message) };
}

describe("a step whose hook fails closed", () => {
  it.each([
    "before_model_resolve",
    "before_agent_start",
    "before_prompt_build",
    "before_agent_reply",
    "llm_input",
    "model_call_started",
    "model_call_ended",
    "llm_output",
  ] as const)("ends the run as failed: %s", async (hook) => {
    const { witness, reply, turn } = await failAt(hook);
    expect(reply.status).toBe("failed");
    expect(turn).toMatchObject({ state: "failed", error: { stage: "hook" } });
    await vi.waitFor(() => expect(witness.of("agent_end")).toHaveLength(1));
    expect(witness.of("agent_error")).toMatchObject([
      { event: { error: { code: "HOOK_THREW", stage: "hook" }, retryable: false } },
    ]);
    expect(witness.of("message_sent")).toEqual([]);
  });

  it.each(["message_received", "inbound_claim"] as const)(
    "ends the inbound row as failed: %s",
    async (hook) => {
      const { witness, reply, row } = await failAt(hook);
      expect(reply.status).toBe("failed");
      expect(row).toMatchObject({ state: "failed", error: { code: "HOOK_THREW" } });
      await vi.waitFor(() => expect(witness.of("request_post")).toHaveLength(1));
      expect(witness.of("request_post")).toMatchObject([
        { event: { outcome: "failed", error: expect.stringMatching(/\w/) } },
      ]);
      expect(witness.of("llm_input")).toEqual([]);
    },
  );

  it("cancels the message: message_receiving", async () => {
    const { witness, reply, row } = await failAt("message_receiving");
    expect(reply).toMatchObject({ status: "withheld", text: "" });
    expect(row).toMatchObject({ state: "cancelled" });
    expect(witness.of("llm_input")).toEqual([]);
  });

  it("blocks the run: before_agent_run", async () => {
    const { witness, turn, transcript } = await failAt("before_agent_run");
    expect(turn).toMatchObject({ state: "blocked" });
    expect(witness.of("llm_input")).toEqual([]);
    expect(JSON.stringify(transcript)).not.toContain(TEXT);
  });

  it("blocks the call: before_tool_call", async () => {
    const { witness, reply, transcript } = await failAt("before_tool_call");
    expect(reply).toMatchObject({ status: "replied", text: "It is noon." });
    expect(witness.of("after_tool_call")).toEqual([]);
    const refusal = transcript.find(({ role }) => role === "toolResult");
    expect(refusal).toMatchObject({ isError: true });
    expect(JSON.stringify(refusal)).toContain('plugin \\"guard\\" guards this step and failed');
  });

  it("writes no message: before_message_write", async () => {
    const { reply, transcript } = await failAt("before_message_write");
    expect(reply.text).toBe("It is noon.");
    // A tool call keeps an answer: that of the host.
    expect(transcript).toMatchObject([{ role: "toolResult", content: [{ type: "text" }] }]);
  });

  it("stores a placeholder: tool_result_persist", async () => {
    const { transcript } = await failAt("tool_result_persist");
    expect(transcript.find(({ role }) => role === "toolResult")).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("withheld") }],
    });
  });

  it("withholds the reply with a neutral sentence: transform_response", async () => {
    const { reply, witness } = await failAt("transform_response");
    expect(reply).toMatchObject({ status: "replied", text: expect.stringMatching(/withheld/) });
    expect(reply.text).not.toContain("noon");
    await vi.waitFor(() => expect(witness.of("agent_end")).toHaveLength(1));
  });

  it("suppresses delivery: message_sending", async () => {
    const { reply, witness } = await failAt("message_sending");
    expect(reply).toMatchObject({ status: "withheld", text: "" });
    expect(witness.of("message_sent")).toEqual([]);
  });

  it("aborts the start: gateway_pre_start", async () => {
    const scenario = HOOK_SCENARIOS.gateway_pre_start;
    const start = scenario.play(failingPlugin("gateway_pre_start"));
    await expect(start).rejects.toMatchObject({ code: "HOOK_THREW", pluginId: "guard" });
  });

  it("refuses the install: before_install", async () => {
    const scenario = HOOK_SCENARIOS.before_install;
    const install = scenario.play(failingPlugin("before_install"));
    await expect(install).rejects.toMatchObject({ code: "PLUGIN_INSTALL_REFUSED" });
  });

  it.each([
    ["before_tool_call", { block: "no" }],
    ["before_tool_call", { params: [1] }],
    ["before_tool_call", null],
  ] as const)("takes a wrong answer for a failure: %s %j", async (hook, answer) => {
    const { witness } = await failAt(hook, {
      plugin: hookPlugin("guard", hook, () => answer),
    });
    expect(witness.of("after_tool_call")).toHaveLength(answer === null ? 1 : 0);
  });
});

describe("[LIFE-038] an observer of what has happened that fails closed", () => {
  it.each([
    "message_sent",
    "after_tool_call",
    "agent_end",
    "agent_error",
    "tool_error",
    "request_post",
  ] as const)(
    "is an error in the log and in the counters, and changes nothing: %s",
    async (hook) => {
      const { host, reply } = await failAt(hook, {
        ...(hook === "agent_error" ? { model: [{ error: { message: "no luck" } }] } : {}),
        ...(hook === "tool_error"
          ? {
              model: [
                { toolCalls: [{ toolName: "read", params: { path: "missing.txt" } }] },
                { text: "It is noon." },
              ],
            }
          : {}),
      });
      await vi.waitFor(() =>
        expect(host.logs).toContainEqual(
          expect.objectContaining({
            level: "error",
            fields: expect.objectContaining({ code: "HOOK_FAILED_AFTERWARDS" }),
          }),
        ),
      );
      expect(reply.status).toBe(hook === "agent_error" ? "failed" : "replied");
      expect(host.trace.filter((each) => each.hook === hook)).toMatchObject([
        { outcome: "failed" },
      ]);
    },
  );
});
