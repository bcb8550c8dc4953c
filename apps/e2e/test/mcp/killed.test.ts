import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { startChatServer } from "@openclaw/platform-fakes";
import { expect, it, onTestFinished, vi } from "vitest";
import { type GatewayProcess, startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const SERVER = fileURLToPath(
  new URL("../../../../extensions/mcp/test/support/stdio-server.mjs", import.meta.url),
);
const API_KEY = "test-key";

async function post({ url, token }: GatewayProcess, path: string, body: object) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return (await answer.json()) as unknown;
}

it("[EXT-520] [TURN-031] tells the model after kill -9 that the outcome of an open call is unknown, and does not repeat it", async () => {
  const model = await startChatServer([], { apiKey: API_KEY });
  onTestFinished(() => model.close());
  model.reply(
    { toolCalls: [{ id: "c1", name: "fake__fault", arguments: '{"kind":"silence"}' }] },
    { text: "I look first." },
  );
  using place = emptyPlace({
    ...{ LLM_BASE_URL: model.baseURL, LLM_API_KEY: API_KEY, LLM_MODEL: "large" },
  });
  const notes = join(place.state, "notes");
  const tools = join(place.state, "tools.json");
  const env = { NOTES: notes, TOOLS: tools };
  const entry = { command: execPath, args: [SERVER], env, approval: "never" };
  // Without hints it may do anything.
  const properties = { kind: { type: "string" } };
  const tool = {
    name: "fault",
    description: "Charges.",
    inputSchema: { type: "object", properties },
  };
  place.writeState({
    "tools.json": JSON.stringify([tool]),
    "openclaw.json": JSON.stringify({ mcpServers: { fake: entry } }),
  });
  const start = () => startGatewayProcess(place, ["--model", "openai-compatible/large"]);
  const calls = () =>
    existsSync(notes) ? readFileSync(notes, "utf8").match(/^call fault$/gm)?.length : undefined;
  const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000 });

  const killed = await start();
  await post(killed, "/api/v1/mcp.test", { server: "fake" });
  const sent = { sessionKey: "agent:main:main", text: "charge the card", idempotencyKey: "once" };
  await post(killed, "/api/v1/chat/send", sent);
  await eventually(() => expect(calls()).toBe(1));
  await killed.end("SIGKILL");

  await using gateway = await start();
  expect(gateway.url).toMatch(/^http/);
  await eventually(() => expect(model.requests).toHaveLength(2));
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("outcome unknown");
  expect(calls()).toBe(1);
});
