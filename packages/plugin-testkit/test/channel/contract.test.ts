import { ChannelDisconnectedError } from "@openclaw/plugin-sdk/channel-core";
import { definePluginEntry, type OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createFakeChannel,
  createTestHost,
  sampleEvent,
  type TestHostOptions,
} from "../../src/index.js";

const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 40_000);

async function channelHost(
  options: Partial<TestHostOptions> = {},
  register?: (api: OpenClawPluginApi) => void,
) {
  const store = await openStore({ file: ":memory:" });
  const channel = createFakeChannel();
  const watcher = definePluginEntry({ id: "watcher", register: (api) => register?.(api) });
  const host = await createTestHost({
    plugin: channel.asPlugin(),
    config: { channels: { fake: { dmPolicy: "open", groups: { "*": {} } } } },
    neighbours: [watcher],
    model: "demo/echo",
    store,
    ...options,
  });
  onTestFinished(async () => {
    await host.dispose();
    await store.close();
  });
  return { host, store, channel };
}

describe("the contract of a channel", () => {
  it("[CHAN-003] [CHAN-004] carries every field of a message to hooks, and of a response to the channel", async () => {
    const received: object[] = [];
    const sent = {
      name: "plan.pdf",
      mimeType: "application/pdf",
      bytes: 3,
      url: "https://x.test/p",
    };
    const { store, channel } = await channelHost(
      { model: [{ text: "Here." }, { text: "Plain." }] },
      (api) => {
        api.on("message_received", (event) => void received.push(event));
        api.on("before_dispatch", ({ content }) =>
          content === "Here." ? { payload: { text: content, attachments: [sent] } } : undefined,
        );
      },
    );
    const file = { name: "a.txt", mimeType: "text/plain", bytes: 2, path: "/tmp/a.txt" };
    const room = { kind: "channel", id: "c1" } as const;
    const receivedAt = new Date(86_400_000);
    const id = "3f8f1a52-7d0f-4c52-9b2a-0d8a1d1c9a11";
    await channel.say("hi", {
      ...{ id, userId: "u1", userName: "Una", threadId: "t1", receivedAt, room, isMention: true },
      ...{ metadata: { lang: "en" }, attachments: [file] },
    });
    const reply = await channel.delivery(1);
    const row = await store.messages.inbox.latest("agent:main:fake:channel:c1:thread:t1");
    expect(row).toMatchObject({
      ...{ channel: "fake", senderId: "u1", userName: "Una", threadId: "t1" },
      ...{ externalMessageId: id, attachments: [file], metadata: { lang: "en" } },
      content: expect.stringMatching(/^hi\n/),
    });
    expect(received).toMatchObject([
      {
        ...{ senderId: "u1", threadId: "t1", timestamp: receivedAt.getTime() },
        ...{ metadata: { lang: "en" }, media: [file] },
      },
    ]);
    expect(reply).toMatchObject({
      to: "c1",
      threadId: "t1",
      content: "Here.",
      attachments: [sent],
    });
    expect(reply.metadata).toEqual({ runId: row?.runId, part: 0 });
    await channel.say("plain", { userId: "u2" });
    expect(await channel.delivery(2)).not.toHaveProperty("attachments");
    expect(received[1]).toMatchObject({ metadata: {}, media: [] });
  });

  it("[CHAN-017] passes replies and other messages through the outbound hooks, and records a cancelled one", async () => {
    const told: string[] = [];
    let api: OpenClawPluginApi | undefined;
    const { store, channel } = await channelHost({ model: [{ text: "secret plan" }] }, (given) => {
      api = given;
      given.on("message_sending", ({ to, content }) => {
        told.push(`${to}: ${content}`);
        return content.includes("secret") ? { cancel: true, cancelReason: "secret" } : undefined;
      });
    });
    await channel.say("what is the plan?");
    await eventually(() => expect(told).toEqual(["alice: secret plan"]));
    const notice = { channel: "fake", to: "bob", text: "A notice." };
    expect(await api?.runtime.messages?.send(notice)).toEqual({ status: "delivered" });
    expect(
      await api?.runtime.messages?.send({ ...notice, text: "A secret notice." }),
    ).toMatchObject({ status: "suppressed" });
    expect(told.slice(1)).toEqual(["bob: A notice.", "bob: A secret notice."]);
    expect(channel.deliveries.map(({ content }) => content)).toEqual(["A notice."]);
    const row = await store.messages.inbox.latest("agent:main:fake:direct:alice");
    const replies = await store.messages.outbox.partsOf(row?.runId ?? "");
    const cancellation = { cancelReason: "secret" };
    expect(replies).toMatchObject([{ state: "suppressed", cancellation }]);
    expect(await store.messages.outbox.undelivered()).toEqual([]);
  });

  it("[CHAN-018] repeats a send after 1, 4 and 16 s, and then shows it in the status", async () => {
    const { host, channel } = await channelHost({ model: [{ text: "lost" }] });
    let attempts = 0;
    const fail = () => {
      attempts += 1;
      throw new ChannelDisconnectedError("fake", "the line is dead");
    };
    channel.onSend(fail, fail, fail, fail);
    await channel.say("hi");
    for (const [number, wait] of [1000, 4000, 16_000].entries()) {
      await eventually(() => expect(attempts).toBe(number + 1));
      await host.advance(wait);
    }
    await eventually(async () => {
      const response = await host.request("/api/v1/channels/list");
      const { channels } = (await response.json()) as { channels: object[] };
      expect(channels).toEqual([
        expect.objectContaining({
          ...{ channel: "fake", state: "connected", undelivered: 1 },
          lastFailure: expect.objectContaining({ message: expect.stringContaining("dead") }),
        }),
      ]);
    });
    expect(attempts).toBe(4);
  });

  it("[CHAN-039] [CHAN-052] serves the webhook of a channel at its paths, of the first plugin that registers them", async () => {
    const hooked = (id: string) =>
      definePluginEntry({
        id,
        register(api) {
          api.registerChannel(createFakeChannel({ name: "hooked" }));
          const open = {
            auth: "plugin",
            methods: ["POST"],
            fetch: () => new Response(id),
          } as const;
          for (const path of ["/webhook/hooked", "/channels/hooked/webhook", "/webhook/fake"]) {
            api.registerHttpRoute({ ...open, path });
          }
        },
      });
    const { host } = await channelHost({ neighbours: [hooked("first"), hooked("second")] });
    const send = async (path: string, method = "POST") => {
      const response = await host.request(path, { method, authenticated: false });
      return [response.status, response.status === 200 ? await response.text() : ""];
    };
    expect(await send("/webhook/hooked")).toEqual([200, "first"]);
    expect(await send("/channels/hooked/webhook")).toEqual([200, "first"]);
    expect(await send("/webhook/hooked", "GET")).toEqual([405, ""]);
    // Not its channel.
    expect(await send("/webhook/fake")).toEqual([404, ""]);
    expect(await send("/webhook/unknown")).toEqual([404, ""]);
  });

  it("[WASM-506] [WASM-507] [CHAN-010] is added and removed by a running plugin, with its webhook, and sees the pairing of its account", async () => {
    const late = createFakeChannel({ name: "late", capabilities: { runsUnconfigured: true } });
    let added: (() => void) | undefined;
    const { host } = await channelHost({}, (api) => {
      const route = (path: string) =>
        api.registerHttpRoute({
          ...{ path, channel: "late", auth: "plugin" },
          fetch: () => new Response("reached"),
        });
      api.on("message_received", () => {
        api.lifecycle.update(() => {
          const removals = [
            api.registerChannel(late),
            ...["/webhook/anything", "/channels/late/webhook/deep", "/sessions/x"].map(route),
          ];
          added = () => api.lifecycle.update(() => removals.forEach((remove) => void remove()));
        });
      });
    });
    const statusOf = async (path: string) => (await host.request(path)).status;
    expect(await statusOf("/webhook/anything")).toBe(404);
    await host.fire("message_received", sampleEvent("message_received"));
    await eventually(() => expect(late.starts).toHaveLength(1));
    expect(await statusOf("/webhook/anything")).toBe(200);
    expect(await statusOf("/channels/late/webhook/deep")).toBe(200);
    const { pairing } = late.starts[0] ?? {};
    const request = await pairing?.request("erin", "Erin");
    expect(request).toMatchObject({ code: expect.stringMatching(/^\w{8}$/), created: true });
    expect(await pairing?.request("erin")).toEqual({ ...request, created: false });
    expect([pairing?.isPaired("erin"), pairing?.senders()]).toEqual([false, []]);
    added?.();
    await eventually(() => expect(late.isShutDown).toBe(true));
    expect(await statusOf("/webhook/anything")).toBe(404);
  });
});
