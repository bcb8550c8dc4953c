import { randomUUID } from "node:crypto";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { GatewayOptions } from "../../../src/gateway-options.js";
import { loadGatewayToken } from "../../../src/state/token.js";
import { commandPlugin, wrongReplies } from "../../support/command-script.js";
import { startTestGateway } from "../../support/gateway.js";
import { WireClient } from "../../support/wire-client.js";

vi.setConfig({ testTimeout: 60_000 });

async function serve(options: Partial<GatewayOptions> = {}) {
  const folder = temporaryFolder();
  folder.write({
    "openclaw.json": "{ gateway: { limits: { requestsPerMinute: 0, chatSendsPerMinute: 0 } } }",
  });
  const gateway = await startTestGateway(folder, {
    port: 0,
    inlinePlugins: [commandPlugin],
    model: "scripted/script",
    ...options,
  });
  onTestFinished(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  const { url = "" } = gateway;
  const token = loadGatewayToken(gateway.state.tokenFile);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sessionKey = `agent:main:test:${randomUUID()}`;
  return { gateway, url, token, headers, sessionKey };
}

describe("every command", () => {
  it("[SUB-052] [PLUG-033] works over a WebSocket with chat.send", async () => {
    const { url, token, sessionKey } = await serve();
    const client = new WireClient(url);
    await client.connect(token);
    const wrong = await wrongReplies(async (text) => {
      const { messageId } = await client.call("chat.send", {
        sessionKey,
        text,
        idempotencyKey: randomUUID(),
      });
      const { payload } = await client.event(
        "chat.final",
        (event) => event.payload.messageId === messageId,
      );
      return payload.text;
    });
    expect(wrong).toEqual([]);
    const { commands } = await client.call("commands.list", {});
    const names: string[] = commands.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["undo", "resume", "deploy"]));
    // The host of this test cannot be stopped by a message.
    expect(names).not.toContain("quit");
    await client.close();
  });

  it("[SUB-052] [PLUG-033] works with the OpenAI-compatible API", async () => {
    const { url, headers, sessionKey } = await serve();
    const wrong = await wrongReplies(async (text) => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { ...headers, "x-openclaw-session-key": sessionKey },
        body: JSON.stringify({ model: "openclaw", messages: [{ role: "user", content: text }] }),
      });
      const body = (await response.json()) as {
        choices?: { message: { content: string } }[];
      };
      return body.choices?.[0]?.message.content ?? JSON.stringify(body);
    });
    expect(wrong).toEqual([]);
  });

  it("[SUB-052] works over HTTP with the methods of the protocol", async () => {
    const { url, headers, sessionKey, token } = await serve();
    const client = new WireClient(url);
    await client.connect(token, { subscribe: [sessionKey] });
    const wrong = await wrongReplies(async (text) => {
      const response = await fetch(`${url}/api/v1/chat/send`, {
        method: "POST",
        headers: { ...headers, "idempotency-key": randomUUID() },
        body: JSON.stringify({ sessionKey, text }),
      });
      const { messageId } = (await response.json()) as { messageId: string };
      const { payload } = await client.event(
        "chat.final",
        (event) => event.payload.messageId === messageId,
      );
      return payload.text;
    });
    expect(wrong).toEqual([]);
    const listed = await fetch(`${url}/api/v1/commands/list`, { headers });
    expect(await listed.json()).toMatchObject({
      commands: expect.arrayContaining([
        expect.objectContaining({ name: "deploy", source: "plugin", pluginId: "deployer" }),
      ]),
    });
    await client.close();
  });

  it("[SUB-020] /quit stops a gateway that an owner may stop", async () => {
    let quit = () => {};
    const asked = new Promise<void>((resolve) => {
      quit = resolve;
    });
    const { url, token, sessionKey } = await serve({ onQuit: () => quit() });
    const client = new WireClient(url);
    await client.connect(token);
    await client.call("chat.send", { sessionKey, text: "/quit", idempotencyKey: randomUUID() });
    await asked;
    const { payload } = await client.event("chat.final");
    expect(payload.text).toBe("Stopping.");
    await client.close();
  });
});
