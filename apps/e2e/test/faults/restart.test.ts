import { randomUUID } from "node:crypto";
import { startChatServer } from "@openclaw/platform-fakes";
import type { ServerFrame } from "@openclaw/protocol";
import { describe, expect, it } from "vitest";
import { type GatewayProcess, startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const API_KEY = "test-key";
const SESSION = "agent:main:main";

/** Connects with the WebSocket of Node.js, as any program does. */
async function connect({ url, token }: GatewayProcess, resume?: { cursor: string }) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`);
  const frames: ServerFrame[] = [];
  const watchers = new Set<() => void>();
  const closed = new Promise<{ code: number }>((resolve) => {
    socket.addEventListener("close", ({ code }) => resolve({ code }));
  });
  socket.addEventListener("message", ({ data }) => {
    frames.push(JSON.parse(String(data)));
    for (const watcher of watchers) watcher();
  });
  const until = <Found>(find: () => Found | undefined) =>
    new Promise<Found>((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        watchers.delete(look);
        resolve(found);
      };
      watchers.add(look);
      look();
    });
  const event = (name: string) =>
    until(() => {
      const found = frames.find((frame) => frame.type === "event" && frame.event === name);
      return found?.type === "event" ? found : undefined;
    });
  const call = async (method: string, params: object): Promise<unknown> => {
    const id = randomUUID();
    socket.send(JSON.stringify({ type: "req", id, method, params }));
    const response = await until(() => {
      const found = frames.find((frame) => frame.type === "res" && frame.id === id);
      return found?.type === "res" ? found : undefined;
    });
    if (!response.ok) throw new Error(response.error.message);
    return response.payload;
  };
  await event("hello");
  const client = { id: "e2e", version: "1.0.0", mode: "automation" };
  const protocol = { minProtocol: 1, maxProtocol: 1, client, auth: { token } };
  await call("connect", { ...protocol, subscribe: [SESSION], resume });
  return { frames, event, call, closed, close: () => socket.close() };
}

describe("gateway that is stopped during a turn", () => {
  // The turn has 10 s to end before it is suspended.
  it("[GW-009] tells its clients, resumes the turn after the restart, and has the reply for those that connect again", async () => {
    const server = await startChatServer([], { apiKey: API_KEY });
    const never = new Promise(() => {});
    server.reply(
      { text: "not this one", hold: { afterEvents: 1, until: never } },
      { text: "the reply after the restart" },
    );
    using place = emptyPlace({
      ...{ LLM_BASE_URL: server.baseURL, LLM_API_KEY: API_KEY, LLM_MODEL: "large" },
    });
    const args = ["--model", "openai-compatible/large"];
    const first = await startGatewayProcess(place, args);
    const client = await connect(first);
    const sent = await client.call("chat.send", {
      ...{ sessionKey: "main", text: "hello", idempotencyKey: randomUUID() },
    });
    const started = await client.event("chat.started");
    const ended = first.end("SIGTERM");
    const shutdown = await client.event("shutdown");
    expect(shutdown.payload).toEqual({ reason: "signal" });
    expect(client.frames.at(-1)).toBe(shutdown);
    expect(await client.closed).toEqual({ code: 1001 });
    expect(await ended).toBe(0);

    await using second = await startGatewayProcess(place, args);
    const again = await connect(second, { cursor: started.cursor ?? "" });
    expect((await again.event("resync")).payload).toEqual({ reason: "restarted" });
    const history = async () =>
      (await again.call("chat.history", { sessionKey: "main" })) as {
        messages: unknown[];
        runs: { state: string }[];
      };
    const before = await history();
    if (before.runs[0]?.state !== "completed") await again.event("chat.final");
    const { messages, runs } = await history();
    const { runId, messageId } = sent as { runId: string; messageId: string };
    expect(runs).toEqual([{ runId, messageId, state: "completed" }]);
    expect(messages.at(-1)).toMatchObject({
      ...{ role: "assistant", runId, messageId },
      content: [{ type: "text", text: "the reply after the restart" }],
    });
    again.close();
    await server.close();
  });
});
