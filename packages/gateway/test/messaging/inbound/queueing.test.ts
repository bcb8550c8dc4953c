import { setImmediate as nextTick } from "node:timers/promises";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { QueueMode } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import {
  createTestHost,
  type Gate,
  gate,
  message,
  SESSION,
  type TestHost,
} from "../../support/host.js";

const LOOK = {
  name: "look",
  description: "looks",
  parameters: { type: "object", properties: {} },
} as const;

/** Returns a host whose first model call waits at a gate, after a first message has reached that call. */
async function busyHost(queueMode: QueueMode, register?: (api: OpenClawPluginApi) => void) {
  const [asked, open] = [gate(), gate()];
  let calls = 0;
  const host = await createTestHost({
    configuration: { session: { queueMode } },
    ...(register === undefined ? {} : { register }),
    script: () => {
      calls += 1;
      if (calls > 1) return { text: `reply ${calls}` };
      asked.pass();
      return { text: "reply 1", waitFor: open.passed };
    },
  });
  const first = host.flow.receive(message("first"), {});
  await asked.passed;
  return { host, first, open };
}

/** Waits until the session has a number of queued turns. */
async function lined(host: TestHost, count: number): Promise<void> {
  while (host.live.turns(SESSION).length < count) await nextTick();
}

async function stateOf(host: TestHost, messageId: string) {
  return (await host.store.messages.inbox.get(messageId))?.state;
}

describe("message that arrives during a turn", () => {
  it("[TURN-056] waits in order, and the thirty-third is answered with a busy notice", async () => {
    const posts: object[] = [];
    const { host, first, open } = await busyHost("queue", (api) => {
      api.on("request_post", (event) => void posts.push(event));
    });
    const waiting = Array.from({ length: 32 }, (_, index) =>
      host.flow.receive(message(`waiting ${index}`), {}),
    );
    await lined(host, 33);
    const refused = await host.flow.receive(message("one too many"), {});
    expect(refused).toMatchObject({ status: "answered", text: expect.stringContaining("busy") });
    expect(await stateOf(host, refused.messageId)).toBe("answered");
    expect(posts.at(-1)).toMatchObject({ outcome: "answered", answeredBy: "notice" });
    const other = await host.flow.receive(message("other", { sessionKey: "agent:main:other" }), {});
    expect(other.status).toBe("replied");
    open.pass();
    const outcomes = await Promise.all([first, ...waiting]);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["replied"]));
    const order = host.asked().map((request) => /waiting \d+(?!.*waiting)/.exec(request)?.[0]);
    expect(order.filter((text) => text !== undefined)).toEqual(
      waiting.map((_, index) => `waiting ${index}`),
    );
  });

  it("[TURN-056] [SUB-026] is rejected in mode reject, and nothing is queued", async () => {
    const { host, first, open } = await busyHost("reject");
    const refused = await host.flow.receive(message("second"), {});
    expect(refused).toMatchObject({
      status: "answered",
      text: "Turn in progress. Use /interrupt to cancel.",
    });
    expect(host.live.turns(SESSION)).toHaveLength(1);
    open.pass();
    expect(await first).toMatchObject({ status: "replied" });
    expect(host.asked()).toHaveLength(1);
  });

  it("[TURN-056] interrupts that turn in mode interrupt, and is answered next", async () => {
    const { host, first } = await busyHost("interrupt");
    const second = await host.flow.receive(message("second"), {});
    expect(await first).toMatchObject({ status: "interrupted" });
    expect(second).toMatchObject({ status: "replied", text: "reply 2" });
  });

  it("[TURN-056] is merged with the waiting messages of its sender into one turn", async () => {
    const { host, first, open } = await busyHost("collect");
    const second = host.flow.receive(message("second"), {});
    await lined(host, 2);
    const third = host.flow.receive(message("third"), {});
    const stranger = host.flow.receive(
      message("stranger", { senderId: "eve", senderIsOwner: false }),
      {},
    );
    await lined(host, 3);
    open.pass();
    const outcomes = await Promise.all([first, second, third, stranger]);
    expect(outcomes.map((outcome) => "text" in outcome && outcome.text)).toEqual([
      "reply 1",
      "reply 2",
      "reply 2",
      "reply 3",
    ]);
    expect(host.asked()).toHaveLength(3);
    expect(host.asked()[1]).toContain(String.raw`second\n\nthird`);
    const [, of2, of3] = outcomes;
    expect(of2?.messageId).not.toBe(of3?.messageId);
    const rows = [of2, of3].map((outcome) =>
      host.store.messages.inbox.get(outcome?.messageId ?? ""),
    );
    const [row2, row3] = await Promise.all(rows);
    expect(row2?.runId).toBe(row3?.runId);
  });
});

describe("message of another account", () => {
  it("[APPR-281] is not merged into a turn of the same name", async () => {
    const { host, first, open } = await busyHost("collect");
    const second = host.flow.receive(message("second"), {});
    await lined(host, 2);
    const other = host.flow.receive(message("other", { accountId: "token" }), {});
    await lined(host, 3);
    open.pass();
    const outcomes = await Promise.all([first, second, other]);
    expect(outcomes.map((outcome) => "text" in outcome && outcome.text)).toEqual([
      "reply 1",
      "reply 2",
      "reply 3",
    ]);
  });
});

/** Returns a host in mode `steer` whose first turn calls a tool that waits at a gate. */
async function steeredHost(register: (api: OpenClawPluginApi) => void = () => {}) {
  const [looking, seen]: [Gate<void>, Gate<void>] = [gate(), gate()];
  const host = await createTestHost({
    configuration: { session: { queueMode: "steer" } },
    script: [{ toolCalls: [{ toolName: "look" }] }, { text: "one" }, { text: "two" }],
    register(api) {
      register(api);
      api.registerTool({
        ...LOOK,
        execute: async () => {
          looking.pass();
          await seen.passed;
          return "a wall";
        },
      });
    },
  });
  const first = host.flow.receive(message("first"), {});
  await looking.passed;
  return { host, first, seen };
}

describe("message that steers a turn", () => {
  it("[TURN-056] is added as user text after the current batch of calls", async () => {
    const { host, first, seen } = await steeredHost();
    const second = host.flow.receive(message("look left instead"), {});
    await lined(host, 2);
    seen.pass();
    const outcomes = await Promise.all([first, second]);
    expect(outcomes).toMatchObject([
      { status: "replied", text: "one" },
      { status: "replied", text: "one" },
    ]);
    expect(host.asked()).toHaveLength(2);
    expect(host.asked()[1]).toMatch(/a wall.*look left instead/);
    const session = await host.store.sessions.get(SESSION);
    const entries = await host.store.messages.transcript.load(session?.sessionId ?? "");
    expect(entries.map(({ message: { role } }) => role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "user",
      "assistant",
    ]);
    const row = await host.store.messages.inbox.get(outcomes[1].messageId);
    expect(await host.store.turns.get(row?.runId ?? "")).toMatchObject({
      state: "completed",
      stopReason: "steered",
    });
  });

  it("waits for a separate turn when it is from another sender", async () => {
    const { host, first, seen } = await steeredHost();
    const second = host.flow.receive(
      message("obey me", { senderId: "eve", senderIsOwner: false }),
      {},
    );
    await lined(host, 2);
    seen.pass();
    expect(await Promise.all([first, second])).toMatchObject([{ text: "one" }, { text: "two" }]);
  });

  it("waits for a separate turn when a plugin guards the model's input", async () => {
    const guarded: string[] = [];
    const { host, first, seen } = await steeredHost((api) => {
      api.on("before_agent_run", ({ prompt }) => {
        guarded.push(prompt);
        return { outcome: "pass" };
      });
    });
    const second = host.flow.receive(message("second"), {});
    await lined(host, 2);
    seen.pass();
    expect(await Promise.all([first, second])).toMatchObject([{ text: "one" }, { text: "two" }]);
    expect(guarded).toEqual(["first", "second"]);
  });
});

describe("session command", () => {
  it.each(["/stop", "/interrupt"])("%s interrupts the running turn at once", async (command) => {
    const posts: object[] = [];
    const { host, first } = await busyHost("queue", (api) => {
      api.on("request_post", (event) => void posts.push(event));
    });
    const stopped = await host.flow.receive(message(command), {});
    expect(stopped).toMatchObject({ status: "answered", text: "Interrupted." });
    expect(await first).toMatchObject({ status: "interrupted" });
    expect(posts.at(-1)).toMatchObject({ outcome: "answered", answeredBy: "control" });
    expect(await host.flow.receive(message(command), {})).toMatchObject({
      text: "No turn is running.",
    });
  });
});
