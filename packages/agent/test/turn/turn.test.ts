import type { HookName } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import {
  calling,
  expectAnswered,
  fieldsOf,
  NOW,
  plugin,
  textOf,
  tool,
  turnHost,
  watcher,
} from "../support/turn-host.js";

const roles = (messages: readonly AgentMessage[]) => messages.map(({ role }) => role);

describe("hooks of a turn", () => {
  const watched = [
    "before_model_resolve",
    "before_agent_start",
    "before_prompt_build",
    "before_agent_run",
    "before_message_write",
    "before_agent_reply",
    "llm_input",
    "model_call_started",
    "model_call_ended",
    "llm_output",
    "before_tool_call",
    "tool_error",
    "after_tool_call",
    "tool_result_persist",
    "before_agent_finalize",
    "transform_response",
    "agent_error",
    "agent_end",
  ] as const satisfies HookName[];
  const PREPARATION = watched.slice(0, 4);
  const MODEL_CALL = ["llm_input", "model_call_started", "model_call_ended", "llm_output"];
  const USER = ["before_message_write", "before_agent_reply"];
  const WRITE = "before_message_write";

  it("fire in this order: preparation, gate, user, model, tool, model, reply, end", async () => {
    const order: string[] = [];
    const host = await turnHost({
      script: [calling("work"), calling("fail"), { text: "done" }],
      coreTools: [
        tool("work"),
        tool("fail", { execute: () => Promise.reject(new Error("broken")) }),
      ],
      plugins: [watcher(order, watched)],
    });
    await host.run();
    expect(order).toEqual([
      ...PREPARATION,
      ...USER,
      ...[...MODEL_CALL, WRITE],
      ...["before_tool_call", "after_tool_call", "tool_result_persist", WRITE],
      ...[...MODEL_CALL, WRITE],
      ...["before_tool_call", "tool_error", "after_tool_call", "tool_result_persist", WRITE],
      ...MODEL_CALL,
      ...["before_agent_finalize", "transform_response", WRITE, "agent_end"],
    ]);
  });

  it("fire for a denied call only before and after its result", async () => {
    const order: string[] = [];
    const host = await turnHost({
      script: [calling("missing"), { text: "done" }],
      plugins: [watcher(order, watched)],
    });
    await host.run();
    expect(order.slice(11, 13)).toEqual(["tool_result_persist", WRITE]);
    expect(order).not.toContain("before_tool_call");
    expect(order).not.toContain("after_tool_call");
  });

  it("end with agent_error and agent_end when the model fails", async () => {
    const order: string[] = [];
    const host = await turnHost({
      script: [{ error: { status: 500, message: "boom" } }],
      plugins: [watcher(order, watched)],
    });
    await host.run();
    expect(order).toEqual([
      ...PREPARATION,
      ...USER,
      ...MODEL_CALL.slice(0, 3),
      ...["agent_error", "agent_end"],
    ]);
  });

  it("[TURN-023] end at the gate when it blocks: nothing reaches a model", async () => {
    const order: string[] = [];
    const host = await turnHost({
      plugins: [
        watcher(order, watched),
        plugin("gate", (api) => void api.on("before_agent_run", () => ({ outcome: "block" }))),
      ],
    });
    await host.run();
    expect(order).toEqual([...PREPARATION, WRITE, "agent_end"]);
    expect(host.requests).toEqual([]);
  });

  it.each([
    ["", undefined],
    [", also when a plugin drops the notice", { block: true }],
  ])(
    "[TURN-024] delete the message that the gate blocked, in the transaction of its end%s",
    async (_title, writing) => {
      const host = await turnHost({
        plugins: [
          plugin("gate", (api) => {
            api.on("before_agent_run", () => ({ outcome: "block" }));
            api.on("before_message_write", () => writing);
          }),
        ],
      });
      const { store, sessionId } = host;
      const { runId, sessionKey, agentId, trigger, text } = host.request({ text: "a secret plan" });
      const message = { channel: "terminal", accountId: "default", conversationId: "me" };
      await store.messages.inbox.accept({
        ...message,
        ...{
          id: "in",
          senderId: "me",
          content: text,
          attachments: [],
          receivedAt: 0,
          metadata: {},
        },
      });
      const payload = { text };
      await store.turns.enqueue({
        ...{ runId, sessionKey, sessionId, agentId, trigger, inboxId: "in", payload },
      });
      await store.turns.begin(runId);
      expect(await host.run({ runId, text })).toMatchObject({ status: "blocked" });
      expect((await store.messages.inbox.get("in"))?.content).toBe("");
      expect((await store.turns.get(runId))?.payload).toBeUndefined();
      expect(JSON.stringify(await host.transcript())).not.toContain("secret plan");
    },
  );
});

describe("agent turn", () => {
  it("[TURN-201] completes with the model's text, stop reason and usage", async () => {
    const host = await turnHost({
      script: [
        { text: "let me see", ...calling("work"), usage: { input: 1, output: 2 } },
        { text: "done", usage: { input: 10, output: 20 } },
      ],
      coreTools: [tool("work")],
    });
    expect(await host.run()).toEqual({
      status: "completed",
      text: "let me see\n\ndone",
      parts: ["let me see", "done"],
      stopReason: "stop",
      usage: { input: 11, output: 22, total: 33, cost: { usd: "0", estimated: false } },
    });
    expect(roles(await host.transcript())).toEqual([
      "user",
      "assistant",
      "toolResult",
      "assistant",
    ]);
    await expectAnswered(host);
  });

  it.each([
    ["length", "length"],
    ["content-filter", "content-filter"],
    ["other", "other"],
    ["tool-calls", "other"],
  ] as const)("reports that the model stopped for %s", async (finish, stopReason) => {
    const host = await turnHost({ script: [{ text: "cut", finish }] });
    expect(await host.run()).toMatchObject({ status: "completed", text: "cut", stopReason });
  });

  it("[TURN-037] ends after the calls of a reply when one of them requests it", async () => {
    const host = await turnHost({
      script: [{ text: "handing over", ...calling("last", "work") }],
      coreTools: [
        tool("last", { execute: () => ({ content: [], terminate: true }) }),
        tool("work"),
      ],
    });
    expect(await host.run()).toMatchObject({
      status: "completed",
      text: "handing over",
      stopReason: "tool-terminated",
    });
    expect(roles(await host.transcript())).toEqual([
      "user",
      "assistant",
      "toolResult",
      "toolResult",
    ]);
    expect(host.requests).toHaveLength(1);
    await expectAnswered(host);
  });

  it("[TURN-030] stops at the maximum number of model calls, with the last text and a notice", async () => {
    const host = await turnHost({
      script: [{ text: "looking", ...calling("work") }, calling("work")],
      coreTools: [tool("work")],
      maxIterations: 2,
    });
    const notice =
      "I stopped after 2 model calls in one turn. Ask me to continue, or raise agents.defaults.maxIterations.";
    expect(await host.run()).toMatchObject({
      status: "completed",
      text: `looking\n\n${notice}`,
      stopReason: "max_iterations",
    });
    expect(host.requests).toHaveLength(2);
    expect(textOf((await host.transcript()).at(-1))).toBe(notice);
    expect(host.events.filter(({ type }) => type === "text")).toEqual([
      { type: "text", delta: "looking" },
      { type: "text", delta: notice },
    ]);
    await expectAnswered(host);
  });

  it("[TURN-030] returns only the notice when the model returned no text", async () => {
    const host = await turnHost({ script: [calling("missing")], maxIterations: 1 });
    expect(await host.run()).toMatchObject({ text: expect.stringMatching(/^I stopped after 1 /) });
  });

  it("shows no notice early while a plugin can still change the reply", async () => {
    const host = await turnHost({
      script: [{ text: "looking", ...calling("missing") }],
      maxIterations: 1,
      plugins: [plugin("editor", (api) => void api.on("transform_response", () => undefined))],
    });
    expect(await host.run()).toMatchObject({ stopReason: "max_iterations" });
    expect(host.events.filter(({ type }) => type === "text")).toEqual([]);
  });
});

describe("before_agent_run gate", () => {
  const SECRET = "the merger is on friday";

  /** Runs a turn behind a gate and looks for the user's text where it must not be. */
  async function blocked(handler: () => unknown, options = {}) {
    const host = await turnHost({
      plugins: [
        // A gate need not be typed.
        plugin("gate", (api) => void api.on("before_agent_run", handler as never, options)),
      ],
    });
    const outcome = await host.run({ text: SECRET });
    const transcript = await host.transcript();
    expect(JSON.stringify([transcript, host.events, host.lines])).not.toContain(SECRET);
    expect(host.requests).toEqual([]);
    return { outcome, transcript };
  }

  it("[TURN-023] can block a run with a custom text", async () => {
    const { outcome, transcript } = await blocked(() => ({
      outcome: "block",
      message: "Not in this channel.",
      reason: "the board said so",
      category: "insider-rules",
    }));
    expect(outcome).toEqual({
      status: "blocked",
      text: "Not in this channel.",
      blockedBy: "gate",
    });
    expect(transcript).toMatchObject([
      {
        role: "assistant",
        content: [{ text: outcome.text }],
        gate: { outcome: "block", blockedBy: "gate", blockedAt: NOW, category: "insider-rules" },
      },
    ]);
    expect(JSON.stringify(transcript)).not.toContain("the board said so");
  });

  it.each<[string, () => unknown, object]>([
    ["blocks without words", () => ({ outcome: "block" }), {}],
    ["answers an empty object", () => ({}), {}],
    ["answers another word", () => ({ outcome: "maybe" }), {}],
    [
      "throws",
      () => {
        throw new Error("no rules");
      },
      {},
    ],
    ["hangs", () => new Promise(() => {}), { timeoutMs: 1 }],
  ])(
    "[TURN-023] [HCR-011] blocks with one neutral sentence when it %s",
    async (_what, handler, options) => {
      const { outcome } = await blocked(handler, options);
      expect(outcome).toEqual({
        status: "blocked",
        text: "This message was not processed.",
        blockedBy: "gate",
      });
    },
  );

  it("[TURN-023] lets a run pass on `pass` or no result", async () => {
    const host = await turnHost({
      plugins: [
        plugin("gate", (api) => {
          api.on("before_agent_run", () => ({ outcome: "pass" }));
          api.on("before_agent_run", () => undefined);
        }),
      ],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
  });
});

describe("before_agent_reply", () => {
  /** A host whose plugin replies instead of the model. */
  const answering = (result: { handled: boolean; reply?: { text?: string } }) =>
    turnHost({
      plugins: [plugin("host", (api) => void api.on("before_agent_reply", () => result))],
    });

  it("[TURN-025] receives the user's text and the trigger of the turn", async () => {
    const seen: unknown[] = [];
    const host = await turnHost({
      plugins: [
        plugin("host", (api) => {
          api.on("before_agent_reply", (event) => void seen.push(fieldsOf(event)));
        }),
      ],
    });
    await host.run({ text: "hi", trigger: "cron" });
    expect(seen).toEqual([{ cleanedBody: "hi", trigger: "cron" }]);
  });

  it("[TURN-025] can give the reply without a model", async () => {
    const host = await answering({ handled: true, reply: { text: "from the plugin" } });
    expect(await host.run()).toEqual({
      status: "completed",
      text: "from the plugin",
      stopReason: "answered-by-plugin",
      usage: {},
    });
    expect(host.requests).toEqual([]);
    expect((await host.transcript()).map(textOf)).toEqual(["hello", "from the plugin"]);
  });

  it("is delivered even when it is kept out of the transcript", async () => {
    const host = await turnHost({
      plugins: [
        plugin("host", (api) => {
          api.on("before_agent_reply", () => ({ handled: true, reply: { text: "psst" } }));
          api.on("before_message_write", () => ({ block: true }));
        }),
      ],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "psst" });
    expect(await host.transcript()).toEqual([]);
  });

  it.each([{ handled: true }, { handled: true, reply: {} }])(
    "[TURN-025] can be silent: %j",
    async (result) => {
      const host = await answering(result);
      expect(await host.run()).toMatchObject({ status: "completed", text: "" });
      expect(roles(await host.transcript())).toEqual(["user"]);
    },
  );

  it("[TURN-025] can leave the turn to the model", async () => {
    const host = await answering({ handled: false, reply: { text: "unused" } });
    expect(await host.run()).toMatchObject({ text: "done", stopReason: "stop" });
  });
});

describe("transform_response", () => {
  /** A host whose plugin has this handler. */
  const transforming = (handler: () => { content?: string }, options = {}) =>
    turnHost({
      plugins: [plugin("editor", (api) => void api.on("transform_response", handler, options))],
    });

  it("[TURN-046] changes the delivered text; the transcript keeps the model's text and the delivered one", async () => {
    const host = await transforming(() => ({ content: "DONE" }));
    expect(await host.run()).toMatchObject({ status: "completed", text: "DONE" });
    expect(await host.transcript()).toMatchObject([
      { role: "user" },
      { content: [{ type: "text", text: "done" }], deliveredText: "DONE" },
    ]);
  });

  it("[TURN-046] can remove all of the text, or nothing; duplicates are kept once", async () => {
    expect(await (await transforming(() => ({ content: "" }))).run()).toMatchObject({ text: "" });
    for (const result of [{}, { content: "done" }]) {
      const host = await transforming(() => result);
      expect(await host.run()).toMatchObject({ text: "done" });
      expect((await host.transcript()).at(-1)).not.toHaveProperty("deliveredText");
    }
  });

  it("[TURN-046] receives every delivered text, also notices and text sent with calls", async () => {
    const shout = plugin("editor", (api) => {
      api.on("transform_response", ({ content }) => ({ content: content.toUpperCase() }));
    });
    const cut = await turnHost({
      script: [{ text: "looking", ...calling("missing") }],
      maxIterations: 1,
      plugins: [shout],
    });
    const outcome = await cut.run();
    expect(outcome).toMatchObject({ text: expect.stringMatching(/^LOOKING\n\nI STOPPED AFTER 1/) });
    expect((await cut.transcript()).at(-1)).toMatchObject({ deliveredText: outcome.text });

    const handedOver = await turnHost({
      script: [{ text: "over to you", ...calling("last") }],
      coreTools: [tool("last", { execute: () => ({ content: [], terminate: true }) })],
      plugins: [shout],
    });
    expect(await handedOver.run()).toMatchObject({ text: "OVER TO YOU" });
    expect((await handedOver.transcript()).at(-1)).toMatchObject({ deliveredText: "OVER TO YOU" });
    await expectAnswered(handedOver);
  });

  it("cancels the text when a fail-closed handler fails", async () => {
    const broken = () => {
      throw new Error("no filter");
    };
    const host = await transforming(broken, { mode: "fail-closed" });
    expect(await host.run()).toMatchObject({
      status: "completed",
      text: "The reply to this message was cancelled.",
    });
    expect((await host.transcript()).map(textOf)).toEqual(["hello", "done"]);
  });
});
