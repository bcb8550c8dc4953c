import type { ServerResponse } from "node:http";
import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";
import { createGatewayClient, type EventStreamOptions } from "../../src/index.js";
import { answerJson, startFakeGateway, TOKEN } from "../support/fake-gateway.js";

function send(response: ServerResponse, event: string, payload: unknown, id?: string): void {
  const position = id === undefined ? "" : `id: ${id}\n`;
  response.write(`${position}event: ${event}\ndata: ${JSON.stringify(payload)}\n\n`);
}

function open(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream" });
}

/** Reads events, with attempts that follow each other without waiting. */
function eventsOf(url: string, options: EventStreamOptions = {}) {
  const clock = createManualClock();
  const timers = {
    setTimeout: (callback: () => void, ms: number) => {
      const timer = clock.setTimeout(callback, ms);
      queueMicrotask(() => clock.advance(ms));
      return timer;
    },
    clearTimeout: (timer: unknown) => clock.clearTimeout(timer),
  };
  return createGatewayClient({ url, token: TOKEN }).events({
    timers,
    random: () => 0.5,
    ...options,
  });
}

describe("GatewayClient.events", () => {
  it("[SDK-039] yields the events of sessions, and continues after the last one when the stream is lost", async () => {
    const gateway = await startFakeGateway((response) => {
      open(response).write(": keep alive\n\n");
      switch (gateway.requests.length) {
        case 1:
          send(response, "plugins.changed", { generation: 1 }, "e-1");
          send(response, "chat.delta", { delta: "x" });
          return void setImmediate(() => response.destroy());
        case 2:
          send(response, "plugins.changed", { generation: 2 }, "e-2");
          send(response, "shutdown", { reason: "restart" });
          return response.end();
        default:
          send(response, "resync", { reason: "restarted" });
      }
    });
    const names = ["plugins.changed", "chat.delta"] as const;
    const seen = [];
    for await (const event of eventsOf(gateway.url, { sessions: ["main", "a:b"], names })) {
      seen.push(event);
      if (event.name === "resync") break;
    }
    expect(seen).toEqual([
      { name: "plugins.changed", payload: { generation: 1 }, cursor: "e-1" },
      { name: "chat.delta", payload: { delta: "x" } },
      { name: "plugins.changed", payload: { generation: 2 }, cursor: "e-2" },
      { name: "shutdown", payload: { reason: "restart" } },
      { name: "resync", payload: { reason: "restarted" } },
    ]);
    expect(gateway.requests.map(({ path, headers }) => [path, headers["last-event-id"]])).toEqual([
      ["/api/v1/events?session=main&session=a%3Ab&types=plugins.changed%2Cchat.delta", undefined],
      ["/api/v1/events?session=main&session=a%3Ab&types=plugins.changed%2Cchat.delta", "e-1"],
      ["/api/v1/events?session=main&session=a%3Ab&types=plugins.changed%2Cchat.delta", "e-2"],
    ]);
    expect(gateway.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    await gateway.requests[2]?.hungUp;
  });

  it("starts after a given cursor, and ends by the signal", async () => {
    const gateway = await startFakeGateway((response) => send(open(response), "tick", { at: 1 }));
    const stop = new AbortController();
    const events = eventsOf(gateway.url, { cursor: "e-7", signal: stop.signal });
    await events.next();
    stop.abort();
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(gateway.requests).toMatchObject([
      { path: "/api/v1/events", headers: { "last-event-id": "e-7" } },
    ]);
    expect(await eventsOf(gateway.url, { signal: stop.signal }).next()).toMatchObject({
      done: true,
    });
  });

  it("throws when the gateway rejects the client, and tries again when it may succeed later", async () => {
    const refused = await startFakeGateway((response) => answerJson(response, 401, {}));
    await expect(eventsOf(refused.url).next()).rejects.toMatchObject({
      code: "GATEWAY_UNAUTHORIZED",
    });

    const busy = {
      code: "RATE_LIMITED",
      reason: "RATE_LIMITED",
      kind: "rate-limited",
      message: "later",
    };
    const gateway = await startFakeGateway((response) => {
      if (gateway.requests.length > 1) return send(open(response), "tick", { at: 1 });
      return answerJson(response, 429, { error: { ...busy, retryable: true, retryAfterMs: 100 } });
    });
    expect((await eventsOf(gateway.url).next()).value).toMatchObject({ name: "tick" });
  });

  it("continues from the position that an idle gateway sent, wherever the bytes are split", async () => {
    const gateway = await startFakeGateway(async (response) => {
      open(response);
      if (gateway.requests.length > 1) return send(response, "tick", { at: 3 });
      for (const part of [
        ": connected\ni",
        "d: e-5\n",
        "\n: keep",
        "-alive\r\nid: e-6\r",
        "\n\r\n",
      ]) {
        response.write(part);
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.destroy();
    });
    expect((await eventsOf(gateway.url).next()).value).toMatchObject({ payload: { at: 3 } });
    expect(gateway.requests[1]?.headers["last-event-id"]).toBe("e-6");
  });

  it("opens the stream again after an event that is not JSON", async () => {
    const gateway = await startFakeGateway((response) => {
      open(response);
      if (gateway.requests.length === 1) response.write("event: tick\ndata: {\n\n");
      else send(response, "tick", { at: 2 });
    });
    expect((await eventsOf(gateway.url).next()).value).toMatchObject({ payload: { at: 2 } });
  });
});
