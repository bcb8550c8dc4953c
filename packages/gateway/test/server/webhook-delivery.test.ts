import { createHmac } from "node:crypto";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import type { OutgoingResponse } from "@openclaw/plugin-sdk/channel-core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startTestGateway } from "../support/gateway.js";
import { scriptedProvider } from "../support/scripted-provider.js";

const SECRET = "a-secret-of-at-least-24-characters";

interface Broadcast {
  readonly to: string;
  readonly content: string;
}

/** Starts a gateway with two webhooks and a channel, whose replies it records. */
async function site(channels: object, deliver: object) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const webhook = { secret: SECRET, text: "{{payload}}" };
  folder.write({
    "openclaw.json": JSON.stringify({
      agents: { defaults: { model: "scripted/script" } },
      channels,
      webhooks: { deploy: { ...webhook, deliver }, quiet: webhook },
    }),
  });
  const sent: Broadcast[] = [];
  const seen: unknown[] = [];
  const model = createScriptedModel(({ prompt }) => ({
    text: `heard ${JSON.stringify(prompt.at(-1)?.content).includes("failed") ? "failed" : "else"}`,
  }));
  const gateway = await startTestGateway(folder, {
    port: 0,
    inlinePlugins: [
      {
        id: "parts",
        register(api) {
          api.registerProvider(scriptedProvider(model));
          api.registerChannel({
            name: "tower",
            async *start({ signal, connected }) {
              connected();
              await new Promise((resolve) => signal.addEventListener("abort", resolve));
            },
            respond: async () => ({ messageId: "reply" }),
            broadcast: async (to: string, { content }: OutgoingResponse) => {
              sent.push({ to, content });
              return { messageId: `m${sent.length}` };
            },
          });
          api.on("message_sending", ({ content }) => ({ content: `${content}!` }));
          api.on("message_sent", ({ success, content }) => void seen.push([success, content]));
        },
      },
    ],
  });
  onTestFinished(() => gateway.stop("command"));
  const post = async (name: string, body: string) => {
    const timestamp = `${Math.floor(Date.now() / 1000)}`;
    const signature = createHmac("sha256", SECRET).update(`${timestamp}.${body}`).digest("hex");
    const headers = {
      "x-openclaw-timestamp": timestamp,
      "x-openclaw-signature": `sha256=${signature}`,
    };
    const response = await fetch(`${gateway.url}/hooks/${name}`, { method: "POST", body, headers });
    return { status: response.status, body: await response.json() };
  };
  return { sent, seen, post };
}

describe("webhook with deliver", () => {
  it("[GW-041] sends the reply to the conversation through the outbound hooks, and others send none", async () => {
    const { sent, post } = await site({ tower: {} }, { channel: "tower", to: "room 7" });
    expect(await post("quiet", '"calm"')).toMatchObject({ status: 202 });
    expect(await post("deploy", '"failed"')).toEqual({
      status: 202,
      body: { messageId: expect.any(String) },
    });
    await vi.waitFor(() => expect(sent).toEqual([{ to: "room 7", content: "heard failed!" }]));
  });

  it("[GW-041] [TURN-048] does not count a reply as delivered when its channel does not run", async () => {
    const { sent, seen, post } = await site({}, { channel: "tower", to: "room 7" });
    expect(await post("deploy", '"failed"')).toMatchObject({ status: 202 });
    await vi.waitFor(() => expect(seen).toEqual([[false, "heard failed!"]]));
    expect(sent).toEqual([]);
  });
});
