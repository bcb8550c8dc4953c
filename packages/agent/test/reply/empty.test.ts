import { describe, expect, it } from "vitest";
import { isBlank } from "../../src/reply/empty.js";
import {
  calling,
  plugin,
  type TurnHostOptions,
  textOf,
  tool,
  turnHost,
} from "../support/turn-host.js";

const EMPTY = [
  ["nothing", {}],
  ["white space", { text: " \n\t\u00a0" }],
  ["invisible characters", { text: "\u200b\ufeff\u2060" }],
  ["reasoning", { thinking: "I think." }],
  ["tags", { text: "<think>I think.</think>\n" }],
  ["reasoning up to the limit", { thinking: "I think.", finish: "length" }],
] as const;

/** A message tool that shows something in this place. */
const message = (details: object, isError = false) =>
  tool("message", {
    execute: () => ({ content: [{ type: "text", text: "Done." }], details, isError }),
  });

/** Conversation of the turns of the host. */
const HERE = { channel: "terminal", to: "here", accountId: "default" };

const origin = {
  ...{ channel: "terminal", channelId: "here", messageId: "m", senderId: "s", senderIsOwner: true },
};

async function run(options: TurnHostOptions) {
  const host = await turnHost(options);
  return { host, outcome: await host.run({ origin }) };
}

describe("reply without text", () => {
  it.each(EMPTY)("[TURN-200] is asked for once more: %s", async (_what, step) => {
    const { host, outcome } = await run({ script: [step, { text: "Here I am." }] });
    expect(outcome).toMatchObject({ status: "completed", text: "Here I am." });
    expect(host.requests).toHaveLength(2);
    expect(JSON.stringify(host.requests[1]?.prompt)).toContain("Reply to the user now");
    // Neither the empty reply nor the question is part of the conversation.
    expect((await host.transcript()).map(textOf)).toEqual(["hello", "Here I am."]);
  });

  it.each(EMPTY)("[TURN-200] fails when the model gives nothing again: %s", async (_what, step) => {
    const { host, outcome } = await run({ script: [step, step] });
    expect(outcome).toMatchObject({
      status: "failed",
      error: {
        code: "EMPTY_REPLY",
        stage: "model",
        retryable: true,
        message: expect.stringMatching(/^model scripted\/\w+ gave no text, also when it was asked/),
      },
    });
    expect(host.requests).toHaveLength(2);
  });

  it("[TURN-200] names the limit of the output, and the filter of the provider", async () => {
    const length = { finish: "length" } as const;
    const filter = { finish: "content-filter" } as const;
    const { outcome: long } = await run({ script: [length, length] });
    expect(long).toMatchObject({
      error: { message: expect.stringContaining("limit of its output") },
    });
    const { outcome: filtered } = await run({ script: [filter, filter] });
    expect(filtered).toMatchObject({ error: { message: expect.stringContaining("a filter") } });
  });

  it("[TURN-200] is asked for once more also after tool calls, whatever came before them", async () => {
    const options = { coreTools: [tool("work")] };
    const script = [{ text: "Let me see.", ...calling("work") }, {}, { text: "Found." }];
    const { outcome } = await run({ ...options, script });
    expect(outcome).toMatchObject({ status: "completed", text: "Let me see.\n\nFound." });
    const twice = await run({ ...options, script: [{ text: "Hm.", ...calling("work") }, {}, {}] });
    expect(twice.outcome).toMatchObject({ status: "failed", error: { code: "EMPTY_REPLY" } });
  });

  it("[TURN-200] is asked for once in a turn only", async () => {
    const script = [{}, calling("work"), {}, { text: "never asked" }];
    const { host, outcome } = await run({ coreTools: [tool("work")], script });
    expect(outcome).toMatchObject({ status: "failed", error: { code: "EMPTY_REPLY" } });
    expect(host.requests).toHaveLength(3);
  });

  it.each(["send", "reply", "edit", "react"])(
    "[TURN-200] is enough when the message tool showed something in the conversation: %s",
    async (action) => {
      const coreTools = [message({ action, ...HERE })];
      const { host, outcome } = await run({ coreTools, script: [calling("message"), {}] });
      expect(outcome).toMatchObject({ status: "completed", text: "" });
      expect(host.requests).toHaveLength(2);
    },
  );

  it.each([
    ["nothing was shown", message({ action: "delete", ...HERE })],
    ["it was shown elsewhere", message({ action: "send", ...HERE, to: "there" })],
    ["it was shown in another topic", message({ action: "send", ...HERE, threadId: "9" })],
    ["the call failed", message({ action: "send", ...HERE }, true)],
  ])("[TURN-200] is not enough when %s", async (_what, sending) => {
    const { outcome } = await run({ coreTools: [sending], script: [calling("message"), {}, {}] });
    expect(outcome).toMatchObject({ status: "failed", error: { code: "EMPTY_REPLY" } });
  });

  it("[TURN-200] is enough when a plugin claims, writes or cancels the reply", async () => {
    const claiming = plugin("claiming", (api) => {
      api.on("before_agent_reply", () => ({ handled: true }));
    });
    expect((await run({ plugins: [claiming], script: [] })).outcome).toMatchObject({
      ...{ status: "completed", text: "" },
    });
    const answering = plugin("answering", (api) => {
      api.on("transform_response", ({ content }) => ({ content: content || "From the plugin." }));
    });
    expect((await run({ plugins: [answering], script: [{}, {}] })).outcome).toMatchObject({
      ...{ status: "completed", text: "From the plugin." },
    });
    const withholding = plugin("withholding", (api) => {
      api.on("transform_response", () => ({ content: "" }));
    });
    expect((await run({ plugins: [withholding] })).outcome).toMatchObject({
      ...{ status: "completed", text: "" },
    });
  });

  it("takes every character that is seen as text", () => {
    for (const text of ["a", ".", "👍", "文", "🏳️‍🌈", "-"]) expect(isBlank(text)).toBe(false);
    for (const text of ["", " ", "\u2003\n", "\u00ad", "\u115f", "\ufe0f"]) {
      expect(isBlank(text)).toBe(true);
    }
  });
});
