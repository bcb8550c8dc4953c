import type { Approval } from "@openclaw/store/decisions";
import { describe, expect, it } from "vitest";
import {
  ApprovalAlreadyDecidedError,
  ApprovalMismatchError,
  ApprovalNotFoundError,
  type ApprovalRequest,
  type ApprovalSettings,
  DecisionNotAllowedError,
  NotAuthorizedToApproveError,
} from "../src/index.js";

import { brokerHost, callRequest, NOW, OWNER, pendingRequest } from "./support/broker-host.js";

const ONCE = { decision: "allow-once", via: "test" } as const;
const ALWAYS = { decision: "allow-always", via: "test" } as const;
const DENY = { decision: "deny", via: "test" } as const;
const nothing = async () => {};

describe("creation of an approval request", () => {
  it("[APPR-007] stores the request before it notifies listeners", async () => {
    const { broker, store } = await brokerHost();
    const told: Promise<Approval | undefined>[] = [];
    broker.onRequested(({ id }) => void told.push(store.decisions.approvals.get(id)));
    const approval = await pendingRequest(broker);
    expect(await Promise.all(told)).toEqual([approval]);
    expect(approval).toMatchObject({ state: "pending", tool: "write", kind: "tool" });
  });

  it("stores the request and its accompanying data in one transaction", async () => {
    const { broker, store } = await brokerHost();
    const failing = broker.ask(callRequest(), async () => {
      throw new Error("the disk is full");
    });
    await expect(failing).rejects.toThrow("the disk is full");
    expect(await store.decisions.approvals.list()).toEqual([]);
    expect(await store.decisions.auditLog.list()).toEqual([]);
  });

  it("masks secrets for display, and binds the digest to the true values", async () => {
    const { broker } = await brokerHost();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const shown = await pendingRequest(broker, {
      title: `Use ${secret}?`,
      params: { header: `Bearer ${secret}`, password: "hunter2", sessionKey: "agent:main:main" },
    });
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(JSON.stringify(shown)).not.toContain("hunter2");
    expect(shown.params).toMatchObject({ sessionKey: "agent:main:main" });
    const other = await pendingRequest(broker, {
      title: "Use it?",
      params: { header: "Bearer x", password: "other", sessionKey: "agent:main:main" },
    });
    expect(other.digest).not.toBe(shown.digest);
  });

  it("[APPR-002] shortens title and description to their maximum length", async () => {
    const { broker } = await brokerHost();
    const { title, description } = await pendingRequest(broker, {
      title: `${"x".repeat(78)}😀tail`,
      description: `a\nb\u0007\u202E${"y".repeat(600)}`,
    });
    expect(title).toBe(`${"x".repeat(78)}…`);
    expect(description).toHaveLength(512);
    expect(description).toMatch(/^a b y+…$/);
  });

  it.each([
    ["tool", undefined, 1_800_000],
    ["plugin", undefined, 120_000],
    ["exec", undefined, 1_800_000],
    ["tool", 0, 1_000],
    ["plugin", 31_536_000_000, 604_800_000],
    ["plugin", 5_000, 5_000],
  ] as const)(
    "[APPR-013] bounds the timeout of kind %s: %s ms becomes %d ms",
    async (kind, timeoutMs, ms) => {
      const { broker, lines } = await brokerHost();
      const { expiresAt } = await pendingRequest(broker, { kind, timeoutMs });
      expect(expiresAt - NOW).toBe(ms);
      const isClamped = timeoutMs !== undefined && timeoutMs !== ms;
      expect(lines).toEqual(isClamped ? [expect.stringContaining(`using ${ms} ms`)] : []);
    },
  );

  it("[APPR-013] takes the timeout from the operator's settings", async () => {
    const { broker } = await brokerHost({ settings: { timeouts: { tool: 7000 } } });
    expect((await pendingRequest(broker)).expiresAt - NOW).toBe(7000);
  });

  it("[APPR-022] does not offer allow-always for severity critical or need always", async () => {
    const { broker } = await brokerHost();
    const offered = async (changes: Parameters<typeof pendingRequest>[1]) =>
      (await pendingRequest(broker, changes)).allowedDecisions;
    expect(await offered({})).toEqual(["allow-once", "allow-always", "deny"]);
    expect(await offered({ severity: "critical" })).toEqual(["allow-once", "deny"]);
    expect(await offered({ need: "always" })).toEqual(["allow-once", "deny"]);
    expect(await offered({ allowedDecisions: ["deny"] })).toEqual(["deny"]);
  });
});

describe("decide", () => {
  it("[APPR-009] accepts the first decision and names its approver to later ones", async () => {
    const { broker, store } = await brokerHost();
    const { id, code } = await pendingRequest(broker);
    expect(await broker.decide(code.toLowerCase(), ONCE, OWNER)).toMatchObject({
      state: "allowed-once",
      decidedBy: "terminal:owner",
      decidedVia: "test",
    });
    const late = broker.decide(id, DENY, { ...OWNER, senderId: "other" });
    await expect(late).rejects.toThrow(ApprovalAlreadyDecidedError);
    await expect(late).rejects.toThrow("allowed-once by terminal:owner via test");
    expect(await broker.verdict(id)).toMatchObject({ status: "allowed" });
    expect(
      (await store.decisions.auditLog.list()).map(({ event, reason }) => reason ?? event),
    ).toEqual(["APPROVAL_ALREADY_DECIDED", "decided", "created"]);
  });

  it("settles a request once when decisions and a cancellation arrive together", async () => {
    const { broker } = await brokerHost();
    const { id } = await pendingRequest(broker);
    const answers = await Promise.allSettled([
      broker.decide(id, DENY, OWNER),
      broker.decide(id, ONCE, OWNER),
      broker.cancelFor({ runId: "run-1" }, "interrupt"),
    ]);
    const settled = answers.flatMap((each) =>
      each.status === "fulfilled" ? [each.value].flat() : [],
    );
    expect(settled).toHaveLength(1);
  });

  it("rejects an unknown ID with a hint to list the requests", async () => {
    const { broker } = await brokerHost();
    await expect(broker.decide("NOSUCH", ONCE, OWNER)).rejects.toThrow(ApprovalNotFoundError);
    await expect(broker.verdict("apr_x")).rejects.toThrow("openclaw approvals list");
  });

  it("[APPR-022] leaves the request pending after a decision that is not offered", async () => {
    const { broker } = await brokerHost();
    const { id } = await pendingRequest(broker, { severity: "critical" });
    await expect(broker.decide(id, ALWAYS, OWNER)).rejects.toThrow(DecisionNotAllowedError);
    expect(await broker.verdict(id)).toMatchObject({ status: "pending" });
  });

  it("leaves the request pending after a decision for another digest", async () => {
    const { broker } = await brokerHost();
    const { id } = await pendingRequest(broker);
    const tampered = broker.decide(id, { ...ONCE, digest: "0".repeat(64) }, OWNER);
    await expect(tampered).rejects.toThrow(ApprovalMismatchError);
    expect(await broker.verdict(id)).toMatchObject({ status: "pending" });
  });

  const ANN = { channel: "telegram", senderId: "ann", isOwner: false };
  const BO = { channel: "telegram", senderId: "bo", isOwner: false };
  it.each([
    ["an owner", OWNER, {}, true],
    ["a client with the scope", { ...BO, mayApprove: true }, {}, true],
    ["a named approver", BO, { approvers: ["telegram:bo"] }, true],
    ["an approver of another channel", BO, { approvers: ["slack:bo"] }, false],
    ["another user", BO, {}, false],
    ["the requester", ANN, {}, false],
    ["the requester with allowSelf", ANN, { allowSelf: true }, true],
    [
      "the same sender on another account with allowSelf",
      { ...ANN, accountId: "x" },
      { allowSelf: true },
      false,
    ],
    [
      "the same sender on another channel with allowSelf",
      { ...ANN, channel: "slack" },
      { allowSelf: true },
      false,
    ],
    ["another user with allowSelf", BO, { allowSelf: true }, false],
  ])(
    "[APPR-028] accepts a decision only from authorized actors: %s",
    async (_actor, actor, settings, isAllowed) => {
      const { broker, store } = await brokerHost({ settings });
      const { id } = await pendingRequest(broker);
      const answer = broker.decide(id, ONCE, actor);
      if (isAllowed) expect(await answer).toMatchObject({ state: "allowed-once" });
      else {
        await expect(answer).rejects.toThrow(NotAuthorizedToApproveError);
        expect(await broker.verdict(id)).toMatchObject({ status: "pending" });
        expect(await store.decisions.auditLog.list({ limit: 1 })).toMatchObject([
          { event: "refused", reason: "NOT_AUTHORIZED_TO_APPROVE", actor: { id: actor.senderId } },
        ]);
      }
    },
  );

  it("rejects a decision of the plugin that requested approval", async () => {
    const { broker } = await brokerHost();
    const verdict = await broker.request({
      pluginId: "guard",
      title: "Deploy?",
      description: "",
      sessionKey: "agent:main:main",
      agentId: "main",
      payload: { to: "production" },
      isAttended: true,
    });
    if (verdict.status !== "pending") throw new Error("not asked");
    const itself = { channel: "plugin", senderId: "guard", isOwner: false };
    const answer = broker.decide(verdict.approval.id, ONCE, itself);
    await expect(answer).rejects.toThrow(NotAuthorizedToApproveError);
  });
});

describe("expiry", () => {
  it("[APPR-014] denies a request on timeout, and reports the duration", async () => {
    const { broker, time } = await brokerHost();
    const { id } = await pendingRequest(broker, { timeoutMs: 5000 });
    time.now += 5000;
    expect(await broker.verdict(id)).toEqual({
      status: "denied",
      reason: "no answer within 5 s",
      cancelled: false,
      isUndecided: true,
      isRefused: false,
    });
    await expect(broker.decide(id, ONCE, OWNER)).rejects.toThrow("timed-out by timeout");
  });

  it("[APPR-013] expires requests whose timeout passed while no process ran", async () => {
    const { broker, time, restarted } = await brokerHost();
    const { id } = await pendingRequest(broker);
    await broker.close();
    time.now += 1_800_000;
    const next = restarted();
    const told: string[] = [];
    next.onDecided(({ id: decided, state }) => void told.push(`${decided} ${state}`));
    await next.start();
    expect(told).toEqual([`${id} timed-out`]);
  });

  it("[APPR-013] does not expire under a person who is reading it, for at most a week", async () => {
    const { broker, time } = await brokerHost();
    const { id, expiresAt } = await pendingRequest(broker, { timeoutMs: 70_000 });
    expect(await broker.hold(id)).toMatchObject({ expiresAt });
    time.now += 60_000;
    expect(await broker.hold(id)).toMatchObject({ expiresAt: time.now + 60_000 });
    time.now += 59_000;
    expect(await broker.verdict(id)).toMatchObject({ status: "pending" });
    time.now += 2_000;
    expect(await broker.hold(id)).toMatchObject({ state: "timed-out" });
    const longest = await pendingRequest(broker, { runId: "run 2", timeoutMs: 604_800_000 });
    time.now = longest.expiresAt - 1_000;
    expect(await broker.hold(longest.id)).toMatchObject({ expiresAt: longest.expiresAt });
    await expect(broker.hold("none")).rejects.toMatchObject({ code: "APPROVAL_NOT_FOUND" });
  });

  it.each([
    ["the call where the plugin requests it", {}, {}, "allowed"],
    ["no call of severity critical", { severity: "critical" }, {}, "denied"],
    ["no call where the operator forbids it", {}, { timeoutAllow: "never" }, "denied"],
  ] as const)("[APPR-014] allows on timeout %s", async (_when, changes, settings, status) => {
    const { broker, time } = await brokerHost({ settings });
    const { id, digest } = await pendingRequest(broker, { timeoutBehavior: "allow", ...changes });
    time.now += 1_800_000;
    expect(await broker.verdict(id)).toMatchObject({ status });
    const use = broker.begin({ id, digest }, nothing);
    if (status === "allowed") {
      await use;
      await expect(broker.begin({ id, digest }, nothing)).rejects.toThrow("it was already used");
    } else await expect(use).rejects.toThrow(ApprovalMismatchError);
  });

  it("[APPR-014] denies a request that was stored before the operator set timeoutAllow to never", async () => {
    const { broker, time, restarted } = await brokerHost();
    const { id } = await pendingRequest(broker, { timeoutBehavior: "allow" });
    await broker.close();
    time.now += 1_800_000;
    const strict = restarted({ settings: { timeoutAllow: "never" } });
    expect(await strict.verdict(id)).toMatchObject({ status: "denied" });
  });

  it("uses one timer, set for the request that expires next", async () => {
    const armed: { ms: number; due: () => void; cleared: boolean }[] = [];
    const timers = {
      setTimeout(due: () => void, ms: number) {
        const timer = { ms, due, cleared: false };
        armed.push(timer);
        return timer;
      },
      clearTimeout(timer: unknown) {
        const found = armed.find((each) => each === timer);
        if (found !== undefined) found.cleared = true;
      },
    };
    const { broker, time } = await brokerHost({ timers });
    const running = () => armed.filter(({ cleared }) => !cleared).map(({ ms }) => ms);
    const decided = new Promise<Approval>((resolve) => broker.onDecided(resolve));
    await pendingRequest(broker, { timeoutMs: 9000 });
    const { id } = await pendingRequest(broker, { timeoutMs: 4000, params: { path: "b" } });
    await until(() => running().includes(4000));
    expect(running()).toEqual([4000]);
    time.now += 4000;
    armed.at(-1)?.due();
    expect(await decided).toMatchObject({ id, state: "timed-out" });
    await until(() => armed.at(-1)?.ms === 5000);
    await broker.close();
    expect(armed.at(-1)?.cleared).toBe(true);
  });
});

describe("begin", () => {
  it("[APPR-008] rejects a call that differs from the approved one", async () => {
    const { broker, store } = await brokerHost();
    const { id, code } = await pendingRequest(broker);
    await broker.decide(id, ONCE, OWNER);
    const begun: string[] = [];
    const tampered = broker.begin({ id, digest: "0".repeat(64) }, async () => {
      begun.push("ran");
    });
    await expect(tampered).rejects.toThrow(ApprovalMismatchError);
    await expect(tampered).rejects.toThrow(`approval ${code} does not cover this`);
    expect(begun).toEqual([]);
    expect(await store.decisions.auditLog.list({ limit: 1 })).toMatchObject([
      { event: "refused", approvalId: id, digest: "0".repeat(64) },
    ]);
  });

  it("[APPR-010] [APPR-034] uses the approval, journals and audits the execution in one transaction", async () => {
    const { broker, store } = await brokerHost();
    const { id, digest } = await pendingRequest(broker);
    await broker.decide(id, ONCE, OWNER);
    const failing = broker.begin({ id, digest }, async () => {
      throw new Error("the disk is full");
    });
    await expect(failing).rejects.toThrow("the disk is full");
    await broker.begin({ id, digest }, nothing);
    const events = (await store.decisions.auditLog.list()).map(({ event }) => event);
    expect(events).toEqual(["consumed", "decided", "created"]);
  });

  it.each(["pending", "denied", "nowhere"] as const)(
    "rejects a call without an approval: %s",
    async (state) => {
      const { broker } = await brokerHost();
      const { id, digest } = await pendingRequest(broker);
      if (state === "denied") await broker.decide(id, DENY, OWNER);
      const use = broker.begin({ id: state === "nowhere" ? "apr_x" : id, digest }, nothing);
      await expect(use).rejects.toThrow(state === "nowhere" ? "not found" : `it is ${state}`);
    },
  );
});

describe("grants", () => {
  const covered = async (broker: Awaited<ReturnType<typeof brokerHost>>["broker"], changes = {}) =>
    (await broker.ask(callRequest({ toolCallId: "call-2", ...changes }))).status;

  it("[APPR-020] allows later calls by a grant, and names the grant in the audit log", async () => {
    const { broker, store, restarted } = await brokerHost();
    const { id } = await pendingRequest(broker);
    await broker.decide(id, ALWAYS, OWNER);
    const next = restarted();
    expect(await covered(next, { params: { path: "b" } })).toBe("allowed");
    const [grant] = await store.decisions.grants.list();
    expect(grant).toMatchObject({ scope: "session", createdBy: "terminal:owner", uses: 1 });
    const [used, decided, granted] = await store.decisions.auditLog.list();
    expect(used).toMatchObject({ event: "consumed", grantId: grant?.id, toolCallId: "call-2" });
    expect([decided?.event, granted?.event]).toEqual(["decided", "granted"]);
  });

  it("[APPR-021] grants a tool in its session, unless an owner chose a wider scope", async () => {
    const { broker } = await brokerHost();
    await broker.decide((await pendingRequest(broker)).id, ALWAYS, OWNER);
    expect(await covered(broker, { sessionKey: "agent:main:other" })).toBe("pending");
    expect(await covered(broker, { toolName: "edit" })).toBe("pending");
    const wide = await pendingRequest(broker, { toolName: "exec2" });
    await broker.decide(wide.id, { ...ALWAYS, scope: "global" }, OWNER);
    const elsewhere = { sessionKey: "agent:x:y", agentId: "x", toolName: "exec2" };
    expect(await covered(broker, elsewhere)).toBe("allowed");
  });

  it("[APPR-021] grants a wider scope than the default only when an owner decides", async () => {
    const { broker } = await brokerHost({ settings: { approvers: ["telegram:bo"] } });
    const bo = { channel: "telegram", senderId: "bo", isOwner: false };
    const { id } = await pendingRequest(broker);
    const wide = broker.decide(id, { ...ALWAYS, scope: "agent" }, bo);
    await expect(wide).rejects.toThrow(NotAuthorizedToApproveError);
    expect(await broker.decide(id, ALWAYS, bo)).toMatchObject({ state: "allowed-always" });
  });

  it("[APPR-023] ends a grant with its revocation or its session, effective for the next call", async () => {
    const { broker, store } = await brokerHost();
    await broker.decide((await pendingRequest(broker)).id, ALWAYS, OWNER);
    expect(await covered(broker)).toBe("allowed");
    const [grant] = await store.decisions.grants.list();
    await broker.revoke({ id: grant?.id ?? "" }, OWNER);
    const again = await pendingRequest(broker);
    await broker.decide(again.id, ALWAYS, OWNER);
    await broker.revoke({ endedSession: "agent:main:main" });
    expect(await covered(broker)).toBe("pending");
    expect(
      (await store.decisions.auditLog.list()).filter(({ event }) => event === "revoked"),
    ).toMatchObject([{}, { actor: { id: "owner" } }]);
  });

  it("applies no grant to the need always, severity critical, or a plugin's request", async () => {
    const { broker } = await brokerHost();
    await broker.decide((await pendingRequest(broker)).id, ALWAYS, OWNER);
    expect(await covered(broker, { need: "always" })).toBe("pending");
    expect(await covered(broker, { severity: "critical" })).toBe("pending");
    const plugin = { kind: "plugin", cause: { kind: "plugin" }, pluginId: "guard" } as const;
    expect(await covered(broker, plugin)).toBe("pending");
  });
});

describe("elevated mode", () => {
  const session = {
    sessionKey: "agent:main:main",
    agentId: "main",
    requester: callRequest().requester,
  };

  it("[SAFE-054] lets a session's tools run without approval for an hour, except tools with the need always", async () => {
    const { broker, time, store } = await brokerHost();
    await broker.elevate(session, OWNER);
    expect(await broker.ask(callRequest())).toEqual({ status: "allowed" });
    expect(await broker.ask(callRequest({ need: "always" }))).toMatchObject({ status: "pending" });
    const plugin = { kind: "plugin", cause: { kind: "plugin" }, pluginId: "guard" } as const;
    expect(await broker.ask(callRequest(plugin))).toMatchObject({ status: "pending" });
    const elsewhere = { sessionKey: "agent:main:other" };
    expect(await broker.ask(callRequest(elsewhere))).toMatchObject({ status: "pending" });
    time.now += 3_600_000;
    expect(await broker.ask(callRequest())).toMatchObject({ status: "pending" });
    expect((await store.decisions.auditLog.list()).map(({ event }) => event)).toContain("granted");
  });

  it.each([
    [1, 60],
    [120, 120],
    [1_000_000, 28_800],
  ])("[SAFE-054] clamps elevated mode of %d s to %d s", async (given, seconds) => {
    const { broker } = await brokerHost();
    const { expiresAt } = await broker.elevate(session, OWNER, given);
    expect(expiresAt).toBe(NOW + seconds * 1000);
  });

  it("[SAFE-054] ends elevated mode early when an owner ends it", async () => {
    const { broker } = await brokerHost();
    await broker.elevate(session, OWNER);
    await broker.elevate(session, OWNER);
    const other = { ...OWNER, isOwner: false };
    await expect(broker.lower(session.sessionKey, other)).rejects.toThrow(
      NotAuthorizedToApproveError,
    );
    expect(await broker.lower(session.sessionKey, OWNER)).toHaveLength(2);
    expect(await broker.lower(session.sessionKey, OWNER)).toEqual([]);
    expect(await broker.ask(callRequest())).toMatchObject({ status: "pending" });
  });

  it("lets only owners start elevated mode", async () => {
    const { broker } = await brokerHost();
    const other = { ...OWNER, isOwner: false, mayApprove: true };
    await expect(broker.elevate(session, other)).rejects.toThrow(NotAuthorizedToApproveError);
  });
});

describe("approval by a setting", () => {
  it.each([
    ["the flag", { approvedTools: ["write"] }, {}, "--approve-tool write"],
    [
      "the configuration",
      { needs: { write: "never" } },
      { need: "never", declaredNeed: "always" },
      "tools.approval.write: never",
    ],
  ] as const)(
    "records every call that a setting approves in the audit log: %s",
    async (_what, settings, changes, reason) => {
      const { broker, store } = await brokerHost({ settings });
      expect(await broker.ask(callRequest(changes))).toEqual({ status: "allowed" });
      expect(await store.decisions.auditLog.list()).toMatchObject([
        { event: "unattended", tool: "write", toolCallId: "call-1", reason },
      ]);
    },
  );

  it("requires approval for the need always and for safety rules, despite a setting", async () => {
    const { broker } = await brokerHost({ settings: { approvedTools: ["write"] } });
    expect(await broker.ask(callRequest({ need: "always" }))).toMatchObject({ status: "pending" });
    const risky = { severity: "critical", cause: { kind: "safety" } } as const;
    expect(await broker.ask(callRequest(risky))).toMatchObject({ status: "pending" });
  });

  it("[APPR-046] approves doubtful commands by a setting in the sandbox only, and never a plugin's own request", async () => {
    const isSandboxed = async () => true;
    const doubt = { kind: "doubt", toolNeed: "unless-granted" } as const;
    const call = { kind: "exec", toolName: "exec", params: { command: "ls > /x" } } as const;
    const status = async (settings: ApprovalSettings, changes: Partial<ApprovalRequest>) => {
      const { broker } = await brokerHost({ settings });
      const verdict = await broker.ask(callRequest({ ...call, ...changes }));
      return "authority" in verdict ? verdict.authority : verdict.status;
    };
    const flag = { approvedTools: ["exec"], isSandboxed };
    const inSandbox = { by: "sandbox", command: undefined };
    expect(await status(flag, { cause: doubt })).toEqual(inSandbox);
    expect(await status(flag, { cause: doubt, severity: "critical" })).toEqual(inSandbox);
    const never = { kind: "doubt", toolNeed: "never" } as const;
    expect(await status({ isSandboxed }, { cause: never })).toEqual(inSandbox);
    for (const [settings, changes] of [
      [{ approvedTools: ["exec"] }, { cause: doubt }],
      [{ isSandboxed }, { cause: doubt }],
      [flag, { cause: { kind: "plugin" } }],
      [flag, { cause: { kind: "plugin" }, severity: "critical" }],
      [flag, { cause: { kind: "tool" }, severity: "critical" }],
      [flag, { cause: doubt, need: "always" }],
    ] as const) {
      expect([changes, await status(settings, changes)]).toEqual([changes, "pending"]);
    }
  });

  it("[APPR-046] runs a command that a policy covers as the policy returned it, also with exec=any", async () => {
    const { broker } = await brokerHost({ settings: { approvedTools: ["exec=any", "exec"] } });
    const policy = "rules/reading";
    const verdict = await broker.ask(
      callRequest({
        kind: "exec",
        toolName: "exec",
        satisfiedBy: { policy, reason: "it only reads" },
      }),
    );
    expect(verdict).toMatchObject({ status: "allowed", authority: { by: "policy" } });
  });

  it("writes no audit log entry for a call that needs no approval", async () => {
    const { broker, store } = await brokerHost();
    expect(await broker.ask(callRequest({ need: "never" }))).toEqual({ status: "allowed" });
    expect(await store.decisions.auditLog.list()).toEqual([]);
  });
});

describe("approval request of a plugin outside a call", () => {
  const deploy = {
    pluginId: "guard",
    title: "Deploy?",
    description: "",
    sessionKey: "agent:main:main",
    agentId: "main",
    payload: { to: "production" },
    isAttended: true,
  };

  it("[APPR-006] binds a plugin's request to its payload, and reports the outcome to the plugin", async () => {
    const { broker } = await brokerHost();
    const told: string[] = [];
    const verdict = await broker.request(deploy, (resolution) => void told.push(resolution));
    if (verdict.status !== "pending") throw new Error("not asked");
    const { id, digest, allowedDecisions } = verdict.approval;
    expect(allowedDecisions).toEqual(["allow-once", "deny"]);
    const other = await broker.request({ ...deploy, payload: { to: "staging" } });
    expect(other.status === "pending" && other.approval.digest).not.toBe(digest);
    await broker.decide(id, ONCE, OWNER);
    expect(told).toEqual(["allow-once"]);
  });

  it("[APPR-006] [APPR-011] stores a request without the secrets of its payload, and binds it to them", async () => {
    const { broker } = await brokerHost();
    const stored = async (password: string) => {
      const verdict = await broker.request({ ...deploy, payload: { password } });
      if (verdict.status !== "pending") throw new Error("not asked");
      return verdict.approval;
    };
    const [first, second] = [await stored("hunter2"), await stored("hunter3")];
    expect(first.params).toEqual({ password: "[REDACTED]" });
    expect(second.digest).not.toBe(first.digest);
  });

  it("denies a plugin's request where no approver is reachable", async () => {
    const { broker, store } = await brokerHost();
    expect(await broker.request({ ...deploy, isAttended: false })).toMatchObject({
      status: "denied",
      reason: expect.stringContaining("no approver reachable"),
    });
    expect(await store.decisions.approvals.list()).toEqual([]);
  });

  it("[APPR-019] reports a decision to registered handlers after a restart, until an attempt succeeds", async () => {
    const { broker, restarted, store, lines } = await brokerHost();
    const verdict = await broker.request(deploy);
    if (verdict.status !== "pending") throw new Error("not asked");
    const { id } = verdict.approval;
    await broker.close();
    const told: unknown[] = [];
    const next = restarted({
      async notifyPlugin(approval) {
        told.push(approval);
        if (told.length < 3) throw new Error("not ready");
      },
    });
    await next.start();
    await next.decide(id, DENY, OWNER);
    const expected = {
      id,
      sessionKey: "agent:main:main",
      pluginId: "guard",
      decision: "deny",
      decidedBy: "terminal:owner",
    };
    expect(told).toEqual([expected, expected, expected]);
    expect(lines).toHaveLength(2);
    expect(await store.decisions.approvals.unnotified()).toEqual([]);
  });

  it("[APPR-019] reports a decision at most five times, also across restarts", async () => {
    const { broker, restarted, store } = await brokerHost();
    const verdict = await broker.request(deploy);
    if (verdict.status !== "pending") throw new Error("not asked");
    await broker.decide(verdict.approval.id, DENY, OWNER);
    await broker.close();
    let attempts = 0;
    const failing = {
      async notifyPlugin() {
        attempts += 1;
        throw new Error("never ready");
      },
    };
    await restarted(failing).start();
    await restarted(failing).start();
    expect(attempts).toBe(5);
    expect(await store.decisions.approvals.unnotified()).toEqual([]);
  });
});

describe("settled", () => {
  it("waits for the decision, returns an earlier one at once, and stops when aborted", async () => {
    const { broker } = await brokerHost();
    const { id } = await pendingRequest(broker);
    const controller = new AbortController();
    const waiting = broker.settled(id, controller.signal);
    const impatient = new AbortController();
    const left = broker.settled(id, impatient.signal);
    impatient.abort(new Error("enough"));
    await expect(left).rejects.toThrow("enough");
    await broker.decide(id, ONCE, OWNER);
    expect(await waiting).toMatchObject({ id, state: "allowed-once" });
    expect(await broker.settled(id, controller.signal)).toMatchObject({ id });
    await expect(broker.settled("apr_x", controller.signal)).rejects.toThrow(ApprovalNotFoundError);
  });
});

/** Lets pending work of the store continue until a condition is met. */
async function until(isMet: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    if (isMet()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("the condition was not met");
}
