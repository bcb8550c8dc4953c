import { getEventListeners } from "node:events";
import type { TurnEvent } from "@openclaw/agent";
import type { ReplyOutcome } from "@openclaw/messaging";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it, vi } from "vitest";
import {
  answering,
  createTestHost,
  gate,
  message,
  OWNER,
  type TestHost,
} from "../../support/host.js";

function runIdOf(outcome: ReplyOutcome): string {
  if ("runId" in outcome && outcome.runId !== undefined) return outcome.runId;
  throw new Error(`no run: ${JSON.stringify(outcome)}`);
}

async function storedTurn(host: TestHost, outcome: ReplyOutcome) {
  return host.store.turns.get(runIdOf(outcome));
}

const never = new Promise<never>(() => {});

describe("TurnRunner", () => {
  it("reports the events of a turn to its caller, in order", async () => {
    const events: TurnEvent[] = [];
    const { flow } = await createTestHost({ script: [{ text: "Good day." }] });
    await flow.receive(message("hello"), { onEvent: (event) => void events.push(event) });
    const shown = events.flatMap((event) => (event.type === "text" ? event.delta : []));
    expect(shown.join("")).toBe("Good day.");
    expect(events[0]).toMatchObject({ type: "started", model: "scripted/script" });
    expect(events.at(-1)).toMatchObject({ type: "finished", outcome: { status: "completed" } });
  });

  it("uses the model, instructions and history of the message", async () => {
    const host = await createTestHost();
    await host.flow.receive(message("earlier"), {});
    const outcome = await host.flow.receive(
      message("now", {
        extraInstructions: "Answer in Latin.",
        history: [
          { role: "user", content: [{ type: "text", text: "brought along" }], timestamp: 1 },
        ],
      }),
      {},
    );
    expect(outcome).toMatchObject({ status: "replied" });
    const request = host.asked()[1];
    expect(request).toContain("Answer in Latin.");
    expect(request).toContain("brought along");
    expect(request).not.toContain("earlier");

    const unknown = await host.flow.receive(message("now", { model: "nobody/none" }), {});
    expect(unknown).toMatchObject({ status: "failed", error: { code: "MODEL_NOT_FOUND" } });
    expect(await storedTurn(host, unknown)).toMatchObject({
      state: "failed",
      error: { code: "MODEL_NOT_FOUND", stage: "model" },
    });
    expect(host.lines).toContainEqual(
      expect.stringMatching(/^error: a turn failed: .*nobody\/none/),
    );
  });

  it("requests approval from the caller of a turn, and denies without one", async () => {
    const ran: unknown[] = [];
    const options = {
      script: [
        { toolCalls: [{ toolName: "launch", params: { to: "moon" } }] },
        { text: "done" },
        { toolCalls: [{ toolName: "launch", params: { to: "mars" } }] },
        { text: "done" },
      ],
      register: (api: OpenClawPluginApi) =>
        api.registerTool({
          name: "launch",
          description: "launches",
          parameters: { type: "object", properties: { to: { type: "string" } } },
          approval: "always",
          execute: (_id: string, params: unknown) => {
            ran.push(params);
            return "launched";
          },
        }),
    };
    const host = await createTestHost(options);
    const leave = host.presence.attend(answering(host, "allow-once"));
    await host.flow.receive(message("go"), {});
    leave();
    await host.flow.receive(message("go"), {});
    expect(ran).toEqual([{ to: "moon" }]);
    expect(host.asked().at(-1)).toContain("no approver reachable");
  });

  it("keeps the plugins that a turn started with, also while it waits for approval", async () => {
    let registrations = 0;
    const seen: string[] = [];
    const host = await createTestHost({
      script: [{ toolCalls: [{ toolName: "launch" }] }, { text: "done" }, { text: "next" }],
      register(api) {
        registrations += 1;
        const generation = registrations;
        api.on("before_prompt_build", () => void seen.push(`begins with ${generation}`));
        api.on("transform_response", () => void seen.push(`ends with ${generation}`));
        api.registerTool({
          name: "launch",
          description: "launches",
          parameters: { type: "object", properties: {} },
          approval: "always",
          execute: () => {
            seen.push(`launched by ${generation}`);
            return "launched";
          },
        });
      },
    });
    const asked = gate<string>();
    const show = ({ id }: { id: string }) => asked.pass(id);
    host.presence.attend({ channel: "test", show });
    const reply = host.flow.receive(message("go"), {});
    const id = await asked.passed;
    const before = host.plugins.current.number;
    const reloaded = host.plugins.reload();
    await vi.waitFor(() => expect(host.plugins.current.number).toBeGreaterThan(before));
    await host.approvals.decide(id, { decision: "allow-once", via: "test" }, OWNER);
    expect(await reply).toMatchObject({ status: "replied", text: "done" });
    await reloaded;
    await host.flow.receive(message("and now?"), {});
    expect(seen).toEqual([
      "begins with 1",
      "launched by 1",
      "ends with 1",
      "begins with 2",
      "ends with 2",
    ]);
  });

  it("ends a turn that a plugin blocks as blocked, with the plugin's text and an emptied message", async () => {
    const host = await createTestHost({
      register: (api) =>
        api.on("before_agent_run", () => ({ outcome: "block", message: "Not here." })),
    });
    const outcome = await host.flow.receive(message("a private matter"), {});
    expect(outcome).toMatchObject({ status: "withheld", text: "Not here." });
    expect(await host.store.messages.inbox.get(outcome.messageId)).toMatchObject({ content: "" });
    expect(await host.store.turns.unfinished()).toEqual([]);
    expect(host.asked()).toEqual([]);
  });

  it("reports a cancelled reply when a plugin cancels it", async () => {
    const shown: string[] = [];
    const { flow } = await createTestHost({
      script: [{ text: "a secret" }],
      register: (api) => api.on("message_sending", () => ({ cancel: true })),
    });
    const outcome = await flow.receive(message("hello"), {
      onEvent: (event) => void (event.type === "text" && shown.push(event.delta)),
    });
    expect(outcome).toMatchObject({
      status: "withheld",
      text: "",
      reason: "a plugin cancelled the reply",
    });
    expect(shown).toEqual([]);
  });

  it("[TURN-200] delivers no reply for a turn without text, which fails", async () => {
    const sent: object[] = [];
    const { flow } = await createTestHost({
      script: [{}, {}],
      register: (api) => api.on("message_sending", (event) => void sent.push(event)),
    });
    expect(await flow.receive(message("hello"), {})).toMatchObject({
      status: "failed",
      error: { code: "EMPTY_REPLY" },
    });
    expect(sent).toEqual([]);
  });

  it("fails a turn when the model fails, and marks it retryable when the model does", async () => {
    const host = await createTestHost({
      script: [{ error: { status: 503, message: "overloaded" } }, { text: "now" }],
    });
    const failed = await host.flow.receive(message("hello"), {});
    expect(failed).toMatchObject({ status: "failed", error: { retryable: true } });
    expect(await storedTurn(host, failed)).toMatchObject({ state: "failed" });
    expect(await host.flow.receive(message("again"), {})).toMatchObject({ text: "now" });
  });
});

describe("disconnected caller", () => {
  it("interrupts the running turn", async () => {
    const asked = gate();
    const caller = new AbortController();
    const host = await createTestHost({
      script: () => {
        asked.pass();
        return { text: "never", waitFor: never };
      },
    });
    const reply = host.flow.receive(message("hello"), { signal: caller.signal });
    await asked.passed;
    caller.abort(new Error("gone"));
    const outcome = await reply;
    expect(outcome).toMatchObject({ status: "interrupted" });
    expect(await storedTurn(host, outcome)).toMatchObject({ state: "interrupted" });
    expect(await host.store.messages.outbox.undelivered()).toEqual([]);
  });

  it("prevents a turn that has not started", async () => {
    const model = gate();
    const host = await createTestHost({
      script: [{ text: "one", waitFor: model.passed }, { text: "three" }],
    });
    const caller = new AbortController();
    const replies = [
      host.flow.receive(message("first"), {}),
      host.flow.receive(message("second"), { signal: caller.signal }),
      host.flow.receive(message("third"), {}),
    ];
    caller.abort(new Error("gone"));
    model.pass();
    const [, second, third] = await Promise.all(replies);
    expect(second).toMatchObject({ status: "interrupted" });
    expect(third).toMatchObject({ status: "replied", text: "three" });
    expect(host.asked()).toHaveLength(2);
    expect(second && (await storedTurn(host, second))).toMatchObject({
      state: "interrupted",
      stopReason: "caller-gone",
      attempts: 0,
    });
  });

  it("leaves no listeners on signals that outlive the turn", async () => {
    const host = await createTestHost({
      script: (request) =>
        request.prompt.at(-1)?.role === "user"
          ? { toolCalls: [{ toolName: "look" }] }
          : { text: "seen" },
      register: (api) =>
        api.registerTool({
          name: "look",
          description: "looks",
          parameters: { type: "object", properties: {} },
          execute: async () => "a wall",
        }),
    });
    const caller = new AbortController();
    const ofHost = getEventListeners(host.signal, "abort");
    for (let turn = 0; turn < 15; turn += 1) {
      const outcome = await host.flow.receive(message("look"), { signal: caller.signal });
      expect(outcome).toMatchObject({ status: "replied" });
    }
    expect(getEventListeners(host.signal, "abort")).toEqual(ofHost);
    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  });
});

describe("turn that fails in the host", () => {
  it("fails when its end cannot be stored with its reply, and the next one runs", async () => {
    const host = await createTestHost({ script: () => ({ text: "ok" }) });
    const { transaction } = host.store;
    let isFull = true;
    vi.spyOn(host.store, "transaction").mockImplementation(
      (work) =>
        transaction.call(host.store, async (unit) => {
          const finish = vi.spyOn(unit.turns, "finish");
          const done = await work(unit);
          if (!isFull || finish.mock.calls.length === 0) return done;
          isFull = false;
          throw new Error("the disk is full");
        }) as Promise<never>,
    );
    const outcome = await host.flow.receive(message("hello"), {});
    expect(outcome).toMatchObject({
      status: "failed",
      error: { code: "UNEXPECTED", message: "the disk is full", retryable: false },
    });
    expect(await storedTurn(host, outcome)).toMatchObject({
      state: "failed",
      error: { message: "the disk is full", stage: "internal" },
    });
    expect(host.lines).toContain("error: a turn could not be completed: the disk is full");
    expect(await host.flow.receive(message("again"), {})).toMatchObject({ status: "replied" });
  });

  it("is reported to its caller even when its end cannot be stored at all", async () => {
    const host = await createTestHost();
    const { transaction } = host.store;
    vi.spyOn(host.store, "transaction").mockImplementation(
      (work) =>
        transaction.call(host.store, async (unit) => {
          vi.spyOn(unit.turns, "finish").mockRejectedValue(new Error("the disk is gone"));
          return await work(unit);
        }) as Promise<never>,
    );
    vi.spyOn(host.store.turns, "finish").mockRejectedValue(new Error("the disk is still gone"));
    const outcome = await host.flow.receive(message("hello"), {});
    expect(outcome).toMatchObject({ status: "failed", error: { message: "the disk is gone" } });
    expect(host.lines).toContain(
      "error: the end of a turn could not be stored: the disk is still gone",
    );
    vi.restoreAllMocks();
    expect(await storedTurn(host, outcome)).toMatchObject({ state: "running" });
  });

  it("fails when its surface cannot show the reply", async () => {
    const host = await createTestHost();
    const outcome = await host.flow.receive(message("hello"), {
      onEvent(event) {
        if (event.type === "started") throw new Error("the terminal is gone");
      },
    });
    expect(outcome).toMatchObject({ status: "failed" });
    expect(await storedTurn(host, outcome)).toMatchObject({ state: "failed" });
  });

  it("keeps its outcome when its surface cannot show the end that is stored", async () => {
    const host = await createTestHost();
    const outcome = await host.flow.receive(message("hello"), {
      onEvent(event) {
        if (event.type === "finished") throw new Error("the terminal is gone");
      },
    });
    expect(outcome).toMatchObject({ status: "replied" });
    expect(await storedTurn(host, outcome)).toMatchObject({ state: "completed" });
    expect(host.lines).toContain(
      "error: the end of a turn could not be shown: the terminal is gone",
    );
  });

  it("releases its plugins", async () => {
    const host = await createTestHost();
    const released: number[] = [];
    const { pin } = host.plugins;
    vi.spyOn(host.plugins, "pin").mockImplementation(() => {
      const held = pin.call(host.plugins);
      return {
        ...held,
        release() {
          released.push(1);
          held.release();
        },
      };
    });
    await host.flow.receive(message("hello"), {});
    await host.flow.receive(message("hello", { model: "nobody/none" }), {});
    expect(released).toHaveLength(2);
  });
});
