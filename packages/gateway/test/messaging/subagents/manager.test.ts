import { setImmediate as nextTick } from "node:timers/promises";
import type { ScriptStep } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Store, Subagent } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import {
  createTestHost,
  gate,
  message,
  openTestStore,
  SESSION,
  type TestHost,
  type TestHostOptions,
} from "../../support/host.js";

type Reply = ScriptStep | (() => ScriptStep);

/**
 * Creates a model that replies according to the first known word of a message, and to tool results with
 * "Done.".
 */
function knowing(replies: Readonly<Record<string, Reply>>): NonNullable<TestHostOptions["script"]> {
  return ({ prompt }) => {
    const last = prompt.at(-1);
    if (last?.role === "tool") return { text: "Done." };
    const asked = JSON.stringify(last?.content);
    const [, reply = { text: "ok" }] =
      Object.entries(replies).find(([w]) => asked.includes(w)) ?? [];
    return typeof reply === "function" ? reply() : reply;
  };
}

/** Returns a reply that spawns subagents. */
function spawning(...children: JsonObject[]): ScriptStep {
  return { toolCalls: children.map((params) => ({ toolName: "sessions_spawn", params })) };
}

async function children(store: Store): Promise<readonly Subagent[]> {
  return await store.sessions.subagents.childrenOf(SESSION, { limit: 100 });
}

async function onlyChild(store: Store): Promise<Subagent> {
  const [child, ...others] = await children(store);
  expect(others).toEqual([]);
  if (child === undefined) throw new Error("there is no child");
  return child;
}

/** Records the subagent hooks and their events as they fire. */
function noting(calls: { hook: string; event: JsonObject; context: JsonObject }[]) {
  return (api: OpenClawPluginApi) => {
    const hooks = [
      "subagent_spawning",
      "subagent_spawned",
      "subagent_delivery_target",
      "subagent_ended",
    ] as const;
    for (const hook of hooks) {
      api.on(hook, (event: object, context: object) => {
        const plain = (value: object) => JSON.parse(JSON.stringify(value)) as JsonObject;
        calls.push({ hook, event: plain(event), context: plain(context) });
        return undefined;
      });
    }
  };
}

/** Creates a host in which a subagent waits in its model call, after the parent's turn has ended. */
async function waitingChild(options: TestHostOptions = {}, spawn: JsonObject = {}) {
  const asked = gate();
  const open = gate();
  const host = await createTestHost({
    script: knowing({
      "look it up": () => {
        asked.pass();
        return { text: "Found.", waitFor: open.passed };
      },
      begin: spawning({ task: "look it up", ...spawn }),
    }),
    ...options,
  });
  await host.flow.receive(message("begin"), {});
  await asked.passed;
  return { host, open };
}

function lastAsked(host: TestHost): string {
  return host.asked().at(-1) ?? "";
}

describe("subagent", () => {
  it("[TURN-052] runs in a separate session, and its result arrives with its parent's next turn", async () => {
    const host = await createTestHost({
      script: knowing({
        "sum the list": { text: "It is forty-two." },
        begin: spawning({ task: "sum the list", label: "adder" }),
      }),
    });
    expect(await host.flow.receive(message("begin"), {})).toMatchObject({ text: "Done." });
    await host.live.idle();
    const child = await onlyChild(host.store);
    expect(child).toMatchObject({
      sessionKey: expect.stringMatching(/^agent:main:subagent:[0-9a-f-]{36}$/),
      depth: 1,
      label: "adder",
      result: "It is forty-two.",
      outcome: "ok",
    });
    const session = await host.store.sessions.get(child.sessionKey);
    expect(session).toMatchObject({ agentId: "main", label: "adder", messageCount: 2 });
    expect(await host.store.messages.outbox.undelivered()).toEqual([]);

    await host.flow.receive(message("and now?"), {});
    expect(lastAsked(host)).toContain("It is forty-two.");
    expect(lastAsked(host)).toContain("untrusted");
    await host.flow.receive(message("again?"), {});
    expect(lastAsked(host).match(/SECURITY NOTICE/g)).toBeNull();
  });

  it("[TURN-052] fires its hooks in order, each once", async () => {
    const calls: Parameters<typeof noting>[0] = [];
    const host = await createTestHost({
      register: noting(calls),
      script: knowing({ "sum it": { text: "42" }, begin: spawning({ task: "sum it" }) }),
    });
    await host.flow.receive(message("begin"), {});
    await host.flow.close();
    const { sessionKey, runId } = await onlyChild(host.store);
    expect(calls.map(({ hook }) => hook)).toEqual([
      "subagent_spawning",
      "subagent_spawned",
      "subagent_delivery_target",
      "subagent_ended",
    ]);
    for (const { context } of calls) {
      expect(context).toMatchObject({
        childSessionKey: sessionKey,
        requesterSessionKey: SESSION,
      });
    }
    expect(calls[3]?.event).toMatchObject({
      targetSessionKey: sessionKey,
      targetKind: "subagent",
      outcome: "ok",
      reason: "completed",
      runId,
      endedAt: expect.any(Number),
    });
  });

  it("[TURN-052] reports to the conversation that the first hook chooses", async () => {
    const host = await createTestHost({
      script: knowing({
        "sum it": { text: "Forty-two sheep." },
        begin: spawning({ task: "sum it" }),
      }),
      register: (api) => {
        const origin = { channel: "telegram", to: "me" };
        api.on("subagent_delivery_target", () => ({ origin }));
        api.on("reply_dispatch", ({ originatingChannel, payloads }) => {
          if (originatingChannel !== "telegram") return undefined;
          sent.push(payloads[0]?.text);
          return { handled: true };
        });
      },
    });
    const sent: unknown[] = [];
    await host.flow.receive(message("begin"), {});
    await host.live.idle();
    expect(sent).toEqual(["Forty-two sheep."]);
    await host.flow.receive(message("and now?"), {});
    expect(lastAsked(host)).not.toContain("sheep");
  });

  it("records in the log and in the outbox that the channel of its report is not served", async () => {
    const host = await createTestHost({
      script: knowing({ "sum it": { text: "42" }, begin: spawning({ task: "sum it" }) }),
      register: (api) => {
        const deliveryOrigin = { channel: "telegram", to: "me" };
        api.on("subagent_spawning", () => ({ status: "ok", deliveryOrigin }));
      },
    });
    await host.flow.receive(message("begin"), {});
    await host.live.idle();
    expect(host.lines.join("\n")).toContain('no channel "telegram" is connected');
    expect(await onlyChild(host.store)).toMatchObject({ outcome: "ok" });
  });

  it("[TURN-052] is rejected when eight are running, until one of them ends", async () => {
    const open = gate();
    const host = await createTestHost({
      script: knowing({
        another: spawning({ task: "go" }),
        wait: { text: "waited", waitFor: open.passed },
        nine: spawning(...Array.from({ length: 9 }, (_, n) => ({ task: `wait ${n}` }))),
      }),
    });
    await host.flow.receive(message("nine"), {});
    expect(await children(host.store)).toHaveLength(8);
    expect(lastAsked(host)).toContain("already has 8 running subagents");
    open.pass();
    await host.live.idle();
    await host.flow.receive(message("another"), {});
    await host.live.idle();
    expect(await children(host.store)).toHaveLength(9);
  });

  it("[TURN-052] ends when its parent is interrupted, together with its own subagent", async () => {
    const asked = gate();
    const forever = gate();
    const late = { text: "late", waitFor: forever.passed };
    const host = await createTestHost({
      script({ prompt }) {
        const last = prompt.at(-1);
        const task = JSON.stringify(last?.content);
        // The nested subagent must be waiting too, because one that has ended cannot be interrupted.
        if (last?.role === "tool") {
          return JSON.stringify(prompt).includes("begin") ? { text: "Done." } : late;
        }
        if (task.includes("begin")) return spawning({ task: "the child" });
        if (task.includes("the child")) return spawning({ task: "the grandchild" });
        asked.pass();
        return late;
      },
    });
    await host.flow.receive(message("begin"), {});
    await asked.passed;
    const answer = await host.flow.receive(message("/stop"), {});
    expect(answer).toMatchObject({ text: "Interrupted." });
    await host.live.idle();
    expect(await host.store.sessions.subagents.live()).toEqual([]);
    const child = await onlyChild(host.store);
    const [grandchild] = await host.store.sessions.subagents.childrenOf(child.sessionKey, {
      limit: 2,
    });
    expect(grandchild).toMatchObject({ depth: 2, outcome: "killed", stopReason: "stopped" });
  });

  it("[TURN-052] ends when its parent's caller disconnects during the turn", async () => {
    const [child, parent, forever] = [gate(), gate(), gate()];
    const host = await createTestHost({
      script: ({ prompt }) => {
        const last = prompt.at(-1);
        if (JSON.stringify(last).includes("begin")) return spawning({ task: "the child" });
        (last?.role === "tool" ? parent : child).pass();
        return { text: "late", waitFor: forever.passed };
      },
    });
    const leaving = new AbortController();
    const turn = host.flow.receive(message("begin"), { signal: leaving.signal });
    await Promise.all([child.passed, parent.passed]);
    leaving.abort();
    expect(await turn).toMatchObject({ status: "interrupted" });
    await host.live.idle();
    expect(await onlyChild(host.store)).toMatchObject({ outcome: "killed" });
  });

  it("ends at its deadline, and its parent is notified", async () => {
    const due: { at: number; callback: () => void }[] = [];
    const timers = {
      setTimeout: (callback: () => void, at: number) => due.push({ at, callback }),
      clearTimeout: () => {},
    };
    const { host } = await waitingChild({ timers }, { timeoutMs: 5000 });
    const deadline = due.find(({ at }) => at === 5000);
    deadline?.callback();
    await host.live.idle();
    expect(await onlyChild(host.store)).toMatchObject({ outcome: "timeout" });
    await host.flow.receive(message("well?"), {});
    expect(lastAsked(host)).toContain("its timeout expired");
  });

  it("[TURN-064] is listed only in its parent's session, and stopped by its ID", async () => {
    const seen: string[] = [];
    const asked = gate();
    const forever = gate();
    const tool = (params: JsonObject) => ({ toolCalls: [{ toolName: "subagents", params }] });
    let id = "";
    const host = await createTestHost({
      script: ({ prompt }) => {
        const last = prompt.at(-1);
        const text = JSON.stringify(last?.content);
        if (last?.role === "tool") seen.push(text);
        if (last?.role === "tool") return { text: "Done." };
        if (text.includes("begin")) return spawning({ task: "look it up", label: "looker" });
        if (text.includes("list")) return tool({ action: "list" });
        if (text.includes("stop it")) return tool({ action: "stop", id });
        asked.pass();
        return { text: "late", waitFor: forever.passed };
      },
    });
    await host.flow.receive(message("begin"), {});
    await asked.passed;
    ({ runId: id } = await onlyChild(host.store));
    const other = { sessionKey: "agent:main:other" };
    await host.flow.receive(message("list"), {});
    await host.flow.receive(message("list", other), {});
    await host.flow.receive(message("stop it", other), {});
    await host.flow.receive(message("stop it"), {});
    await host.live.idle();
    await host.flow.receive(message("stop it"), {});
    const [, listed, elsewhere, foreign, stopped, again] = seen;
    expect(listed).toContain("looker");
    expect(listed).toContain("running");
    expect(elsewhere).not.toContain("looker");
    expect(foreign).toContain("has no subagent");
    expect(stopped).toContain("is being stopped");
    expect(again).toContain("has ended already");
    expect(await onlyChild(host.store)).toMatchObject({ outcome: "killed" });
  });

  it("reports to its parent why it failed", async () => {
    const host = await createTestHost({
      script: knowing({
        "sum it": { error: new Error("the model is away") },
        begin: spawning({ task: "sum it" }),
      }),
    });
    await host.flow.receive(message("begin"), {});
    await host.live.idle();
    expect(await onlyChild(host.store)).toMatchObject({ outcome: "error" });
    await host.flow.receive(message("well?"), {});
    expect(lastAsked(host)).toContain("ended without an answer");
  });

  it("is reported once, and not before its turn has ended", async () => {
    const calls: Parameters<typeof noting>[0] = [];
    const { host, open } = await waitingChild({ register: noting(calls) });
    const { runId } = await onlyChild(host.store);
    await host.subagents.settle(runId);
    expect((await onlyChild(host.store)).outcome).toBeUndefined();
    open.pass();
    await host.live.idle();
    await Promise.all([host.subagents.settle(runId), host.subagents.recover()]);
    await nextTick();
    expect(calls.filter(({ hook }) => hook === "subagent_ended")).toHaveLength(1);
    await host.flow.receive(message("well?"), {});
    expect(lastAsked(host).match(/Found\./g)).toHaveLength(1);
  });
});

describe("subagents of an earlier process", () => {
  it("[TURN-052] run again after a restart, and report to their parent once", async () => {
    const store = await openTestStore();
    await waitingChild({ store });

    const calls: Parameters<typeof noting>[0] = [];
    const host = await createTestHost({
      store,
      register: noting(calls),
      script: knowing({ "look it up": { text: "Found at last." } }),
    });
    await host.flow.recover();
    await host.subagents.recover();
    await host.live.idle();
    expect((await onlyChild(store)).outcome).toBeDefined();
    expect(calls.filter(({ hook }) => hook === "subagent_ended")).toHaveLength(1);
  });

  it("are reported when their turn ended without a report before the crash", async () => {
    const store = await openTestStore();
    const { host: before } = await waitingChild({ store });
    const { runId } = await onlyChild(store);
    await store.transaction(async (unit) => {
      await unit.turns.finish(runId, { state: "completed" });
      await unit.sessions.subagents.keepResult(runId, "Found just in time.");
    });
    before.ending.abort(new Error("the process ends"));

    const host = await createTestHost({ store });
    await host.flow.recover();
    await host.subagents.recover();
    await host.flow.receive(message("well?"), {});
    expect(lastAsked(host)).toContain("Found just in time.");
    expect(await onlyChild(store)).toMatchObject({ outcome: "ok" });
  });
});

describe("tools of a subagent", () => {
  const tool = (name: string) => ({
    name,
    description: `The tool ${name}.`,
    parameters: { type: "object", properties: {} } as const,
    execute: () => `${name} ran`,
  });
  const register = (api: OpenClawPluginApi) => {
    api.registerTool(tool("lookup"));
    api.registerTool(tool("wipe"));
    api.on("before_prompt_build", (_event, { sessionKey }) =>
      sessionKey === SESSION ? { toolsAllow: ["lookup", "sessions_spawn"] } : undefined,
    );
  };

  it("[TURN-052] are those that its parent could use when it spawned the subagent, for any sender", async () => {
    const offered: (readonly string[])[] = [];
    const host = await createTestHost({
      register,
      script: (request) => {
        offered.push((request.tools ?? []).map(({ name }) => name));
        const last = request.prompt.at(-1);
        if (last?.role !== "tool" && JSON.stringify(last).includes("begin")) {
          return spawning({ task: "look it up" });
        }
        return { text: "ok" };
      },
    });
    await host.flow.receive(message("begin"), {});
    await host.live.idle();
    const { sessionKey, parentTools } = await onlyChild(host.store);
    expect(parentTools).toEqual(["sessions_spawn", "lookup"]);
    await host.flow.receive(message("something else", { sessionKey }), {});
    expect(offered.slice(2)).toEqual([parentTools, parentTools]);
  });

  it("are limited to the list that its parent gave", async () => {
    const offered: (readonly string[])[] = [];
    const host = await createTestHost({
      register,
      script: (request) => {
        offered.push((request.tools ?? []).map(({ name }) => name));
        const last = request.prompt.at(-1);
        if (last?.role !== "tool" && JSON.stringify(last).includes("begin")) {
          return spawning({ task: "look it up", tools: ["lookup", "wipe"] });
        }
        return { text: "ok" };
      },
    });
    await host.flow.receive(message("begin"), {});
    await host.live.idle();
    expect(offered.at(-1)).toEqual(["lookup"]);
  });
});
