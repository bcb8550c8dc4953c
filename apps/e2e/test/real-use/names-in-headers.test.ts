import { createGatewayClient } from "@openclaw/client";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ClientScene } from "../../src/openai-client-scene.js";

let scene: ClientScene;

beforeAll(async () => {
  scene = await ClientScene.open();
});

afterAll(() => scene[Symbol.asyncDispose]());

const hello = [{ role: "user", content: "hello" }] as const;

/** Sends a chat completion for a user, or to a session; returns the status and the header of the session. */
async function complete(
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly session: string; readonly text: string }> {
  const response = await fetch(`${scene.baseURL}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${scene.apiKey}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ model: "openclaw", messages: hello, ...body }),
  });
  const session = response.headers.get("x-openclaw-session-key") ?? "";
  return { status: response.status, session, text: await response.text() };
}

it.each(["李雷", "Zoë", "Jean Dupont", "Ольга:1", "🦞", "100%", "a'b\"c", "auth0|5f7"])(
  "[GW-240] the session of the user %s is named in a header, and the header selects it",
  async (user) => {
    scene.script({ text: "Hello." }, { text: "Again." });
    const first = await complete({ user });
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining("Hello.") });
    expect(first.session).toMatch(/^[ -~]+$/);
    const second = await complete({}, { "x-openclaw-session-key": first.session });
    expect(second).toMatchObject({ status: 200, session: first.session });
    expect(scene.conversations()[1]).toContain("Hello.");
  },
);

it("[GW-240] a session key arrives in raw UTF-8, as curl sends it", async () => {
  scene.script({ text: "One." }, { text: "Two." });
  const { session } = await complete({ user: "韩梅梅" });
  const raw = Buffer.from("agent:main:api:direct:韩梅梅").toString("latin1");
  const second = await complete({}, { "x-openclaw-session-key": raw });
  expect(second.session).toBe(session);
  expect(session).toBe("UTF-8''agent%3Amain%3Aapi%3Adirect%3A%E9%9F%A9%E6%A2%85%E6%A2%85");
});

it("[GW-240] the client of the gateway takes a session in any script", async () => {
  scene.script({ text: "Guten Tag." });
  const url = scene.baseURL.replace(/\/v1$/, "");
  const client = createGatewayClient({ url, token: scene.apiKey });
  const sessionKey = "agent:main:客户:李雷";
  let text = "";
  for await (const event of client.reply({ text: "hello", sessionKey })) {
    if (event.type === "text") text += event.delta;
  }
  expect(text).toBe("Guten Tag.");
  const { sessions } = await client.call("sessions.list", {});
  expect(sessions.map((session) => session.sessionKey)).toContain(sessionKey);
});

it("[GW-240] streams and stored responses name the session too", async () => {
  scene.script({ text: "One." }, { text: "Two." });
  const client = new OpenAI({ baseURL: scene.baseURL, apiKey: scene.apiKey });
  const request = { model: "openclaw", input: "hello", user: "李雷" };
  const stored = await client.responses.create(request).withResponse();
  const streamed = await client.responses.create({ ...request, stream: true }).withResponse();
  for await (const event of streamed.data) void event;
  const name = "x-openclaw-session-key";
  expect(streamed.response.headers.get(name)).toBe(stored.response.headers.get(name));
});

it.each([
  ["a line break", "a\r\nX-Evil: 1"],
  ["a NUL", "a\0b"],
  ["513 characters", "x".repeat(513)],
])("[GW-240] a user with %s is rejected by name", async (_, user) => {
  scene.script();
  const { status, text } = await complete({ user });
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ error: { param: "user", code: "invalid_request" } });
  expect(scene.asked).toHaveLength(0);
});
