import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { definePluginEntry, type OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { openStore, type Store } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFakeChannel, createTestHost, type TestHostOptions } from "../../src/index.js";

const CREDENTIAL = "correct horse battery staple 42";
const SESSION = "agent:main:fake:direct:alice";
const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 40_000);

/** A model that calls the tool first, then answers; further replies follow. */
const asks = (...replies: string[]) => [
  { toolCalls: [{ toolName: "connect", params: {} }] },
  { text: "Please send it." },
  ...replies.map((text) => ({ text })),
];

/** A host with a plugin whose tool asks for a credential, and a plugin that records what hooks get. */
async function connecting(options: Partial<TestHostOptions> & { readonly store: Store }) {
  const channel = createFakeChannel();
  let api: OpenClawPluginApi | undefined;
  const service = definePluginEntry({
    id: "service",
    register(given) {
      api = given;
      given.registerTool((context) => ({
        name: "connect",
        description: "Connects the service.",
        parameters: { type: "object", properties: {} },
        async execute() {
          await given.runtime.messages?.requestCredential?.({
            sessionKey: context.sessionKey,
            name: "API_KEY",
            instructions: "Create a key for me.",
            authUrl: "https://example.com/keys",
          });
          return "The person was asked.";
        },
      }));
    },
  });
  const hooks: [name: string, event: object][] = [];
  const watcher = definePluginEntry({
    id: "watcher",
    register(given) {
      const watch = (name: "message_receiving" | "message_received" | "request_post") =>
        given.on(name, (event) => void hooks.push([name, event]));
      watch("message_receiving");
      watch("message_received");
      watch("request_post");
      given.on("inbound_claim", (event) => void hooks.push(["inbound_claim", event]));
      given.on("before_dispatch", (event) => void hooks.push(["before_dispatch", event]));
    },
  });
  const host = await createTestHost({
    plugin: channel.asPlugin(),
    config: { channels: { fake: { dmPolicy: "open" } } },
    neighbours: [service, watcher],
    model: asks("Connected."),
    ...options,
  });
  const secret = async () => api?.store.secrets?.get("API_KEY");
  const request = async (name: string) =>
    api?.runtime.messages?.requestCredential?.({ sessionKey: SESSION, name });
  return { host, channel, hooks, secret, request };
}

async function memoryStore() {
  const store = await openStore({ file: ":memory:" });
  onTestFinished(() => store.close());
  return store;
}

describe("a plugin that asks a conversation for a credential", () => {
  it("[CHAN-015] [SUB-045] [TURN-001] [TURN-011] [HCR-020] gets the next message encrypted, and nothing else sees its text", async () => {
    using folder = temporaryFolder();
    const store = await openStore({ file: join(folder.path, "host.db") });
    const { host, channel, hooks, secret } = await connecting({ store });
    try {
      await channel.say("connect the service", { externalId: "m1" });
      const asked = await channel.delivery(1);
      expect(asked.content).toContain('The plugin service needs the credential "API_KEY".');
      expect(asked.content).toContain("Create a key for me.\nGet it at https://example.com/keys");
      await channel.delivery(2);
      hooks.length = 0;

      await channel.say(` ${CREDENTIAL}\n`, { externalId: "m2", metadata: { raw: CREDENTIAL } });
      const confirmed = await channel.delivery(3);
      expect(confirmed.content).toBe(
        'The credential "API_KEY" of the plugin service is stored. Send a message to continue.',
      );
      expect(await secret()).toBe(CREDENTIAL);
      const row = await store.messages.inbox.latest(SESSION);
      expect(row).toMatchObject({ content: "[credential]", state: "answered", attachments: [] });
      await eventually(() => expect(hooks.map(([name]) => name)).toContain("request_post"));
      const inbound = hooks.filter(([name]) => name !== "before_dispatch");
      expect(inbound).toEqual([
        [
          "request_post",
          expect.objectContaining({
            ...{ outcome: "answered", answeredBy: "credential", sessionKey: SESSION },
            messageId: row?.id,
          }),
        ],
      ]);
      expect(inbound[0]?.[1]).not.toHaveProperty("content");

      // A repeat of the message is recognised, and the next message is ordinary input again.
      await channel.say(CREDENTIAL, { externalId: "m2" });
      await channel.say("continue", { externalId: "m3" });
      expect((await channel.delivery(4)).content).toBe("Connected.");
      const seen = JSON.stringify([hooks, host.trace, host.logs, host.modelRequests]);
      expect(seen).toContain("continue");
      expect(seen).not.toContain(CREDENTIAL);
    } finally {
      await host.dispose();
      await store.close();
    }
    const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name)));
    const database = Buffer.concat(files);
    expect(database.includes("connect the service")).toBe(true);
    expect(database.includes(CREDENTIAL)).toBe(false);
  });

  it("[SUB-046] ends without storing by auth-cancel and by a command, and a stranger or a file is not stored", async () => {
    const store = await memoryStore();
    const { host, channel, hooks, secret } = await connecting({
      store,
      model: [...asks(), ...asks("Ordinary."), ...asks()],
    });
    await using _host = host;
    await channel.say("connect", { externalId: "m1" });
    await channel.delivery(2);
    const file = { name: "key.txt", mimeType: "text/plain", bytes: 3 };
    await channel.say("see file", { externalId: "m2", attachments: [file] });
    expect((await channel.delivery(3)).content).toContain("as text without a file");
    await channel.say("/Auth-Cancel ", { externalId: "m3" });
    expect((await channel.delivery(4)).content).toBe(
      'No credential was stored; "API_KEY" is no longer awaited.',
    );
    expect(await store.credentialRequests.list()).toEqual([]);

    await channel.say("connect", { externalId: "m4" });
    await channel.delivery(6);
    hooks.length = 0;
    // A command is answered, and leaves the mode.
    await channel.say("/ping", { externalId: "m5" });
    await channel.delivery(7);
    await channel.say("ordinary words", { externalId: "m6" });
    expect((await channel.delivery(8)).content).toBe("Ordinary.");
    expect(hooks.filter(([name]) => name === "message_received")).toHaveLength(2);
    expect(await secret()).toBeUndefined();
  });

  it("[SUB-046] ends after 10 minutes", async () => {
    const { host, channel, secret } = await connecting({
      store: await memoryStore(),
      model: [...asks("Ordinary.")],
    });
    await using _host = host;
    await channel.say("connect", { externalId: "m1" });
    await channel.delivery(2);
    await host.advance(10 * 60_000);
    await channel.say("too late", { externalId: "m2" });
    expect((await channel.delivery(3)).content).toBe("Ordinary.");
    expect(await secret()).toBeUndefined();
  });

  it("[SUB-045] gets it also after a restart of the host", async () => {
    const store = await memoryStore();
    const first = await connecting({ store });
    await first.channel.say("connect", { externalId: "m1" });
    await first.channel.delivery(2);
    await first.host.dispose();
    const second = await connecting({ store, model: [] });
    await using _host = second.host;
    await second.channel.say(CREDENTIAL, { externalId: "m2" });
    expect((await second.channel.delivery(1)).content).toContain("is stored");
    expect(second.host.modelRequests).toHaveLength(0);
    expect(await store.messages.inbox.latest(SESSION)).toMatchObject({ content: "[credential]" });
  });

  it("is asked for one credential at a time, under a valid name", async () => {
    const { host, channel, request } = await connecting({ store: await memoryStore() });
    await using _host = host;
    await channel.say("connect", { externalId: "m1" });
    await channel.delivery(2);
    await expect(request("OTHER_KEY")).rejects.toMatchObject({
      code: "CREDENTIAL_REQUEST_REFUSED",
      message: expect.stringContaining('asked for "API_KEY" of plugin "service" first'),
    });
    await expect(request("no name")).rejects.toThrow(/"no name".*must start with a letter/);
    // The same request again lasts for another ten minutes.
    await request("API_KEY");
  });
});
