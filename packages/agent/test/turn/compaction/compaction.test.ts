import { ModelContextLengthError } from "@openclaw/models";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import {
  fieldsOf,
  plugin,
  type TurnHost,
  type TurnHostOptions,
  textOf,
  turnHost,
  watcher,
} from "../../support/turn-host.js";

/** Ten words, which are 13 tokens, and 4 for the message. */
const TEN = "one two three four five six seven eight nine ten";

/** A host whose session has exchanges of 34 tokens each. */
async function talked(exchanges: number, options: TurnHostOptions): Promise<TurnHost> {
  const host = await turnHost(options);
  for (let index = 1; index <= exchanges; index += 1) {
    await say(host, { role: "user", text: `${TEN} q${index}`.replace("one ", "") });
    await say(host, { role: "assistant", text: `${TEN} a${index}`.replace("one ", "") });
  }
  return host;
}

async function say(host: TurnHost, said: { role: "user" | "assistant"; text: string }) {
  const content = [{ type: "text" as const, text: said.text }];
  const message: AgentMessage =
    said.role === "user"
      ? { role: "user", content, timestamp: 1 }
      : { role: "assistant", content, provider: "p", model: "m", stopReason: "stop", timestamp: 1 };
  await host.store.messages.transcript.append({ sessionId: host.sessionId, message });
}

/** Limits under which a session of so many exchanges fills this part of the context. */
const filled = (exchanges: number, part: number) => ({
  contextLimits: { tokens: Math.ceil((exchanges * 34) / part), threshold: 0.8 },
});

/** Returns the last word of each message in a model request. */
function shown(host: TurnHost, request: number): string[] {
  return (host.requests[request]?.prompt ?? []).map(({ role, content }) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    return role === "system"
      ? role
      : (/[qa]\d+(?="|$)|hello|Summary|shorten/.exec(text)?.[0] ?? text);
  });
}

const newest = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => [
    `q${first + index}`,
    `a${first + index}`,
  ]).flat();

describe("conversation near the end of its context", () => {
  it("[TURN-051] is summarised before the tool set is built, with both hooks around it", async () => {
    const order: string[] = [];
    const events: Record<string, unknown>[] = [];
    const observer = plugin("observer", (api) => {
      api.on("before_compaction", (event) => {
        const { messages, ...fields } = fieldsOf(event);
        events.push({ ...fields, shown: Array.isArray(messages) && messages.length });
        return { annotation: "Keep the numbers." };
      });
      api.on("after_compaction", (event) => {
        events.push(fieldsOf(event));
        return { annotation: "Seen." };
      });
      api.registerTool(
        () => {
          order.push("tool set");
          return null;
        },
        { names: ["late"] },
      );
    });
    const hooks = [
      "before_model_resolve",
      "before_agent_start",
      "before_compaction",
      "after_compaction",
      "agent_turn_prepare",
      "before_prompt_build",
    ] as const;
    const host = await talked(10, {
      ...filled(10, 0.9),
      plugins: [observer, watcher(order, hooks)],
      script: [{ text: "They counted." }, { text: "done" }],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(order).toEqual([
      "before_model_resolve",
      "before_agent_start",
      "before_compaction",
      "after_compaction",
      "tool set",
      "agent_turn_prepare",
      "before_prompt_build",
    ]);
    expect(events).toEqual([
      { messageCount: 20, compactingCount: 10, tokenCount: 340, shown: 20 },
      {
        messageCount: 11,
        compactedCount: 10,
        tokenCount: expect.any(Number),
        summary: "They counted.",
      },
    ]);
    const [summarising, answering] = host.requests;
    expect(summarising?.maxOutputTokens).toBe(1024);
    expect(summarising?.temperature).toBe(0.3);
    expect(JSON.stringify(summarising)).toContain("Keep the numbers.");
    expect(JSON.stringify(summarising)).toContain("q5");
    expect(JSON.stringify(summarising)).not.toContain("q6");
    expect(JSON.stringify(answering)).toContain("They counted.");
    expect(shown(host, 1)).toEqual(["system", "Summary", ...newest(6, 10), "hello"]);
    const record = await host.store.messages.compactions.latest(host.sessionId);
    expect(record).toMatchObject({ upToSeq: 10, summary: "They counted.", annotation: "Seen." });
    expect(await host.transcript()).toHaveLength(22);
  });

  it("[TURN-051] continues from the summary in later turns without a new one", async () => {
    const host = await talked(10, {
      ...filled(10, 0.9),
      script: [{ text: "They counted." }, { text: "done" }, { text: "again" }],
    });
    await host.run();
    await host.run({ text: "hello" });
    expect(host.requests).toHaveLength(3);
    expect(shown(host, 2).slice(0, 3)).toEqual(["system", "Summary", "q6"]);
  });

  it.each([
    [0.82, 5],
    [0.97, 3],
  ])(
    "[TURN-051] is truncated when the strategy requests it: %d full keeps %i exchanges",
    async (part, keep) => {
      const host = await talked(10, filled(10, part));
      await host.run();
      expect(host.requests).toHaveLength(1);
      expect(shown(host, 0)).toEqual(["system", ...newest(11 - keep, 10), "hello"]);
      expect(await host.transcript()).toHaveLength(22);
    },
  );

  it("[TURN-051] is unchanged below the threshold, and when it holds only the newest exchanges", async () => {
    for (const [exchanges, part] of [
      [10, 0.79],
      [3, 0.95],
    ] as const) {
      const order: string[] = [];
      const plugins = [watcher(order, ["before_compaction"])];
      const host = await talked(exchanges, { ...filled(exchanges, part), plugins });
      await host.run();
      expect(shown(host, 0)).toEqual(["system", ...newest(1, exchanges), "hello"]);
      expect(order).toEqual([]);
    }
  });

  it("[TURN-051] [SUB-039] loses its oldest messages in this turn's input only when summarising fails", async () => {
    const host = await talked(10, {
      ...filled(10, 0.9),
      script: [{ error: new Error("no summary today") }, { text: "done" }],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(shown(host, 1)).toEqual(["system", ...newest(6, 10), "hello"]);
    expect(await host.store.messages.compactions.latest(host.sessionId)).toBeUndefined();
    expect(await host.transcript()).toHaveLength(22);
    expect(host.lines).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ code: "COMPACTION_FAILED" }) }),
    );
  });

  it("is unchanged when a fail-closed handler fails", async () => {
    const guard = plugin("guard", (api) => {
      api.on(
        "before_compaction",
        () => {
          throw new Error("not now");
        },
        { mode: "fail-closed" },
      );
    });
    const host = await talked(10, { ...filled(10, 0.9), plugins: [guard] });
    await host.run();
    expect(shown(host, 0)).toEqual(["system", ...newest(1, 10), "hello"]);
  });

  it("[TURN-051] is shortened once after the provider reports that it is too long", async () => {
    const tooLong = () =>
      new ModelContextLengthError(
        { provider: "scripted", model: "script", detail: "too long" },
        { used: undefined, limit: undefined },
      );
    const order: string[] = [];
    const plugins = [watcher(order, ["before_compaction", "after_compaction"])];
    const host = await talked(10, { plugins, script: [{ error: tooLong() }, { text: "done" }] });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(order).toEqual(["before_compaction", "after_compaction"]);
    expect(shown(host, 1)).toEqual(["system", ...newest(8, 10), "hello"]);

    const twice = await talked(10, { script: [{ error: tooLong() }, { error: tooLong() }] });
    expect(await twice.run()).toMatchObject({
      status: "failed",
      error: { code: "MODEL_CONTEXT_LENGTH_EXCEEDED" },
    });
    expect(twice.requests).toHaveLength(2);
  });

  it.each([
    ["Your request exceeded model token limit: 131072", 400],
    ["Request Entity Too Large", 413],
  ])(
    "[LLM-200] is shortened once after the provider said: %s (HTTP %i)",
    async (message, status) => {
      const host = await talked(2, { script: [{ error: { status, message } }, { text: "done" }] });
      expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
      expect(shown(host, 1)).toEqual(["system", "q2", "a2", "hello"]);
      const single = await talked(1, {
        script: [{ error: { status, message } }, { text: "done" }],
      });
      expect(await single.run()).toMatchObject({ status: "completed", text: "done" });
      expect(shown(single, 1)).toEqual(["system", "hello"]);
      expect(await single.run()).toMatchObject({ status: "failed" });
      const none = await turnHost({ script: [{ error: { status, message } }] });
      expect(await none.run()).toMatchObject({
        status: "failed",
        error: { code: "MODEL_CONTEXT_LENGTH_EXCEEDED" },
      });
    },
  );

  it("[LLM-200] is shortened when a request near the known window is rejected in unknown words", async () => {
    const error = { status: 400, message: "Unprocessable" };
    const near = await talked(10, {
      contextLimits: { tokens: 375, threshold: 0.95 },
      script: [{ error }, { text: "done" }],
    });
    expect(await near.run()).toMatchObject({ status: "completed", text: "done" });
    expect(shown(near, 1)).toEqual(["system", ...newest(8, 10), "hello"]);
    const far = await talked(10, { script: [{ error }, { text: "done" }] });
    expect(await far.run()).toMatchObject({
      status: "failed",
      error: { code: "MODEL_REQUEST_FAILED" },
    });
    expect(far.requests).toHaveLength(1);
  });

  it("hides details of tool results from the summariser", async () => {
    const host = await turnHost({
      contextLimits: { tokens: 112, threshold: 0.8 },
      script: [{ text: "They looked." }, { text: "done" }],
    });
    const { sessionId } = host;
    await say(host, { role: "user", text: "look" });
    await host.store.messages.transcript.append({
      sessionId,
      message: {
        role: "assistant",
        content: [{ type: "toolCall", toolCallId: "1", toolName: "look", params: { at: "it" } }],
        provider: "p",
        model: "m",
        stopReason: "stop",
        timestamp: 1,
      },
    });
    await host.store.messages.transcript.append({
      sessionId,
      message: {
        role: "toolResult",
        toolCallId: "1",
        toolName: "look",
        isError: false,
        content: [{ type: "text", text: "a view" }],
        details: { hidden: "s3cret-detail" },
        timestamp: 1,
      },
    });
    for (let index = 0; index < 5; index += 1) await say(host, { role: "user", text: TEN });
    await host.run();
    const summarising = JSON.stringify(host.requests[0]);
    expect(summarising).toContain("a view");
    expect(summarising).not.toContain("s3cret-detail");
    expect(textOf((await host.transcript()).at(-1))).toBe("done");
  });
});
