import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ConnectionState, GatewayClientError } from "../../src/index.js";
import { connectTestClient } from "../support/connected-client.js";
import { answerJson, startFakeGateway, TOKEN } from "../support/fake-gateway.js";
import { NO_ANSWER, Rejection, startFakeSocketGateway } from "../support/fake-socket-gateway.js";

const isLive = ({ status }: ConnectionState) => status === "live";
const isLost = ({ status }: ConnectionState) => status === "reconnecting";
const isRefused = ({ status }: ConnectionState) => status === "refused";

async function failureOf(work: Promise<unknown>): Promise<GatewayClientError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (GatewayClientError.isInstance(error)) return error;
  throw new Error(`expected an error of the client, got ${String(error)}`);
}

describe("handshake", () => {
  it("sends versions, client, token, approver and sessions, and reports what the gateway offers", async () => {
    const gateway = await startFakeSocketGateway();
    const { connection, states } = connectTestClient(`${gateway.url}/`, {
      approver: true,
      subscribe: ["main"],
    });
    expect(connection.state).toEqual({ status: "connecting" });
    const offered = await connection.ready();
    expect(offered).toMatchObject({
      protocol: 1,
      snapshot: { sessions: ["main"], resumed: false },
    });
    expect(states).toEqual([{ status: "live", gateway: offered }]);
    expect(gateway.connects).toEqual([
      {
        minProtocol: 1,
        maxProtocol: 1,
        client: { id: "test", version: "1.0.0", mode: "automation" },
        auth: { token: TOKEN },
        approver: true,
        subscribe: ["main"],
      },
    ]);
  });

  it("accepts a ws: URL, and resumes after a cursor of an earlier process", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.publish("plugins.changed", { generation: 1 });
    const cursor = gateway.cursor;
    gateway.publish("plugins.changed", { generation: 2 });
    const { connection } = connectTestClient(gateway.url.replace("http", "ws"), {
      resume: { cursor },
    });
    for await (const { payload } of connection.events({ names: ["plugins.changed"] })) {
      expect(payload).toEqual({ generation: 2 });
      break;
    }
    expect(connection.cursor).toBe(gateway.cursor);
  });

  it.each([
    [
      { code: "UNAUTHORIZED", reason: "TOKEN", kind: "unauthenticated" },
      { name: "GatewayUnauthorizedError", code: "GATEWAY_UNAUTHORIZED" },
    ],
    [
      {
        code: "UNSUPPORTED_PROTOCOL",
        reason: "UNSUPPORTED_PROTOCOL",
        details: { gateway: { min: 2, max: 3 } },
      },
      {
        code: "UNSUPPORTED_PROTOCOL",
        wireCode: "UNSUPPORTED_PROTOCOL",
        details: { gateway: { min: 2, max: 3 } },
      },
    ],
    [
      {
        code: "FORBIDDEN",
        reason: "MISSING_SCOPE",
        kind: "forbidden",
        details: { missingScope: "operator.approvals" },
      },
      { code: "MISSING_SCOPE", kind: "forbidden", details: { missingScope: "operator.approvals" } },
    ],
  ])("is rejected for good with the reason of the gateway: %j", async (wire, expected) => {
    const gateway = await startFakeSocketGateway();
    gateway.admit = () => {
      throw new Rejection(wire);
    };
    const { connection, stateIs } = connectTestClient(gateway.url);
    const open = connection.call("plugins.list", {});
    expect(await failureOf(open)).toMatchObject(expected);
    expect(await stateIs(isRefused)).toMatchObject({ error: expected });
    expect(await failureOf(connection.ready())).toMatchObject(expected);
    expect(await failureOf(connection.call("plugins.list", {}))).toMatchObject(expected);
    expect(gateway.connects).toHaveLength(1);
  });

  it("waits as long as the gateway names before the next attempt", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.admit = () => {
      throw new Rejection({
        code: "RATE_LIMITED",
        reason: "RATE_LIMITED",
        retryable: true,
        retryAfterMs: 60_000,
      });
    };
    const { stateIs, connection, clock } = connectTestClient(gateway.url, { waits: true });
    expect(await stateIs(isLost)).toMatchObject({ failures: 1, delayMs: 60_000 });
    gateway.admit = () => {};
    clock.advance(59_999);
    expect(connection.state.status).toBe("reconnecting");
    clock.advance(1);
    await connection.ready();
  });

  it("tries again while no gateway responds, and lets a caller give up after some attempts", async () => {
    const free = createServer();
    free.listen(0, "127.0.0.1");
    await once(free, "listening");
    const { port } = free.address() as { port: number };
    free.close();
    const { connection, states, stateIs } = connectTestClient(`http://127.0.0.1:${port}`);
    const giveUp = failureOf(connection.ready({ attempts: 3 }));
    expect(await giveUp).toMatchObject({ code: "GATEWAY_UNREACHABLE" });
    await stateIs((state) => state.status === "reconnecting" && state.failures === 7);
    const delays = states.map((state) => (state.status === "reconnecting" ? state.delayMs : 0));
    expect(delays).toEqual([750, 1500, 3000, 6000, 11_250, 11_250, 11_250]);
    connection.close();
    expect(await failureOf(connection.ready())).toMatchObject({
      code: "GATEWAY_CONNECTION_CLOSED",
    });
  });

  it("reports another program at the URL, and one that accepts and says nothing", async () => {
    const web = await startFakeGateway((response) => answerJson(response, 200, {}));
    const other = connectTestClient(web.url, { waits: true });
    expect(await other.stateIs(isLost)).toMatchObject({ error: { code: "GATEWAY_UNREACHABLE" } });

    const odd = await startFakeSocketGateway();
    odd.greet = ({ socket }) => {
      socket.send("hello there");
      return true;
    };
    const chatty = connectTestClient(odd.url, { waits: true });
    expect(await chatty.stateIs(isLost)).toMatchObject({
      error: { code: "GATEWAY_UNREACHABLE", message: expect.stringContaining("is not a gateway") },
    });

    const mute = await startFakeSocketGateway();
    let greeted = false;
    mute.greet = () => {
      greeted = true;
      return true;
    };
    const waiting = connectTestClient(mute.url, { waits: true });
    await mute.until(() => greeted);
    waiting.clock.advance(10_000);
    expect(waiting.connection.state).toMatchObject({
      error: { message: expect.stringContaining("did not complete the handshake") },
    });
  });
});

describe("lost connection", () => {
  it.each([1000, 1001, 1002, 1003, 1008, 1009, 1011, 1013])(
    "connects again after the close code %d",
    async (code) => {
      const gateway = await startFakeSocketGateway();
      const { connection, stateIs, states } = connectTestClient(gateway.url);
      await connection.ready();
      gateway.connection.socket.close(code, "");
      await stateIs(isLost);
      await stateIs(isLive);
      expect(states.map(({ status }) => status)).toEqual(["live", "reconnecting", "live"]);
      expect(gateway.connects.at(-1)?.resume).toEqual({ cursor: gateway.cursor });
    },
  );

  it("reports the error frame that precedes the end", async () => {
    const gateway = await startFakeSocketGateway();
    const { connection, stateIs } = connectTestClient(gateway.url, { waits: true });
    await connection.ready();
    const { wire } = new Rejection({
      code: "RATE_LIMITED",
      kind: "rate-limited",
      reason: "SLOW",
      retryAfterMs: 20_000,
    });
    gateway.connection.send({ type: "error", error: wire });
    gateway.connection.socket.close(1013);
    expect(await stateIs(isLost)).toMatchObject({ error: { code: "SLOW" }, delayMs: 20_000 });
  });

  it("is noticed by a tick that does not come, after 2.5 intervals", async () => {
    const gateway = await startFakeSocketGateway();
    const { connection, clock } = connectTestClient(gateway.url, { waits: true });
    await connection.ready();
    clock.advance(37_499);
    expect(connection.state.status).toBe("live");
    gateway.publish("plugins.changed", { generation: 2 });
    for await (const _ of connection.events()) break;
    clock.advance(37_499);
    expect(connection.state.status).toBe("live");
    clock.advance(1);
    expect(connection.state).toMatchObject({
      status: "reconnecting",
      error: {
        code: "GATEWAY_STREAM_BROKEN",
        message: expect.stringContaining("nothing for 38 s"),
      },
    });
  });

  it.each([
    ["a frame that is not JSON", "{"],
    ["a frame of no known type", '{"type":"news"}'],
    ["a binary frame", Buffer.from("{}")],
  ])("is the consequence of %s", async (_, data) => {
    const gateway = await startFakeSocketGateway();
    const { connection, stateIs } = connectTestClient(gateway.url, { waits: true });
    await connection.ready();
    gateway.connection.socket.send(data);
    expect(await stateIs(isLost)).toMatchObject({ error: { code: "GATEWAY_STREAM_BROKEN" } });
  });

  it("starts with a short delay again only after a connection that lasted", async () => {
    const gateway = await startFakeSocketGateway();
    const { connection, clock, stateIs } = connectTestClient(gateway.url, { waits: true });
    const lose = async () => {
      await connection.ready();
      gateway.connection.socket.terminate();
      const state = await stateIs(isLost);
      return state.status === "reconnecting" ? state.delayMs : 0;
    };
    const again = async (delay: number) => {
      clock.advance(delay);
      await connection.ready();
    };
    expect(await lose()).toBe(750);
    await again(750);
    expect(await lose()).toBe(1500);
    await again(1500);
    clock.advance(5000);
    expect(await lose()).toBe(750);
  });
});

describe("calls", () => {
  it.each(["nope", "constructor", "sessions.list "])(
    "[GW-381] of the unknown method %j reject with the error of the gateway",
    async (method) => {
      const gateway = await startFakeSocketGateway();
      gateway.answer = () => {
        throw new Rejection({ reason: "METHOD_NOT_FOUND", kind: "not-found", message: "no such" });
      };
      const { connection } = connectTestClient(gateway.url);
      const call = connection.call(method as "plugins.list", {});
      expect(await failureOf(call)).toMatchObject({ code: "METHOD_NOT_FOUND", kind: "not-found" });
    },
  );

  it("send parameters, and an idempotency key for methods that write only", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = ({ method }) => ({ method });
    const { connection } = connectTestClient(gateway.url);
    expect(await connection.call("plugins.list", {})).toEqual({ method: "plugins.list" });
    await connection.call("sessions.delete", { sessionKey: "main" });
    await connection.call("sessions.delete", { sessionKey: "main" }, { idempotencyKey: "mine" });
    await connection.invoke("guard.scan", { deep: true });
    await connection.invoke("guard.status", {}, { effect: "read" });
    const key = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(gateway.calls.map(({ method, params }) => [method, params])).toEqual([
      ["plugins.list", {}],
      ["sessions.delete", { sessionKey: "main", idempotencyKey: key }],
      ["sessions.delete", { sessionKey: "main", idempotencyKey: "mine" }],
      ["guard.scan", { deep: true, idempotencyKey: key }],
      ["guard.status", {}],
    ]);
    expect(gateway.calls[1]?.params.idempotencyKey).not.toBe(
      gateway.calls[3]?.params.idempotencyKey,
    );
  });

  it("reject with code, kind, message and details of the gateway", async () => {
    const gateway = await startFakeSocketGateway();
    const wire = {
      code: "NOT_FOUND",
      reason: "PLUGIN_NOT_FOUND",
      kind: "not-found",
      message: "there is none",
    };
    gateway.answer = () => {
      throw new Rejection(wire);
    };
    const { connection } = connectTestClient(gateway.url);
    expect(await failureOf(connection.call("plugins.inspect", { id: "x" }))).toMatchObject({
      name: "GatewayRefusedError",
      code: "PLUGIN_NOT_FOUND",
      kind: "not-found",
      message: "there is none",
      wireCode: "NOT_FOUND",
    });
  });

  it("are repeated in their order with the same keys when the connection is lost", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = () => NO_ANSWER;
    const { connection, stateIs } = connectTestClient(gateway.url);
    const results = [
      connection.call("sessions.delete", { sessionKey: "one" }),
      connection.call("plugins.list", {}),
      connection.call("sessions.delete", { sessionKey: "two" }),
    ];
    await gateway.until(() => gateway.calls.length === 3);
    gateway.answer = ({ params }) => params;
    gateway.connection.breakFrame();
    await stateIs(isLost);
    expect(await Promise.all(results)).toEqual(
      gateway.calls.slice(0, 3).map(({ params }) => params),
    );
    const sent = gateway.calls.map(({ method, params }) => [method, params]);
    expect(sent.slice(3)).toEqual(sent.slice(0, 3));
  });

  it("wait while there is no connection, at most 1,000 of them", async () => {
    const gateway = await startFakeSocketGateway();
    const { connection, clock, stateIs } = connectTestClient(gateway.url, { waits: true });
    await connection.ready();
    gateway.connection.socket.terminate();
    await stateIs(isLost);
    const waiting = Array.from({ length: 1000 }, () => connection.call("plugins.list", {}));
    expect(await failureOf(connection.call("plugins.list", {}))).toMatchObject({
      code: "GATEWAY_CLIENT_OVERLOAD",
    });
    clock.advance(750);
    await Promise.all(waiting);
    expect(gateway.calls).toHaveLength(1000);
  });

  it("are rejected when each of five connections was lost while they were open", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = ({ connection }) => {
      connection.socket.terminate();
      return NO_ANSWER;
    };
    const { connection } = connectTestClient(gateway.url);
    expect(await failureOf(connection.call("plugins.list", {}))).toMatchObject({
      code: "GATEWAY_STREAM_BROKEN",
      message: expect.stringContaining("plugins.list was sent 5 times"),
    });
    expect(gateway.calls).toHaveLength(5);
  });

  it("are rejected at their deadline and by their signal, and a late response is ignored", async () => {
    const gateway = await startFakeSocketGateway();
    let respond = (_: unknown) => {};
    const late = new Promise((resolve) => {
      respond = resolve;
    });
    gateway.answer = () => late;
    const { connection, clock } = connectTestClient(gateway.url, { callTimeoutMs: 5000 });
    await connection.ready();
    const slow = failureOf(connection.call("plugins.list", {}));
    const patient = connection.call("plugins.list", {}, { timeoutMs: Number.POSITIVE_INFINITY });
    const stop = new AbortController();
    const stopped = connection.call(
      "plugins.list",
      {},
      { signal: stop.signal, timeoutMs: Number.POSITIVE_INFINITY },
    );
    await gateway.until(() => gateway.calls.length === 3);
    clock.advance(5000);
    expect(await slow).toMatchObject({ code: "GATEWAY_TIMEOUT", kind: "timeout" });
    stop.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
    respond({ generation: 1 });
    expect(await patient).toEqual({ generation: 1 });
    const aborted = connection.call(
      "plugins.list",
      {},
      { signal: AbortSignal.abort(new Error("no")) },
    );
    await expect(aborted).rejects.toThrow("no");
  });

  it("are rejected when they are larger than the gateway accepts, without losing the connection", async () => {
    const gateway = await startFakeSocketGateway();
    const { connection, states } = connectTestClient(gateway.url);
    const large = connection.invoke("guard.scan", { text: "é".repeat(600_000) });
    expect(await failureOf(large)).toMatchObject({
      code: "GATEWAY_REQUEST_TOO_LARGE",
      kind: "too-large",
    });
    expect(await connection.call("plugins.list", {})).toEqual({});
    expect(states.map(({ status }) => status)).toEqual(["live"]);
  });

  it("are rejected when the client closes the connection", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = () => NO_ANSWER;
    const { connection, clock } = connectTestClient(gateway.url);
    const open = failureOf(connection.call("plugins.list", {}));
    await gateway.until(() => gateway.calls.length === 1);
    connection.close();
    connection.close();
    expect(await open).toMatchObject({ code: "GATEWAY_CONNECTION_CLOSED" });
    expect(await failureOf(connection.call("plugins.list", {}))).toMatchObject({
      code: "GATEWAY_CONNECTION_CLOSED",
    });
    await gateway.until(() => gateway.connections.length === 0);
    expect(clock.activeTimers).toBe(0);
  });
});

describe("events", () => {
  it("reach the listeners of their name until these are removed", async () => {
    const gateway = await startFakeSocketGateway();
    const { connection } = connectTestClient(gateway.url);
    await connection.ready();
    const seen: unknown[] = [];
    const remove = connection.on("plugins.changed", ({ payload }) => seen.push(payload.generation));
    connection.on("plugin.guard.alarm", ({ payload }) => seen.push(payload));
    const events = connection.events({ names: ["sessions.changed"] });
    gateway.publish("plugins.changed", { generation: 7 });
    gateway.connection.sendEvent("plugin.guard.alarm", { level: 1 });
    gateway.publish("sessions.changed", { sessionKey: "agent:main:main", change: "reset" });
    expect((await events.next()).value).toMatchObject({
      payload: { change: "reset" },
      cursor: "1-2",
    });
    remove();
    gateway.publish("plugins.changed", { generation: 8 });
    gateway.publish("sessions.changed", { sessionKey: "agent:main:main", change: "reset" });
    await events.next();
    expect(seen).toEqual([7, { level: 1 }]);
  });

  it("end with the connection, the signal, or the rejection", async () => {
    const gateway = await startFakeSocketGateway();
    const { connection } = connectTestClient(gateway.url);
    await connection.ready();
    const stop = new AbortController();
    const stopped = connection.events({ signal: stop.signal });
    const closed = connection.events();
    stop.abort();
    expect(await stopped.next()).toEqual({ done: true, value: undefined });
    expect(await connection.events({ signal: stop.signal }).next()).toMatchObject({ done: true });
    gateway.admit = () => {
      throw new Rejection({ reason: "REVOKED", kind: "forbidden", code: "FORBIDDEN" });
    };
    gateway.connection.socket.terminate();
    await expect(closed.next()).rejects.toMatchObject({ code: "REVOKED" });
    await expect(connection.events().next()).rejects.toMatchObject({ code: "REVOKED" });
  });

  it("end with an error for a reader that 10,000 events wait for", async () => {
    const gateway = await startFakeSocketGateway();
    const { connection } = connectTestClient(gateway.url);
    await connection.ready();
    const slow = connection.events({ names: ["plugins.changed"] });
    for (let generation = 0; generation <= 10_000; generation += 1) {
      gateway.publish("plugins.changed", { generation });
    }
    const last = connection.events({ names: ["sessions.changed"] });
    gateway.publish("sessions.changed", { sessionKey: "s", change: "reset" });
    await last.next();
    let count = 0;
    const reading = (async () => {
      for await (const _ of slow) count += 1;
    })();
    expect(await failureOf(reading)).toMatchObject({ code: "GATEWAY_CLIENT_OVERLOAD" });
    expect(count).toBe(10_000);
  });

  it("connect again for a number that is missing, and skip a number that was there", async () => {
    const gateway = await startFakeSocketGateway();
    const { connection, stateIs, states } = connectTestClient(gateway.url);
    await connection.ready();
    const seen: number[] = [];
    connection.on("plugins.changed", ({ payload }) => seen.push(payload.generation));
    gateway.publish("plugins.changed", { generation: 1 });
    const text = gateway.connection.sendEvent("tick", { at: 0 });
    gateway.connection.socket.send(text);
    gateway.publish("plugins.changed", { generation: 2 });
    gateway.connection.skipEvent();
    gateway.publish("plugins.changed", { generation: 3 });
    await stateIs(isLost);
    await stateIs(isLive);
    gateway.publish("plugins.changed", { generation: 4 });
    for await (const { payload } of connection.events({ names: ["plugins.changed"] })) {
      if (payload.generation === 4) break;
    }
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(states.map(({ status }) => status)).toEqual(["live", "reconnecting", "live"]);
  });
});

describe("subscriptions", () => {
  it("are made by a call, renewed by each connection, and ended by the last subscriber", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = ({ method, params, connection }) => {
      const key = `agent:main:${String(params.sessionKey)}`;
      if (method === "sessions.subscribe") connection.sessions.add(key);
      return { sessionKey: key };
    };
    const { connection, stateIs } = connectTestClient(gateway.url);
    const first = await connection.subscribe("main");
    const second = await connection.subscribe("main");
    expect(first.sessionKey).toBe("agent:main:main");
    gateway.connection.socket.terminate();
    await stateIs(isLost);
    await connection.ready();
    expect(gateway.connects.at(-1)?.subscribe).toEqual(["main"]);
    await first.unsubscribe();
    await first.unsubscribe();
    expect(gateway.calls.map(({ method }) => method)).toEqual([
      "sessions.subscribe",
      "sessions.subscribe",
    ]);
    await second.unsubscribe();
    expect(gateway.calls.at(-1)?.method).toBe("sessions.unsubscribe");
    gateway.connection.socket.terminate();
    await stateIs(isLost);
    await connection.ready();
    expect(gateway.connects.at(-1)?.subscribe).toBeUndefined();
  });

  it("are not kept when the gateway rejects them, and are limited to what a handshake carries", async () => {
    const gateway = await startFakeSocketGateway();
    gateway.answer = () => {
      throw new Rejection({ reason: "NO" });
    };
    const { connection, stateIs } = connectTestClient(gateway.url);
    expect(await failureOf(connection.subscribe("main"))).toMatchObject({ code: "NO" });
    gateway.connection.socket.terminate();
    await stateIs(isLost);
    await connection.ready();
    expect(gateway.connects.at(-1)?.subscribe).toBeUndefined();
    const many = Array.from({ length: 100 }, (_, index) => `${index}:${"k".repeat(390)}`);
    expect(() => connectTestClient(gateway.url, { subscribe: many })).toThrow(/subscribe to "\*"/);
  });
});

it("calls the other listeners when one throws", async () => {
  const gateway = await startFakeSocketGateway();
  const { connection } = connectTestClient(gateway.url);
  await connection.ready();
  const thrown: unknown[] = [];
  const catchError = (error: unknown) => void thrown.push(error);
  const own = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", catchError);
  onTestFinished(() => {
    process.off("uncaughtException", catchError);
    for (const listener of own) process.on("uncaughtException", listener);
  });
  connection.on("tick", () => {
    throw new Error("a faulty listener");
  });
  const events = connection.events();
  gateway.connection.sendEvent("tick", { at: 1 });
  await events.next();
  expect(thrown).toMatchObject([{ message: "a faulty listener" }]);
});
