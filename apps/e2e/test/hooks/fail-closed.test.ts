import type { LifecyclePhase, PluginDefinition } from "@openclaw/plugin-sdk";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import { createTestHost, type ModelScript, type TestHostOptions } from "@openclaw/plugin-testkit";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { failingPhase, failingPlugin, hookPlugin } from "../../src/hook-plugin.js";
import { createHookWitness } from "../../src/hook-witness.js";
import { noteMemory } from "../../src/note-memory.js";
import { HOOK_SCENARIOS } from "../../src/scenarios/catalog.js";
import { inGateway } from "../../src/scenarios/scenario.js";

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
    model,
    store,
    ...options,
    neighbours: [witness.plugin, ...(options.neighbours ?? [])],
  });
  onTestFinished(() => host.dispose());
  const reply = await host.turn(TEXT);
  const row = await store.messages.inbox.get(reply.outcome.messageId);
  const turn = row?.runId === undefined ? undefined : await store.turns.get(row.runId);
  const transcript = turn === undefined ? [] : await store.messages.transcript.load(turn.sessionId);
  return {
    host,
    store,
    witness,
    reply,
    row,
    turn,
    transcript: transcript.map(({ message }) => message),
  };
}

/** As `failAt`, in a host with a memory. */
async function recallFailingAt(plugin: PluginDefinition) {
  const memory = noteMemory();
  const outcome = await failAt("before_recall", {
    plugin,
    neighbours: [memory.plugin],
    config: { plugins: { slots: { memory: "notes" } } },
  });
  return { ...outcome, memory };
}

describe("step whose hook fails closed", () => {
  it.each([
    "before_model_resolve",
    "before_agent_start",
    "agent_turn_prepare",
    "before_prompt_build",
    "before_agent_reply",
    "llm_input",
    "model_call_started",
    "model_call_ended",
    "llm_output",
    "before_agent_finalize",
  ] as const)("[HCR-004] ends the run as failed: %s", async (hook) => {
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
    "[HCR-004] ends the inbound row as failed: %s",
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

  it("[HCR-003] cancels the message: message_receiving", async () => {
    const { witness, reply, row } = await failAt("message_receiving");
    expect(reply).toMatchObject({ status: "withheld", text: "" });
    expect(row).toMatchObject({ state: "cancelled" });
    expect(witness.of("llm_input")).toEqual([]);
  });

  it("[HCR-003] blocks the run: before_agent_run", async () => {
    const { witness, turn, transcript } = await failAt("before_agent_run");
    expect(turn).toMatchObject({ state: "blocked" });
    expect(witness.of("llm_input")).toEqual([]);
    expect(JSON.stringify(transcript)).not.toContain(TEXT);
  });

  it("[HCR-003] blocks the call: before_tool_call", async () => {
    const { witness, reply, transcript } = await failAt("before_tool_call");
    expect(reply).toMatchObject({ status: "replied", text: "It is noon." });
    expect(witness.of("after_tool_call")).toEqual([]);
    const refusal = transcript.find(({ role }) => role === "toolResult");
    expect(refusal).toMatchObject({ isError: true });
    expect(JSON.stringify(refusal)).toContain('plugin \\"guard\\" guards this step and failed');
  });

  it("[HCR-003] writes no message: before_message_write", async () => {
    const { reply, transcript } = await failAt("before_message_write");
    expect(reply.text).toBe("It is noon.");
    // A tool call still has a result: the host's.
    expect(transcript).toMatchObject([{ role: "toolResult", content: [{ type: "text" }] }]);
  });

  it("[HCR-004] stores a placeholder: tool_result_persist", async () => {
    const { transcript } = await failAt("tool_result_persist");
    expect(transcript.find(({ role }) => role === "toolResult")).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("removed this result") }],
    });
  });

  it("[HCR-004] replaces the reply with a neutral sentence: transform_response", async () => {
    const { reply, witness } = await failAt("transform_response");
    expect(reply).toMatchObject({
      status: "replied",
      text: "The reply to this message was cancelled.",
    });
    expect(reply.text).not.toContain("noon");
    await vi.waitFor(() => expect(witness.of("agent_end")).toHaveLength(1));
  });

  it.each(["message_sending", "before_dispatch"] as const)(
    "[HCR-003] cancels the reply: %s",
    async (hook) => {
      const { reply, witness, store } = await failAt(hook);
      expect(reply).toMatchObject({ status: "withheld", text: "" });
      expect(witness.of("message_sent")).toEqual([]);
      expect(await store.messages.outbox.undelivered()).toEqual([]);
    },
  );

  it("[HCR-004] suppresses delivery: reply_dispatch", async () => {
    const { reply, witness } = await failAt("reply_dispatch");
    expect(reply).toMatchObject({ status: "withheld", text: "" });
    expect(witness.of("message_sent")).toEqual([]);
  });

  it("[HCR-003] skips the search: before_recall", async () => {
    const { memory, reply, host } = await recallFailingAt(failingPlugin("before_recall"));
    expect(reply.status).toBe("replied");
    expect(memory.searches).toBe(0);
    expect(JSON.stringify(host.modelRequests)).not.toContain(memory.text);
  });

  it("[HCR-004] yields no results: after_recall", async () => {
    const { memory, reply, host } = await recallFailingAt(failingPlugin("after_recall"));
    expect(reply.status).toBe("replied");
    expect(memory.searches).toBe(1);
    expect(JSON.stringify(host.modelRequests)).not.toContain(memory.text);
  });

  it("[HCR-003] rejects the subagent: subagent_spawning", async () => {
    const spawn = { toolName: "sessions_spawn", params: { task: "count" }, toolCallId: "call-1" };
    const { store, reply, transcript } = await failAt("subagent_spawning", {
      model: [{ toolCalls: [spawn] }, { text: "Then I count." }],
    });
    expect(reply.text).toBe("Then I count.");
    const refusal = transcript.find(({ role }) => role === "toolResult");
    expect(refusal).toMatchObject({ isError: true });
    expect(JSON.stringify(refusal)).toContain('plugin \\"guard\\" guards this step and failed');
    expect(await store.sessions.subagents.childrenOf("agent:main:main", { limit: 1 })).toEqual([]);
  });

  it("aborts the start: gateway_pre_start", async () => {
    const scenario = HOOK_SCENARIOS.gateway_pre_start;
    const start = scenario.play(failingPlugin("gateway_pre_start"));
    await expect(start).rejects.toMatchObject({ code: "HOOK_THREW", pluginId: "guard" });
  });

  it("[HCR-003] rejects the installation: before_install", async () => {
    const scenario = HOOK_SCENARIOS.before_install;
    const install = scenario.play(failingPlugin("before_install"));
    await expect(install).rejects.toMatchObject({ code: "PLUGIN_INSTALL_REFUSED" });
  });

  it.each([
    ["before_tool_call", { block: "no" }],
    ["before_tool_call", { params: [1] }],
  ] as const)("[HCR-003] treats an invalid result as a failure: %s %j", async (hook, answer) => {
    const { witness, transcript } = await failAt(hook, {
      plugin: hookPlugin("guard", hook, () => answer),
    });
    expect(witness.of("after_tool_call")).toEqual([]);
    const refusal = transcript.find(({ role }) => role === "toolResult");
    expect(refusal).toMatchObject({ isError: true });
    expect(JSON.stringify(refusal)).toContain('plugin \\"guard\\"');
  });

  it("treats null as no result: before_tool_call", async () => {
    const { witness } = await failAt("before_tool_call", {
      plugin: hookPlugin("guard", "before_tool_call", () => null),
    });
    expect(witness.of("after_tool_call")).toHaveLength(1);
  });
});

describe("lifecycle phase that fails closed", () => {
  const failPhase = (phase: LifecyclePhase) => failAt("agent_end", { plugin: failingPhase(phase) });

  it("[LIFE-037] aborts the start: boot.pre", async () => {
    const start = HOOK_SCENARIOS.gateway_pre_start.play(failingPhase("boot.pre"));
    await expect(start).rejects.toMatchObject({ code: "HOOK_THREW", pluginId: "guard" });
  });

  it("[LIFE-037] drops the message: request.pre", async () => {
    const { reply, row, witness } = await failPhase("request.pre");
    expect([reply.status, row?.state]).toEqual(["failed", "failed"]);
    expect(witness.of("request_post")).toMatchObject([{ event: { outcome: "failed" } }]);
  });

  it("[LIFE-037] suppresses delivery: message.pre", async () => {
    const { reply, witness } = await failPhase("message.pre");
    expect(reply).toMatchObject({ status: "withheld", text: "" });
    expect(witness.of("message_sent")).toEqual([]);
  });

  it("[LIFE-037] blocks the call: tool.pre", async () => {
    const { reply, witness } = await failPhase("tool.pre");
    expect(reply.status).toBe("replied");
    expect(witness.of("after_tool_call")).toEqual([]);
  });

  it("[LIFE-037] ends the run as failed: agent.pre", async () => {
    const { reply, turn } = await failPhase("agent.pre");
    expect(reply.status).toBe("failed");
    expect(turn).toMatchObject({ state: "failed", error: { stage: "hook" } });
  });

  it("[LIFE-037] yields no results: recall.pre", async () => {
    const { memory, host } = await recallFailingAt(failingPhase("recall.pre"));
    expect(memory.searches).toBe(0);
    expect(JSON.stringify(host.modelRequests)).not.toContain(memory.text);
  });
});

describe("fail-closed observer of a past event", () => {
  it.each([
    "message_sent",
    "after_tool_call",
    "agent_end",
    "agent_error",
    "tool_error",
    "response_error",
    "request_post",
  ] as const)(
    "[LIFE-038] reports an error in the log and in the counters, and changes nothing: %s",
    async (hook) => {
      const { host, reply } = await failAt(hook, {
        ...(hook === "agent_error" ? { model: [{ error: { message: "no luck" } }] } : {}),
        ...(hook === "response_error"
          ? { surface: { send: () => Promise.reject(new Error("the line is dead")) } }
          : {}),
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
      const lost = { agent_error: "failed", response_error: "failed" };
      expect(reply.status).toBe(Object.hasOwn(lost, hook) ? Reflect.get(lost, hook) : "replied");
      expect(host.trace.filter((each) => each.hook === hook)).toMatchObject([
        { outcome: "failed" },
      ]);
    },
  );

  it("[LIFE-038] is included in the host's list of the hook", async () => {
    const play = inGateway(async (gateway) => {
      const outcome = await gateway.receive({
        channel: "terminal",
        conversationId: "terminal",
        senderId: "operator",
        senderIsOwner: true,
        sessionKey: "agent:main:main",
        agentId: "main",
        text: TEXT,
      });
      expect(outcome.status).toBe("replied");
      const methods = await gateway.methods();
      await vi.waitFor(async () => {
        const { hooks } = await methods.call("hooks.list", {});
        expect(hooks.find(({ hook }) => hook === "agent_end")).toMatchObject({
          step: "T17",
          dispatched: 1,
          failed: 1,
          plugins: [{ pluginId: "guard", handlers: 1, fired: 1 }],
        });
      });
    });
    await play(failingPlugin("agent_end"));
  });
});
