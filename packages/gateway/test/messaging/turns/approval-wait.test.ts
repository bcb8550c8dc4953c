import type { Caller } from "@openclaw/messaging";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import { describe, expect, it, vi } from "vitest";
import {
  createTestHost,
  gate,
  message,
  OWNER,
  openTestStore,
  SESSION,
  type TestHost,
  type TestHostOptions,
} from "../../support/host.js";

const ONCE = { decision: "allow-once", via: "test" } as const;

/** Creates a host whose model calls a tool that needs approval. */
function launching(launched: string[], options: TestHostOptions = {}): Promise<TestHost> {
  return createTestHost({
    script: ({ prompt }) => {
      const asked = JSON.stringify(prompt);
      if (!asked.includes("launch it")) return { text: "no launch" };
      return asked.includes("launched")
        ? { text: "done" }
        : { toolCalls: [{ toolName: "launch", params: { to: "moon" } }] };
    },
    register: (api: OpenClawPluginApi) =>
      api.registerTool({
        name: "launch",
        description: "launches",
        parameters: { type: "object", properties: { to: { type: "string" } } },
        approval: "always",
        execute: (toolCallId: string) => {
          launched.push(toolCallId);
          return "launched";
        },
      }),
    approvals: { headless: "wait" },
    ...options,
  });
}

/** Sends a message and waits until its turn requests approval. */
async function asking(host: TestHost, caller: Caller = {}) {
  const asked = new Promise<Approval>((resolve) => host.approvals.onRequested(resolve));
  const reply = host.flow.receive(message("launch it"), caller);
  const approval = await asked;
  await vi.waitFor(async () => expect((await turnOf(host.store))?.state).toBe("awaiting_approval"));
  return { reply, approval };
}

async function turnOf(store: Store) {
  const [approval] = await store.decisions.approvals.list();
  return await store.turns.get(approval?.runId ?? "");
}

describe("turn that waits for approval", () => {
  it("[APPR-012] occupies its session, but no concurrency slot", async () => {
    const launched: string[] = [];
    const host = await launching(launched, { concurrentTurns: 1 });
    const { reply, approval } = await asking(host);
    const behind = host.flow.receive(message("and now?"), {});
    const elsewhere = await host.flow.receive(
      message("hi", { sessionKey: "agent:main:other" }),
      {},
    );
    expect(elsewhere).toMatchObject({ status: "replied", text: "no launch" });
    expect(launched).toEqual([]);
    await host.approvals.decide(approval.id, ONCE, OWNER);
    expect(await reply).toMatchObject({ status: "replied", text: "done" });
    expect(launched).toEqual(["call-1"]);
    expect(await behind).toMatchObject({ status: "replied" });
    expect((await turnOf(host.store))?.state).toBe("completed");
  });

  it("is decided by a message whose outcome is stored with the decision, so that the message decides nothing later", async () => {
    const host = await launching([]);
    const { reply } = await asking(host);
    const open: string[] = [];
    host.approvals.onDecided(async () => {
      open.push(
        ...(await host.store.messages.inbox.inState("received")).map(({ content }) => content),
      );
    });
    const answer = await host.flow.receive(message("y"), {});
    expect(answer).toMatchObject({ status: "answered" });
    expect("text" in answer && answer.text).toContain("is allowed once");
    expect(await reply).toMatchObject({ status: "replied", text: "done" });
    expect(open).toEqual([]);
  });

  it("[APPR-015] ends when it is interrupted, which cancels its request", async () => {
    const launched: string[] = [];
    const host = await launching(launched);
    const { reply, approval } = await asking(host);
    expect(host.live.interrupt(SESSION)).toBe(true);
    expect(await reply).toMatchObject({ status: "interrupted" });
    expect(await host.store.decisions.approvals.get(approval.id)).toMatchObject({
      state: "cancelled",
    });
    expect(launched).toEqual([]);
    const { sessionId } = (await host.store.sessions.get(SESSION)) ?? { sessionId: "" };
    const last = (await host.store.messages.transcript.load(sessionId)).at(-1);
    expect(JSON.stringify(last)).toContain("Tool aborted");
  });

  it("ends when its only caller has gone", async () => {
    const host = await launching([]);
    const gone = new AbortController();
    const { reply, approval } = await asking(host, { signal: gone.signal });
    gone.abort();
    expect(await reply).toMatchObject({ status: "interrupted" });
    expect(await host.store.decisions.approvals.get(approval.id)).toMatchObject({
      state: "cancelled",
    });
  });

  it("does not delay a stop, and stays for the next start", async () => {
    const host = await launching([]);
    const { reply, approval } = await asking(host);
    await host.flow.close();
    expect(await reply).toMatchObject({ status: "interrupted" });
    expect(await host.store.decisions.approvals.get(approval.id)).toMatchObject({
      state: "pending",
    });
    expect((await turnOf(host.store))?.state).toBe("awaiting_approval");
  });
});

describe("the plugins and services of a turn that waits", () => {
  /** Reloads the plugins while a turn waits, and returns what it was prepared and continued with. */
  async function continued(untilPluginsAreGone: boolean) {
    let configRevision = "before";
    const host = await launching([], {
      servicesNow: (services) => ({ ...services, configRevision }),
    });
    const { reply, approval } = await asking(host);
    configRevision = "after";
    if (untilPluginsAreGone) vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await host.plugins.reload("guard");
      if (untilPluginsAreGone) await vi.advanceTimersByTimeAsync(30_000);
    } finally {
      vi.useRealTimers();
    }
    await host.approvals.decide(approval.id, ONCE, OWNER);
    expect(await reply).toMatchObject({ status: "replied", text: "done" });
    const { runId = "" } = approval;
    return (await host.store.turns.journal.load(runId)).flatMap(({ step }) =>
      step.kind === "turn-prepared" || step.kind === "turn-resumed"
        ? [`${step.kind}: ${step.generation} ${step.configRevision}`]
        : [],
    );
  }

  it("[TURN-012] are those that it began with, also after a reload", async () => {
    expect(await continued(false)).toEqual(["turn-prepared: 1 before", "turn-resumed: 1 before"]);
  });

  it("[TURN-012] are the current ones when its plugins are gone, and the journal records it", async () => {
    expect(await continued(true)).toEqual(["turn-prepared: 1 before", "turn-resumed: 2 after"]);
  });
});

/** A store whose turns cannot be paused. */
function unpausable(store: Store): Store {
  const bound = (target: object, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, name, target);
    return typeof value === "function" ? value.bind(target) : value;
  };
  const turns = new Proxy(store.turns, {
    get: (target, name) =>
      name === "pause" ? () => Promise.reject(new Error("not now")) : bound(target, name),
  });
  return new Proxy(store, {
    get: (target, name) => (name === "turns" ? turns : bound(target, name)),
  });
}

describe("a turn that the host fails while it waits", () => {
  it("[APPR-015] ends with its request cancelled, and nothing runs", async () => {
    const launched: string[] = [];
    const store = await openTestStore();
    const host = await launching(launched, { store: unpausable(store) });
    const outcome = await host.flow.receive(message("launch it"), {});
    expect(outcome).toMatchObject({ status: "failed", error: { message: "not now" } });
    const [approval] = await store.decisions.approvals.list();
    expect(approval).toMatchObject({ state: "cancelled", decidedBy: "turn-failed" });
    expect((await turnOf(store))?.state).toBe("failed");
    await expect(host.approvals.decide(approval?.id ?? "", ONCE, OWNER)).rejects.toThrow(
      "cancelled by turn-failed",
    );
    expect(launched).toEqual([]);
  });
});

describe("turn that waits for approval when its host ends", () => {
  /** Leaves a pending request, and returns what the next host needs. */
  async function left(now?: () => number) {
    const launched: string[] = [];
    const store = await openTestStore(now);
    const options = { store, ...(now === undefined ? {} : { now }) };
    const host = await launching(launched, options);
    const { approval } = await asking(host);
    await host.flow.close();
    const next = async () => {
      const started = await launching(launched, options);
      await started.flow.recover();
      await started.approvals.start();
      return started;
    };
    return { launched, store, approval, next };
  }

  it("[APPR-032] resumes with the same call when its request is decided after the restart", async () => {
    const { launched, store, approval, next } = await left();
    const host = await next();
    expect(await store.decisions.approvals.get(approval.id)).toEqual(approval);
    const answeredAt = performance.now();
    await host.approvals.decide(approval.code, ONCE, OWNER);
    await vi.waitFor(async () => expect((await turnOf(store))?.state).toBe("completed"));
    expect(performance.now() - answeredAt).toBeLessThan(2000);
    expect(launched).toEqual([approval.toolCallId]);
    // The model call that requested the tool call is not repeated.
    expect(host.asked()).toHaveLength(1);
    const { runId = "" } = approval;
    const kinds = (await store.turns.journal.load(runId)).map(({ step }) => step.kind);
    expect(kinds.filter((kind) => kind === "approval-asked")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "tool-intended")).toHaveLength(1);
    expect(kinds).toContain("reply-stored");
  });

  it("resumes when its request was decided while no host ran", async () => {
    const { launched, store, approval, next } = await left();
    await store.decisions.approvals.decide(approval.id, {
      state: "allowed-once",
      by: "cli:owner",
      via: "cli",
    });
    await next();
    await vi.waitFor(async () => expect((await turnOf(store))?.state).toBe("completed"));
    expect(launched).toEqual([approval.toolCallId]);
  });

  it("[APPR-013] resumes with a denial when the request expired while no host ran", async () => {
    let time = 1_700_000_000_000;
    const { launched, store, next } = await left(() => time);
    time += 1_800_000;
    const host = await next();
    await vi.waitFor(async () =>
      expect((await turnOf(store))?.state).not.toBe("awaiting_approval"),
    );
    await host.flow.close();
    expect(launched).toEqual([]);
    expect(host.asked().join("")).toContain("Tool call denied: no answer within 1800 s");
  });

  it("[TURN-460] tells the tool of a request that expired from that of a call that a person denied", async () => {
    const ended = async (end: (id: string, store: Store) => Promise<unknown>, later = 0) => {
      let time = 1_700_000_000_000;
      const { approval, store, next } = await left(() => time);
      await end(approval.id, store);
      time += later;
      const host = await next();
      await vi.waitFor(async () => expect((await turnOf(store))?.state).toBe("completed"));
      await host.flow.close();
      const steps = await store.turns.journal.load(approval.runId ?? "");
      const [answered] = steps.flatMap(({ step }) => (step.kind === "tool-answered" ? [step] : []));
      return { unapproved: answered?.unapproved, isRefused: answered?.refused ?? false };
    };
    const expired = await ended(async () => {}, 1_800_000);
    expect(expired).toEqual({ unapproved: true, isRefused: false });
    const denied = { state: "denied", by: "cli:owner", via: "cli" } as const;
    expect(await ended((id, store) => store.decisions.approvals.decide(id, denied))).toEqual({
      unapproved: true,
      isRefused: true,
    });
  });

  it("[APPR-015] is cancelled with its request when it is interrupted before it continues", async () => {
    const { launched, store, approval } = await left();
    const busy = gate();
    const host = await launching(launched, {
      store,
      concurrentTurns: 1,
      script: () => ({ waitFor: busy.passed, text: "done" }),
    });
    const other = host.flow.receive(message("hi", { sessionKey: "agent:main:other" }), {});
    await vi.waitFor(() => expect(host.asked()).toHaveLength(1));
    await host.flow.recover();
    expect(host.live.cancel(SESSION, approval.runId ?? "")).toBe(true);
    busy.pass();
    expect(await other).toMatchObject({ status: "replied" });
    await vi.waitFor(async () => expect((await turnOf(store))?.state).toBe("interrupted"));
    expect(await store.decisions.approvals.get(approval.id)).toMatchObject({
      state: "cancelled",
      decidedBy: "interrupt",
    });
    expect(launched).toEqual([]);
  });

  it("can be interrupted by the next host", async () => {
    const { launched, store, approval, next } = await left();
    const host = await next();
    await vi.waitFor(() => expect(host.live.interrupt(SESSION)).toBe(true));
    await vi.waitFor(async () => expect((await turnOf(store))?.state).toBe("interrupted"));
    expect(await store.decisions.approvals.get(approval.id)).toMatchObject({ state: "cancelled" });
    expect(launched).toEqual([]);
  });
});
