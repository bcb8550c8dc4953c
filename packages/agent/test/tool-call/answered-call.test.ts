import { createSafetyRules } from "@openclaw/safety";
import { openStore } from "@openclaw/store";
import { compilePolicy } from "@openclaw/tool-policy";
import { describe, expect, it, vi } from "vitest";
import { runTurn, type TurnDependencies, type TurnRequest } from "../../src/index.js";
import { answers, approver, judging, OWNER } from "../support/authorized-call.js";
import {
  calling,
  NOW,
  plugin,
  type TurnHostOptions,
  tool,
  turnHost,
} from "../support/turn-host.js";

const ONCE = { decision: "allow-once", via: "test" } as const;

/** A turn whose call of `work` an owner allowed, and that has not continued yet. */
async function allowedCall() {
  const { host, execute } = await judging([], {
    asked: [{ path: "badge-1234" }],
    changes: { approval: "always" },
  });
  const { services, store, pin } = host;
  const request = host.request({ isAttended: () => true });
  const paused = await runTurn(request, services, pin);
  if (paused.status !== "paused") throw new Error("it did not pause");
  await services.approvals.decide(paused.approvalId, ONCE, OWNER);
  return {
    host,
    execute,
    /** Continues the turn, and returns the answer of the call. */
    async resume(changes: Partial<TurnDependencies>, asked: Partial<TurnRequest> = {}) {
      await runTurn({ ...request, ...asked }, { ...services, ...changes }, pin);
      return (await answers(host))[0];
    },
    async isConsumed() {
      const approval = await store.decisions.approvals.get(paused.approvalId);
      return approval?.consumedAt !== undefined;
    },
  };
}

describe("approved call", () => {
  it("[APPR-017] runs as approved while nothing else changed", async () => {
    const { resume, execute, isConsumed } = await allowedCall();
    expect(await resume({})).toBe("ran");
    expect(execute.mock.calls[0]?.[1]).toEqual({ path: "badge-1234" });
    expect(await isConsumed()).toBe(true);
  });

  it.each(["allow-once", "deny"] as const)(
    "[APPR-017] [TURN-054] journals the decision %s before any other step",
    async (decision) => {
      const { host } = await judging([], { changes: { approval: "always" } });
      await host.run({ approver: approver(decision) });
      const steps = (await host.store.turns.journal.load("run-1")).map(({ step }) => step);
      const at = steps.findIndex(({ kind }) => kind === "approval-asked");
      expect(steps.slice(at + 1)).toMatchObject([
        { kind: "turn-resumed" },
        { kind: "approval-decided", toolCallId: "call-1", decision },
        { kind: decision === "deny" ? "tool-answered" : "tool-intended" },
        ...steps.slice(at + 4),
      ]);
    },
  );

  const badges = createSafetyRules({
    added: [
      {
        id: "badge_number",
        title: "badge number",
        reason: "It opens doors.",
        severity: "high",
        kind: "policy",
        pattern: "badge-\\d{4,}",
        actions: { params: "block" },
        examples: { match: ["badge-1234"], clean: ["badge-12"] },
      },
    ],
  });
  const strict = {
    type: "object",
    properties: { path: { type: "string", maxLength: 3 } },
    additionalProperties: false,
  };
  it.each<[string, Partial<TurnDependencies>, string]>([
    [
      "the policy denies it now",
      { latestPolicy: () => compilePolicy([{ layer: "global", deny: ["work"] }]) },
      "Tool work is not allowed here (global: work)",
    ],
    [
      "a rule of safety blocks its arguments now",
      { safety: { rules: badges } },
      'Tool call denied by safety rule badge_number for "path"',
    ],
    [
      "its arguments do not fit the schema any more",
      { coreTools: [tool("work", { approval: "always", parameters: strict })] },
      "Invalid parameters for work: /path must not have more than 3 characters",
    ],
    ["its tool is gone", { coreTools: [] }, "Unknown tool: work"],
  ])("[APPR-017] [POL-045] does not run when %s", async (_what, changes, text) => {
    const { resume, execute, isConsumed } = await allowedCall();
    expect(await resume(changes)).toBe(text);
    expect(execute).not.toHaveBeenCalled();
    expect(await isConsumed()).toBe(false);
  });

  it.each<[string, (request: TurnRequest) => Partial<TurnRequest>]>([
    ["another sender", ({ origin }) => ({ origin: { ...origin, senderId: "somebody" } })],
    ["another account", ({ origin }) => ({ origin: { ...origin, accountId: "second" } })],
    ["another channel", ({ origin }) => ({ origin: { ...origin, channel: "slack" } })],
    ["another session", () => ({ sessionKey: "agent:main:other" })],
  ])("[APPR-008] does not run for %s, and the audit log records it", async (_who, changed) => {
    const { host, resume, execute, isConsumed } = await allowedCall();
    const text = await resume({}, changed(host.request()));
    expect(text).toContain("does not cover this: tool, arguments, session or requester differ");
    expect(execute).not.toHaveBeenCalled();
    expect(await isConsumed()).toBe(false);
    expect(await host.store.decisions.auditLog.list({ limit: 1 })).toMatchObject([
      {
        event: "refused",
        reason: "APPROVAL_MISMATCH: tool, arguments, session or requester differ",
      },
    ]);
  });
});

describe("command that a policy allows without an approval request", () => {
  it("[APPR-014] [APPR-038] does not run when the policy does not name it", async () => {
    const time = { now: NOW };
    const execute = vi.fn(() => "ran");
    const options = {
      store: await openStore({ file: ":memory:", now: () => time.now }),
      script: [calling("exec"), { text: "done" }],
      coreTools: [tool("exec", { approval: "unless-granted", execute })],
      config: { plugins: { entries: { rules: { enabled: true } } } },
      plugins: [
        plugin("rules", (api) =>
          api.registerTrustedToolPolicy({
            id: "commands",
            description: "Requests approval of commands.",
            evaluate: () => ({
              requireApproval: { title: "Sure?", description: "", timeoutBehavior: "allow" },
            }),
          }),
        ),
      ],
    } satisfies TurnHostOptions;
    const host = await turnHost(options);
    const asked = { runId: "run-1", isAttended: () => true };
    expect(await host.run(asked)).toMatchObject({ status: "paused" });
    const [approval] = await host.store.decisions.approvals.pending("agent:main:main");
    expect(approval?.timeoutBehavior).toBe("allow");
    time.now += 3_600_000;
    expect(await host.run(asked)).toMatchObject({ status: "completed" });
    expect(await answers(host)).toEqual(["Tool call denied: no answer in time"]);
    expect(execute).not.toHaveBeenCalled();
  });
});
