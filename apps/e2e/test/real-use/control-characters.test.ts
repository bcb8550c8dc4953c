import { connectGateway, createGatewayClient } from "@openclaw/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ClientScene } from "../../src/openai-client-scene.js";

/** Characters that end a line, a text or a header somewhere. */
const CHARACTERS = [
  ["NUL", "\0"],
  ["CR", "\r"],
  ["LF", "\n"],
  ["CR and LF", "\r\n"],
  ["a control character of C1", "\u0085"],
  ["DEL", "\u007f"],
  ["U+2028", "\u2028"],
  ["U+2029", "\u2029"],
] as const;

let scene: ClientScene;
beforeAll(async () => {
  scene = await ClientScene.open();
});
afterAll(() => scene[Symbol.asyncDispose]());

async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${scene.baseURL}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${scene.apiKey}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ model: "openclaw", ...body }),
  });
  return { status: response.status, text: await response.text() };
}

const MESSAGES = { messages: [{ role: "user", content: "hello" }] };
const gatewayUrl = () => scene.baseURL.replace(/\/v1$/, "");

describe.each(CHARACTERS)("%s in an ID", (_name, character) => {
  const id = `a${character}b`;

  it("[CHAN-600] is answered with 400 and the name of the parameter by the APIs of models", async () => {
    const answers = [
      ["user", await post("/chat/completions", { ...MESSAGES, user: id })],
      ["user", await post("/responses", { input: "hello", user: id })],
      ["user", await post("/messages", { ...MESSAGES, max_tokens: 9, metadata: { user_id: id } })],
    ] as const;
    for (const [parameter, { status, text }] of answers) {
      expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(parameter) });
      expect(text).toContain("control character");
    }
  });

  it("[CHAN-600] is answered with 400 in a session key in a header", async () => {
    const key = `UTF-8''${encodeURIComponent(`agent:main:${id}`)}`;
    for (const [path, body] of [
      ["/chat/completions", MESSAGES],
      ["/responses", { input: "hello" }],
      ["/messages", { ...MESSAGES, max_tokens: 9 }],
    ] as const) {
      const { status, text } = await post(path, body, { "x-openclaw-session-key": key });
      expect({ path, status, text }).toMatchObject({ path, status: 400 });
      expect(text).toContain("session key");
    }
  });

  it("[CHAN-600] is answered with INVALID_REQUEST by methods, over HTTP and WebSocket", async () => {
    const token = scene.apiKey;
    const http = createGatewayClient({ url: gatewayUrl(), token });
    const client = { id: "test", version: "1.0.0", mode: "automation" } as const;
    const socket = connectGateway({ url: gatewayUrl(), token, client });
    await socket.ready({ attempts: 1 });
    const calls = [
      ["chat.send", { sessionKey: `agent:main:${id}`, text: "hello", idempotencyKey: "one" }],
      ["chat.history", { sessionKey: id }],
      ["chat.abort", { sessionKey: id }],
      ["sessions.get", { sessionKey: id }],
      ["sessions.delete", { sessionKey: id }],
      ["sessions.reset", { sessionKey: id }],
      ["run.trace", { runId: id }],
      ["approvals.get", { id }],
      ["channels.test", { channel: id }],
    ] as const;
    // The client of the WebSocket adds an idempotency key, which reading methods do not take.
    for (const [caller, called] of [
      [http, calls],
      [socket, calls.slice(0, 1)],
    ] as const) {
      for (const [method, parameters] of called) {
        const failure = await caller
          .invoke(method, parameters)
          .then(() => undefined)
          .catch((error: unknown) => error);
        expect(failure, method).toMatchObject({ code: "INVALID_REQUEST" });
        expect(String(failure), method).toContain("control character");
      }
    }
    socket.close();
  });
});
