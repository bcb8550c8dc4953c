import type { QueuedInjection } from "@openclaw/plugin-sdk/hooks";
import type { NextTurnInjection } from "@openclaw/plugin-sdk/sessions";
import { openStore } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import {
  calling,
  NOW,
  plugin,
  type TurnHost,
  textOf,
  tool,
  turnHost,
} from "../support/turn-host.js";

/** Leaves a text for the next turn of the host's session. */
async function leave(
  { store, request }: TurnHost,
  text: string,
  more: Partial<NextTurnInjection> & { pluginId?: string } = {},
) {
  const { pluginId = "notes", ...fields } = more;
  const { sessionKey } = request();
  await store.sessions.injections.enqueue(pluginId, { sessionKey, text, ...fields });
}

/** The user's text of every model request, as sent. */
function asked({ requests }: TurnHost): string[] {
  return requests.map(({ prompt }) =>
    textOf(prompt.findLast(({ role }) => role === "user") as Parameters<typeof textOf>[0]),
  );
}

describe("injection for the next turn", () => {
  it("[TURN-016] [TURN-049] is placed around the user's text in the next turn only", async () => {
    const host = await turnHost({ script: [{ text: "one" }, { text: "two" }] });
    await leave(host, "before");
    await leave(host, "behind", { placement: "append_context" });
    await host.run({ text: "hi" });
    await host.run({ text: "again" });
    expect(asked(host)).toEqual(["before\n\nhi\n\nbehind", "again"]);
    // The transcript contains the user's text.
    expect((await host.transcript()).map(textOf)).toEqual(["hi", "one", "again", "two"]);
  });

  it("[TURN-016] is passed to agent_turn_prepare, whose own additions follow it in order", async () => {
    const seen: unknown[] = [];
    const adding = (id: string) =>
      plugin(id, (api) => {
        api.on("agent_turn_prepare", ({ prompt, messages, queuedInjections }) => {
          seen.push([prompt, messages.length, queuedInjections.map(({ text }) => text)]);
          return { prependContext: `${id} before`, appendContext: `${id} behind` };
        });
      });
    const host = await turnHost({
      script: [{ text: "one" }, { text: "two" }],
      plugins: [adding("a"), adding("b")],
    });
    await host.run({ text: "first" });
    await leave(host, "left", { metadata: { why: "test" } });
    await host.run({ text: "hi" });
    expect(asked(host)[1]).toBe("left\n\na before\n\nb before\n\nhi\n\na behind\n\nb behind");
    expect(seen.slice(2)).toEqual([
      ["hi", 2, ["left"]],
      ["hi", 2, ["left"]],
    ]);
  });

  it("[TURN-016] is copied: no handler's change reaches the next handler or the model", async () => {
    const seen: string[] = [];
    const host = await turnHost({
      plugins: [
        plugin("scribbler", (api) => {
          api.on("agent_turn_prepare", ({ queuedInjections }) => {
            const [first] = queuedInjections as QueuedInjection[];
            seen.push(first?.text ?? "");
            if (first !== undefined) first.text = "scribbled";
          });
        }),
        plugin("reader", (api) => {
          api.on("agent_turn_prepare", ({ queuedInjections }) => {
            seen.push(queuedInjections[0]?.text ?? "");
          });
        }),
      ],
    });
    await leave(host, "left");
    await host.run({ text: "hi" });
    expect(seen).toEqual(["left", "left"]);
    expect(asked(host)).toEqual(["left\n\nhi"]);
  });

  it.each([
    ["the gate blocks", blockOnce],
    ["a plugin answers", answerOnce],
  ])("[TURN-049] stays queued when %s before a model receives it", async (_what, first) => {
    const host = await turnHost({ plugins: [first()] });
    await leave(host, "left");
    await host.run({ text: "first" });
    expect(host.requests).toHaveLength(0);
    await host.run({ text: "second" });
    expect(asked(host)).toEqual(["left\n\nsecond"]);
  });

  it("[TURN-049] is consumed even when the model then fails", async () => {
    let calls = 0;
    const host = await turnHost({
      script: () => {
        if (calls++ === 0) throw new Error("overloaded");
        return { text: "two" };
      },
    });
    await leave(host, "left");
    expect(await host.run({ text: "first" })).toMatchObject({ status: "failed" });
    await host.run({ text: "second" });
    expect(asked(host)).toEqual(["left\n\nfirst", "second"]);
  });

  it("[TURN-049] is part of every model call of one turn", async () => {
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work")],
    });
    await leave(host, "left");
    await host.run({ text: "hi" });
    expect(asked(host)).toEqual(["left\n\nhi", "left\n\nhi"]);
  });

  it("[TURN-049] is dropped when it expires, and the log counts it", async () => {
    const clock = { now: NOW };
    const host = await turnHost({
      store: await openStore({ file: ":memory:", now: () => clock.now }),
    });
    await leave(host, "late", { ttlMs: 1000 });
    await leave(host, "later", { ttlMs: 1001 });
    clock.now += 1000;
    await host.run({ text: "hi" });
    expect(asked(host)).toEqual(["later\n\nhi"]);
    expect(host.lines).toEqual([
      {
        level: "info",
        message: "1 prompt injections of plugins were dropped because they had expired",
        fields: { code: "INJECTION_EXPIRED", runId: expect.any(String), expired: 1 },
      },
    ]);
  });
});

describe("plugin that may not add to prompts", () => {
  it("[TURN-022] keeps its injections queued, has its prompt hooks disabled and its prompt fields dropped, and is reported once", async () => {
    const fired: string[] = [];
    const quiet = plugin("quiet", (api) => {
      api.on("agent_turn_prepare", () => void fired.push("agent_turn_prepare"));
      api.on("before_prompt_build", () => void fired.push("before_prompt_build"));
      api.on("heartbeat_prompt_contribution", () => void fired.push("heartbeat"));
      api.on("before_agent_start", () => ({
        systemPrompt: "mine",
        prependContext: "mine",
        modelOverride: "wished",
      }));
    });
    const host = await turnHost({
      plugins: [quiet],
      config: { plugins: { entries: { quiet: { hooks: { allowPromptInjection: false } } } } },
    });
    await leave(host, "quiet text", { pluginId: "quiet" });
    await leave(host, "loud text", { pluginId: "loud" });
    await host.run({ text: "hi", instructions: "system" });
    expect(fired).toEqual([]);
    expect(asked(host)).toEqual(["loud text\n\nhi"]);
    expect(host.requests[0]?.prompt[0]).toMatchObject({ role: "system", content: "system" });
    expect(host.events[0]).toMatchObject({ type: "started", model: "scripted/wished" });
  });
});

/** A plugin whose gate blocks the first turn. */
function blockOnce() {
  let asked = 0;
  return plugin("gate", (api) => {
    api.on("before_agent_run", () => (asked++ === 0 ? { outcome: "block" } : undefined));
  });
}

/** A plugin that answers the first turn in the model's place. */
function answerOnce() {
  let asked = 0;
  return plugin("answer", (api) => {
    api.on("before_agent_reply", () => (asked++ === 0 ? { handled: true } : undefined));
  });
}
