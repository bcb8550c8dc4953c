import type { MessageOutcome } from "@openclaw/plugin-sdk/channel-core";
import { ChannelHttpError } from "@openclaw/plugin-sdk/channel-core";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createFakeChannel,
  createTestHost,
  type FakeChannelOptions,
  type SpokenMessage,
  type TestHostOptions,
} from "../../src/index.js";

const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 40_000);

/** A host with a channel whose messages record the end of their work. */
async function reportingChannel(
  options: Partial<TestHostOptions> & { readonly channel?: FakeChannelOptions } = {},
) {
  const { channel: about, ...rest } = options;
  const channel = createFakeChannel(about);
  const host = await createTestHost({
    plugin: channel.asPlugin(),
    config: { channels: { fake: { dmPolicy: "open" } } },
    model: "demo/echo",
    ...rest,
  });
  onTestFinished(() => host.dispose());
  const ended: MessageOutcome[] = [];
  const say = (content: string, message: SpokenMessage = {}) =>
    channel.say(content, { ...message, settled: (outcome) => void ended.push(outcome) });
  const outcome = (number: number) =>
    eventually(() => {
      expect(ended).toHaveLength(number);
      return ended[number - 1];
    });
  return { host, channel, say, ended, outcome };
}

describe("the end of the host's work on a message", () => {
  it("[CHAN-060] is told with the reply, after its last part was sent", async () => {
    const { channel, say, ended, outcome } = await reportingChannel({
      channel: { capabilities: { textLimit: 20 } },
      model: [{ text: "The first part is here.\n\nThe last part is here." }],
    });
    let send = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      send = resolve;
    });
    const passes = () => undefined;
    channel.onSend(passes, passes, passes, () => held);
    await say("hi");
    await channel.delivery(3);
    expect(ended).toEqual([]);
    send();
    expect(await outcome(1)).toEqual({
      status: "replied",
      text: channel.deliveries.map(({ content }) => content).join("\n"),
    });
    expect(channel.deliveries).toHaveLength(4);
  });

  it("[CHAN-060] names a command, a failure, a repeat and a message that is not accepted", async () => {
    const { say, outcome } = await reportingChannel({
      model: [{ text: "Hello." }, { error: { status: 400, message: "no such parameter" } }],
    });
    await say("hi", { externalId: "m1" });
    expect(await outcome(1)).toEqual({ status: "replied", text: "Hello." });
    await say("hi", { externalId: "m1" });
    expect(await outcome(2)).toEqual({ status: "duplicate" });
    await say("/ping", { externalId: "m2" });
    expect(await outcome(3)).toEqual({ status: "answered", text: expect.any(String) });
    await say("fail", { externalId: "m3" });
    expect(await outcome(4)).toEqual({
      status: "failed",
      reason: expect.stringContaining("no such parameter"),
    });
    await say("I am a bot, too", { isBot: true });
    expect(await outcome(5)).toEqual({ status: "ignored" });
  });

  it("[CHAN-060] names a turn that was stopped, and a reply that a plugin cancelled", async () => {
    const guard = definePluginEntry({
      id: "guard",
      register(api) {
        api.on("message_sending", ({ content }) =>
          content.includes("secret") ? { cancel: true, cancelReason: "a secret" } : undefined,
        );
      },
    });
    const never = new Promise<never>(() => undefined);
    const { host, say, ended, outcome } = await reportingChannel({
      neighbours: [guard],
      config: { channels: { fake: { dmPolicy: "open", owners: ["alice"] } } },
      model: [{ text: "the secret plan" }, { text: "late", waitFor: never }],
    });
    await say("what is the plan?");
    expect(await outcome(1)).toEqual({
      status: "withheld",
      reason: "a plugin cancelled the reply",
    });
    await say("wait");
    await eventually(() => expect(host.modelRequests).toHaveLength(2));
    await say("/stop");
    await outcome(3);
    expect(ended).toContainEqual({ status: "interrupted" });
    expect(ended).toContainEqual({ status: "answered", text: "Interrupted." });
  });

  it("[CHAN-060] is told once a reply could not be sent", async () => {
    const { channel, say, outcome } = await reportingChannel({ model: [{ text: "lost" }] });
    channel.onSend(() => {
      throw new ChannelHttpError("fake", 404, "the conversation was deleted");
    });
    await say("hi");
    expect(await outcome(1)).toEqual({
      status: "failed",
      reason: expect.stringContaining("the conversation was deleted"),
    });
    expect(channel.deliveries).toEqual([]);
  });

  it("[CHAN-060] is told as interrupted when the host stops before the end of a turn", async () => {
    const { host, channel, say, ended } = await reportingChannel({
      config: { channels: { fake: { dmPolicy: "open", owners: ["alice"] } } },
      model: [{ toolCalls: [{ toolName: "exec", params: { command: "touch made.txt" } }] }],
    });
    await say("make a file");
    expect((await channel.delivery(1)).content).toContain("Reply /approve");
    await host.dispose();
    expect(ended).toEqual([{ status: "interrupted" }]);
  });
});
