import { setTimeout as wait } from "node:timers/promises";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { messageText } from "@openclaw/plugin-sdk/tools";
import {
  createTestHost,
  type ModelScript,
  type TestHost,
  type TestHostOptions,
} from "@openclaw/plugin-testkit";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { hookPlugin } from "../../src/hook-plugin.js";

/** A plugin whose one tool does what a test wants. */
function toolPlugin(execute: (signal: AbortSignal | undefined) => unknown): PluginDefinition {
  return {
    id: "fault",
    register(api) {
      api.registerTool({
        name: "fault",
        description: "Misbehaves.",
        parameters: { type: "object", properties: {}, additionalProperties: false },
        timeoutMs: 50,
        execute: async (_id, _params, signal) => (await execute(signal)) as string,
      });
    },
  };
}

const calling: ModelScript = [{ toolCalls: [{ toolName: "fault" }] }, { text: "Done." }];

/** Sends a message, and looks at what is stored of its turn. */
async function turnOf(options: Partial<TestHostOptions>) {
  const store = await openStore({ file: ":memory:" });
  onTestFinished(() => store.close());
  const host = await createTestHost({ plugin: { id: "idle", register() {} }, store, ...options });
  onTestFinished(() => host.dispose());
  const reply = await whileTimePasses(host.turn("go"), host);
  const row = await store.messages.inbox.get(reply.outcome.messageId);
  const turn = await store.turns.get(row?.runId ?? "");
  const entries = await store.messages.transcript.load(turn?.sessionId ?? "");
  const messages = entries.map(({ message }) => message);
  const answers = messages.filter(({ role }) => role === "toolResult").map(messageText);
  // In every case nothing is left running, and the session accepts the next message.
  expect(await store.turns.unfinished()).toEqual([]);
  return { host, reply, turn, messages, answers };
}

/** Lets the host's clock run until work has ended, so that what hangs is given up. */
async function whileTimePasses<Result>(
  work: Promise<Result>,
  host: Pick<TestHost, "advance">,
): Promise<Result> {
  let isOver = false;
  const settled = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([settled, wait(2)]);
    await host.advance(1000);
  }
  return settled;
}

describe("misbehaving model", () => {
  it.each([
    ["breaks its stream", [{ text: "one two three", breakAfter: 2 }]],
    ["fails at once", [{ error: { status: 500, message: "overloaded" } }]],
    ["breaks with an error", [{ text: "a b c", breakAfter: 1, error: { message: "reset" } }]],
  ] satisfies [string, ModelScript][])(
    "fails the turn and stores the reason: %s",
    async (_what, model) => {
      const { reply, turn } = await turnOf({ model });
      expect(reply.status).toBe("failed");
      expect(turn).toMatchObject({
        state: "failed",
        error: { stage: "model", message: expect.stringMatching(/\w/) },
      });
    },
  );

  it.each(["constructor", "__proto__", "toString", "nothing-of-the-kind"])(
    "is told that the tool %s does not exist",
    async (toolName) => {
      const { reply, answers } = await turnOf({
        model: [{ toolCalls: [{ toolName }] }, { text: "Sorry." }],
      });
      expect(reply).toMatchObject({ status: "replied", text: "Sorry." });
      expect(answers).toEqual([expect.stringContaining(`Unknown tool: ${toolName}`)]);
    },
  );

  it("[LLM-038] receives an error for arguments that are not JSON", async () => {
    const { reply, answers } = await turnOf({
      model: [{ toolCalls: [{ toolName: "read", rawParams: '{"path": ' }] }, { text: "Sorry." }],
    });
    expect(reply.text).toBe("Sorry.");
    expect(answers).toEqual([expect.stringMatching(/JSON/)]);
  });

  it("receives one result per call, also for calls with the same ID", async () => {
    const call = { toolName: "echo", toolCallId: "same", params: { message: "hi" } };
    const { reply, answers } = await turnOf({
      model: [{ toolCalls: [call, call] }, { text: "Done." }],
    });
    expect(reply.text).toBe("Done.");
    expect(answers).toHaveLength(2);
  });

  it("is stopped when its reply never ends", async () => {
    const { reply, turn } = await turnOf({
      model: () => ({ toolCalls: [{ toolName: "echo", params: { message: "again" } }] }),
      config: { agents: { defaults: { maxIterations: 3 } } },
    });
    expect(reply.text).toContain("3 model calls");
    expect(turn).toMatchObject({ state: "completed", stopReason: "max_iterations" });
  });

  it("[TURN-200] that returns nothing twice fails the turn", async () => {
    const { reply, turn } = await turnOf({ model: [{ text: "" }, { text: "" }] });
    expect(reply).toMatchObject({ status: "failed", text: "" });
    expect(turn).toMatchObject({ state: "failed", error: { code: "EMPTY_REPLY" } });
  });
});

describe("misbehaving tool", () => {
  const cyclic: Record<string, unknown> = { content: [{ type: "text", text: "round" }] };
  cyclic.details = cyclic;

  it.each([
    ["throws", () => Promise.reject(new Error("no luck")), /no luck/],
    ["hangs", () => new Promise(() => undefined), /timed out after 50 ms/],
    ["returns cyclic details", () => cyclic, /round/],
    ["returns 50 MB", () => "x".repeat(50 * 1024 * 1024), /x/],
  ] as const)(
    "returns a result and the turn continues when it %s",
    async (_what, execute, said) => {
      const { reply, messages, answers } = await turnOf({
        plugin: toolPlugin(execute),
        model: calling,
      });
      expect(reply).toMatchObject({ status: "replied", text: "Done." });
      expect(answers).toEqual([expect.stringMatching(said)]);
      expect(JSON.stringify(messages).length).toBeLessThan(1024 * 1024);
    },
  );
});

describe("misbehaving hook", () => {
  const OPEN = [
    "message_receiving",
    "message_received",
    "inbound_claim",
    "before_model_resolve",
    "before_agent_start",
    "agent_turn_prepare",
    "before_prompt_build",
    "before_agent_reply",
    "llm_input",
    "model_call_started",
    "model_call_ended",
    "llm_output",
    "after_tool_call",
    "tool_result_persist",
    "before_message_write",
    "before_agent_finalize",
    "transform_response",
    "agent_end",
    "reply_dispatch",
    "before_dispatch",
    "message_sending",
    "message_sent",
    "request_post",
  ] as const;

  /** These return at once or not at all. */
  const SYNCHRONOUS = new Set<string>(["tool_result_persist", "before_message_write"]);

  it.each(OPEN)("is ignored when it fails open: %s throws", async (hook) => {
    const fail = () => {
      throw new Error("no luck");
    };
    const { reply } = await turnOf({
      plugin: hookPlugin("broken", hook, fail),
      neighbours: [toolPlugin(() => "fine")],
      model: calling,
    });
    expect(reply).toMatchObject({ status: "replied", text: "Done." });
  });

  it.each(OPEN.filter((hook) => !SYNCHRONOUS.has(hook)))(
    "is abandoned at its deadline: %s hangs",
    async (hook) => {
      const { reply } = await turnOf({
        plugin: hookPlugin("hanging", hook, () => new Promise(() => undefined)),
        neighbours: [toolPlugin(() => "fine")],
        model: calling,
      });
      expect(reply).toMatchObject({ status: "replied", text: "Done." });
    },
  );
});
