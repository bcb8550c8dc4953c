import { type Clock, systemClock } from "@openclaw/foundation";
import { describe, expect, it, vi } from "vitest";
import {
  type ModelCandidate,
  ModelChain,
  type ModelEvent,
  ModelHealth,
  type ModelRequest,
} from "../../src/index.js";
import { chainSettings, type SettingChanges } from "../support/chain.js";
import {
  breaking,
  type ChatServer,
  chatServer,
  chunk,
  failing,
  replyChunks,
  streaming,
} from "../support/chat-server.js";
import { request } from "../support/collect.js";

/** Waits are as short as they can be. */
const QUICK = { retry: { retries: 1, baseMs: 1 } };

/** Two servers with one model each, and calls that try them in order. */
async function pair(changes: SettingChanges = {}) {
  const first = await chatServer(streaming(...replyChunks("first")));
  const second = await chatServer(streaming(...replyChunks("second")));
  return { first, second, ...calls([first.candidate("a/m"), second.candidate("b/m")], changes) };
}

function calls(candidates: readonly ModelCandidate[], changes: SettingChanges) {
  let skippedMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + skippedMs };
  const health = new ModelHealth(clock);
  const chain = new ModelChain({
    health,
    clock,
    settings: chainSettings({ ...QUICK, ...changes }),
  });
  /** Sends a request; returns what arrived and the error. */
  const ask = async (asked: ModelRequest = request()) => {
    const events: ModelEvent[] = [];
    let error: unknown;
    try {
      await chain.run({ candidates }, async (attempt) => {
        for await (const event of attempt.events(asked)) events.push(event);
      });
    } catch (thrown) {
      error = thrown;
    }
    const text = events.map((event) => (event.type === "text" ? event.delta : "")).join("");
    return { events, text, error };
  };
  return {
    ask,
    health,
    skip: (ms: number) => {
      skippedMs += ms;
    },
  };
}

function requestsOf(...servers: ChatServer[]): number[] {
  return servers.map(({ requests }) => requests.length);
}

describe("provider that fails", () => {
  it("[LLM-026] is called rarely while it is down for an hour, and again when it is back", async () => {
    const { first, second, ask, skip, health } = await pair();
    first.answer = failing(503, '{"error":{"message":"down"}}');
    for (let minute = 0; minute < 60; minute += 1) {
      expect(await ask()).toMatchObject({ text: "second", error: undefined });
      skip(60_000);
    }
    const [failed = 0] = requestsOf(first);
    // Cooldowns grow to five minutes, and the breaker lets one request through at a time.
    expect(failed).toBeLessThan(25);
    first.answer = streaming(...replyChunks("first"));
    skip(300_000);
    expect(await ask()).toMatchObject({ text: "first" });
    expect(health.snapshot().models).toMatchObject([{ ref: "a/m", consecutiveFailures: 0 }]);
    expect(second.requests).toHaveLength(60);
  });

  it("is replaced when nothing listens at its address, and called again when it listens", async () => {
    const { first, ask, skip } = await pair();
    const start = await first.stop();
    expect(await ask()).toMatchObject({ text: "second", error: undefined });
    await start();
    expect(await ask()).toMatchObject({ text: "second" });
    skip(30_000);
    expect(await ask()).toMatchObject({ text: "first" });
  });

  it("[LLM-044] is replaced when it accepts a request and never answers, and its connection is closed", async () => {
    const { first, ask } = await pair({ failover: { firstResponseMs: 100 } });
    first.answer = () => {};
    expect(await ask()).toMatchObject({ text: "second", error: undefined });
    expect(requestsOf(first)).toEqual([1]);
    await vi.waitFor(() => expect(first.closed).toBe(1));
  });

  it("is replaced when it sends headers and no body", async () => {
    const { first, ask } = await pair({ failover: { firstResponseMs: 100 } });
    first.answer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
    };
    expect(await ask()).toMatchObject({ text: "second", error: undefined });
  });

  it("[LLM-028] is stopped at the time limit when it streams byte by byte", async () => {
    const { first, second, ask } = await pair({ timeoutMs: 400 });
    first.answer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chunk({ content: "a" }));
      const timer = setInterval(() => response.write("x"), 10);
      response.on("close", () => clearInterval(timer));
    };
    const { text, error } = await ask();
    expect(text).toBe("a");
    expect(error).toMatchObject({
      code: "MODEL_TIMEOUT",
      message: expect.stringMatching(
        /no complete reply within 0.4 s, the limit of models.timeoutMs.*the reply is incomplete/,
      ),
    });
    expect(requestsOf(first, second)).toEqual([1, 0]);
    await vi.waitFor(() => expect(first.closed).toBe(1));
  });

  it("[LLM-018] with a wrong key is reported after one request", async () => {
    const { first, second, ask } = await pair();
    first.answer = failing(401, '{"error":{"message":"Incorrect API key provided: a-key"}}');
    const { error } = await ask();
    expect(error).toMatchObject({
      code: "MODEL_AUTHENTICATION_FAILED",
      message: expect.stringMatching(/check the API key of provider a, .*\(b\/m was not called\)$/),
    });
    expect(String(error)).not.toContain("a-key");
    expect(requestsOf(first, second)).toEqual([1, 0]);
  });

  it("[LLM-025] is called again after the time of its Retry-After header", async () => {
    const { first, ask } = await pair();
    const answers = [
      failing(429, '{"error":{"message":"slow"}}', { "retry-after": "0" }),
      streaming(...replyChunks("after a pause")),
    ];
    first.answer = (...exchange) => answers.shift()?.(...exchange);
    expect(await ask()).toMatchObject({ text: "after a pause" });
    expect(requestsOf(first)).toEqual([2]);
  });

  it.each([
    ["text/html", "<html><body>Welcome to the hotel network</body></html>"],
    ["application/json", '{"unexpected": true}'],
    ["text/plain", "ok"],
  ])("is replaced when its response is of the type %s", async (type, body) => {
    const { first, ask } = await pair();
    first.answer = failing(200, body, { "content-type": type });
    expect(await ask()).toMatchObject({ text: "second", error: undefined });
    expect(requestsOf(first)).toEqual([2]);
  });

  it("is replaced when its stream is not JSON", async () => {
    const { first, ask } = await pair();
    first.answer = streaming("data: {not json}\n\n", "data: [DONE]\n\n");
    expect(await ask()).toMatchObject({ text: "second", error: undefined });
  });
});

describe("stream that is not whole", () => {
  it.each([
    ["ends", streaming],
    ["breaks", breaking],
  ])("is requested again when it %s before any text", async (_how, stream) => {
    const { first, ask } = await pair();
    first.answer = stream(chunk({ role: "assistant", content: "" }));
    expect(await ask()).toMatchObject({ text: "second", error: undefined });
    expect(requestsOf(first)).toEqual([2]);
  });

  it.each([
    ["ends", streaming],
    ["breaks", breaking],
    ["is cut within a chunk", (...chunks: string[]) => streaming(chunks.join("").slice(0, -40))],
  ])(
    "[LLM-023] is incomplete when it %s after text, which is not repeated",
    async (_how, stream) => {
      const { first, second, ask } = await pair();
      first.answer = stream(
        chunk({ content: "the " }),
        chunk({ content: "beginning" }),
        chunk({ content: " lost" }),
      );
      const { text, error } = await ask();
      expect(text).toMatch(/^the beginning/);
      expect(error).toMatchObject({ message: expect.stringContaining("the reply is incomplete") });
      expect(requestsOf(first, second)).toEqual([1, 0]);
    },
  );

  it("shows repeated text chunks as they were sent, and ends once", async () => {
    const { first, ask } = await pair();
    const end = [chunk({}, "stop"), chunk({}, "stop"), "data: [DONE]\n\n", "data: [DONE]\n\n"];
    first.answer = streaming(chunk({ content: "ha" }), chunk({ content: "ha" }), ...end);
    const { text, events } = await ask();
    expect(text).toBe("haha");
    expect(events.filter(({ type }) => type === "finish")).toHaveLength(1);
  });

  const call = (id: string, args: string, index = 0) =>
    chunk({
      tool_calls: [{ index, id, type: "function", function: { name: "look", arguments: args } }],
    });

  it("[LLM-038] gives no executable call when a chunk of its arguments is repeated or malformed", async () => {
    const { first, ask } = await pair();
    const more = chunk({ tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] });
    for (const chunks of [[call("c1", '{"path": '), more, more], [call("c1", '{"path": a}')]]) {
      first.answer = streaming(...chunks, chunk({}, "tool_calls"), "data: [DONE]\n\n");
      const { events, error } = await ask();
      expect(error).toBeUndefined();
      const found = events.flatMap((event) => (event.type === "tool-call" ? [event.call] : []));
      for (const each of found) expect(each).toMatchObject({ toolCallId: "c1" });
      expect(found.filter((each) => "params" in each && each.params === undefined)).toEqual([]);
      expect(found.some((each) => "problem" in each)).toBe(true);
    }
  });
});
