import { createSafetyRules } from "@openclaw/safety";
import { describe, expect, it, vi } from "vitest";
import { TurnSuspendedError } from "../../src/index.js";
import { approver, OWNER } from "../support/authorized-call.js";
import { plugin, type TurnHostOptions, textOf, tool, turnHost } from "../support/turn-host.js";

const OUTPUT = "payroll: ann 4000";
const WITHHELD = "[Output blocked by safety policy]";

const safety = {
  rules: createSafetyRules({
    added: [
      {
        id: "payroll",
        title: "pay",
        reason: "Pay is confidential.",
        severity: "medium",
        kind: "policy",
        pattern: "payroll: [a-z]+ [0-9]+",
        actions: { output: "review" },
        examples: { match: ["payroll: bob 1"], clean: ["payroll"] },
      },
    ],
  }),
};

/** A host whose model calls `work` once, the output of which needs a review. */
async function reviewing(output: unknown = OUTPUT, options: TurnHostOptions = {}) {
  const execute = vi.fn(async () => output as string);
  const seen: string[] = [];
  const host = await turnHost({
    safety,
    script: [{ toolCalls: [{ toolName: "work", params: { month: "May" } }] }, { text: "done" }],
    coreTools: [
      tool("work", {
        parameters: { type: "object", properties: { month: { type: "string" } } },
        execute,
      }),
    ],
    plugins: [
      plugin("witness", (api) => {
        api.on("before_tool_call", () => ({ guidance: "be brief" }));
        api.on("after_tool_call", ({ result }) => void seen.push(JSON.stringify(result)));
      }),
    ],
    ...options,
  });
  const answer = async () => (await host.toolResults()).map(textOf);
  return { host, execute, seen, answer };
}

describe("output under review", () => {
  it("[SAFE-010] reaches model, hooks and clients after an approver allowed it", async () => {
    const { host, execute, seen, answer } = await reviewing();
    const person = approver("allow-once");
    const outcome = await host.run({ approver: person });
    expect(outcome).toMatchObject({ status: "completed", text: "done" });
    expect(person.asked).toMatchObject([
      {
        kind: "tool",
        tool: "work",
        toolCallId: "call-1",
        description: "Safety rule payroll requires approval of this output.",
        params: { parameters: { month: "May" }, output: expect.stringContaining(OUTPUT) },
        allowedDecisions: ["allow-once", "deny"],
        timeoutBehavior: "deny",
      },
    ]);
    expect(execute).toHaveBeenCalledTimes(1);
    expect(await answer()).toEqual([expect.stringContaining(OUTPUT)]);
    expect((await answer())[0]).toContain("be brief");
    expect(seen).toEqual([expect.stringContaining(OUTPUT)]);
    expect(host.events.filter(({ type }) => type === "tool-started")).toHaveLength(1);
    expect(host.events.filter(({ type }) => type === "tool-finished")).toHaveLength(1);
    expect(await host.store.decisions.auditLog.list()).toMatchObject([
      { event: "decided", toolCallId: "call-1" },
      { event: "created", toolCallId: "call-1" },
    ]);
  });

  it("[SAFE-010] is replaced for model, hooks and clients when an approver denies it", async () => {
    const { host, execute, seen, answer } = await reviewing({
      content: [{ type: "text", text: OUTPUT }],
      details: { rows: [OUTPUT] },
    });
    await host.run({ approver: approver("deny") });
    expect(execute).toHaveBeenCalledTimes(1);
    expect((await answer())[0]).toContain(WITHHELD);
    const everywhere = [host.requests, await host.transcript(), seen, host.events, host.lines];
    for (const place of everywhere) expect(JSON.stringify(place)).not.toContain("4000");
    expect(seen).toEqual([expect.stringContaining(WITHHELD)]);
  });

  it("[SAFE-010] is replaced when no approver is reachable", async () => {
    const { host, seen, answer } = await reviewing();
    expect(await host.run()).toMatchObject({ status: "completed" });
    expect((await answer())[0]).toContain(WITHHELD);
    expect(seen).toEqual([expect.stringContaining(WITHHELD)]);
  });

  it("[SAFE-010] waits in the journal, and the tool does not run again after a restart", async () => {
    const { host, execute, seen, answer } = await reviewing();
    const request = host.request({ isAttended: () => true });
    const paused = await host.run(request);
    expect(paused).toMatchObject({ status: "paused" });
    expect(seen).toEqual([]);
    expect(await host.run(request)).toEqual(paused);
    if (paused.status !== "paused") return;
    await host.services.approvals.decide(
      paused.approvalId,
      { decision: "allow-once", via: "test" },
      OWNER,
    );
    expect(await host.run(request)).toMatchObject({ status: "completed" });
    expect(execute).toHaveBeenCalledTimes(1);
    expect(await answer()).toEqual([expect.stringContaining(OUTPUT)]);
    expect(seen).toHaveLength(1);
    const steps = (await host.store.turns.journal.load("run-1")).map(({ step }) => step);
    const decided = { kind: "approval-decided", toolCallId: "call-1", decision: "allow-once" };
    expect(steps).toContainEqual(expect.objectContaining(decided));
  });

  it("[SAFE-010] waits when the host stops while it is requested, and continues in the next one", async () => {
    const { host, execute, answer } = await reviewing();
    const { approvals } = host.services;
    const controller = new AbortController();
    approvals.onRequested(() => controller.abort(new TurnSuspendedError()));
    const asked = { runId: "run-1", isAttended: () => true };
    expect(await host.run({ ...asked, signal: controller.signal })).toEqual({
      status: "suspended",
      text: "",
    });
    const [approval] = await host.store.decisions.approvals.pending("agent:main:main");
    const once = { decision: "allow-once", via: "test" } as const;
    await approvals.decide(approval?.id ?? "", once, OWNER);
    expect(await host.run(asked)).toMatchObject({ status: "completed" });
    expect(await answer()).toEqual([expect.stringContaining(OUTPUT)]);
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it("[SAFE-010] needs a review whatever the operator allowed in advance", async () => {
    const { host, answer } = await reviewing(OUTPUT, { approvals: { approvedTools: ["work"] } });
    await host.run({ approver: approver("deny") });
    expect((await answer())[0]).toContain(WITHHELD);
  });

  it("[SAFE-010] is replaced in the message of a failure as well", async () => {
    const messages: string[] = [];
    const failing = tool("work", { execute: () => Promise.reject(new Error(OUTPUT)) });
    const { host } = await reviewing(OUTPUT, {
      coreTools: [failing],
      plugins: [
        plugin("witness", (api) => {
          api.on("tool_error", ({ error }) => void messages.push(error.message));
        }),
      ],
    });
    await host.run({ approver: approver("deny") });
    expect(messages).toEqual([WITHHELD]);
  });

  it("[SAFE-010] is replaced without a request when another rule denies it", async () => {
    const rule = {
      title: "a rule",
      reason: "A reason.",
      severity: "medium",
      kind: "policy",
      pattern: "payroll: [a-z]+ [0-9]+",
      examples: { match: ["payroll: bob 1"], clean: ["payroll"] },
    } as const;
    const rules = createSafetyRules({
      added: [
        { ...rule, id: "reviewed", actions: { output: "review" } },
        { ...rule, id: "denied", actions: { output: "block" } },
      ],
    });
    const { host, answer } = await reviewing(OUTPUT, { safety: { rules } });
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(person.asked).toEqual([]);
    expect((await answer())[0]).toContain(WITHHELD);
  });

  it("[SAFE-010] is replaced when the turn is interrupted before the decision", async () => {
    const { host, seen, answer } = await reviewing();
    const order: string[] = [];
    host.services.approvals.onDecided(({ state }) => void order.push(state));
    const controller = new AbortController();
    const silent = {
      actor: OWNER,
      ask() {
        controller.abort();
        return new Promise<never>(() => {});
      },
    };
    const onEvent = ({ type }: { type: string }) => void order.push(type);
    const outcome = await host.run({ approver: silent, signal: controller.signal, onEvent });
    expect(outcome).toMatchObject({ status: "interrupted" });
    expect(order.indexOf("cancelled")).toBeGreaterThan(-1);
    expect(order.indexOf("cancelled")).toBeLessThan(order.indexOf("tool-finished"));
    expect((await answer())[0]).toContain(WITHHELD);
    expect(seen).toEqual([expect.stringContaining(WITHHELD)]);
    expect(await host.store.decisions.approvals.pending("agent:main:main")).toEqual([]);
  });

  it("[SAFE-010] needs no review when the rule does not match", async () => {
    const { host, answer } = await reviewing("payroll: none");
    const person = approver();
    await host.run({ approver: person });
    expect(person.asked).toEqual([]);
    expect((await answer())[0]).toContain("payroll: none");
  });
});
