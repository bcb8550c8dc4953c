import type { ApprovalDecision, BeforeToolCallResult } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";
import {
  answers,
  approver,
  type Guard,
  guards,
  judging,
  OWNER,
  saying,
} from "../support/authorized-call.js";
import { deferred } from "../support/deferred.js";
import { calling, NOW, plugin, textOf, tool, turnHost } from "../support/turn-host.js";

describe("tool approval", () => {
  it("[HCR-006] is requested once, after every handler, for the final arguments", async () => {
    const order: string[] = [];
    const { host } = await judging(
      [
        () => {
          order.push("first");
          return { requireApproval: { title: "Sure?", description: "" } };
        },
        () => {
          order.push("second");
          return { params: { path: "final" } };
        },
      ],
      { changes: { approval: "unless-granted", label: "Do the work" } },
    );
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(order).toEqual(["first", "second"]);
    expect(person.asked).toMatchObject([
      {
        runId: "run-1",
        sessionKey: "agent:main:main",
        toolCallId: "call-1",
        tool: "work",
        params: { path: "final" },
        title: "Sure?",
        kind: "plugin",
        pluginId: "guard-1",
        requester: { channel: "terminal", accountId: "default", senderId: "me" },
        state: "pending",
      },
    ]);
    expect(await answers(host)).toEqual(["ran"]);
    const asked = (await host.store.decisions.auditLog.list()).find(
      ({ event }) => event === "created",
    );
    const [decided] = await host.store.decisions.policy.list();
    expect(asked).toMatchObject({ decisionId: decided?.decisionId, toolCallId: "call-1" });
  });

  it("suspends the turn, which holds only the approval request", async () => {
    const { host, execute } = await judging([], { changes: { approval: "always" } });
    const outcome = await host.run({ isAttended: () => true });
    const [approval] = await host.store.decisions.approvals.pending("agent:main:main");
    expect(outcome).toEqual({ status: "paused", text: "", approvalId: approval?.id });
    expect(host.events.at(-1)).toEqual({ type: "paused", approvalId: approval?.id });
    expect(execute).not.toHaveBeenCalled();
    expect(await answers(host)).toEqual([]);
  });

  it("lets parallel calls finish and makes later calls wait", async () => {
    const ran: string[] = [];
    const noting = (name: string, changes = {}) =>
      tool(name, {
        parallelSafe: true,
        execute: () => {
          ran.push(name);
          return `${name} ran`;
        },
        ...changes,
      });
    const host = await turnHost({
      script: [
        { toolCalls: ["asking", "beside", "behind"].map((toolName) => ({ toolName })) },
        { text: "done" },
      ],
      coreTools: [
        noting("asking", { approval: "always" }),
        noting("beside"),
        noting("behind", { parallelSafe: false }),
      ],
    });
    const seen: string[][] = [];
    const person = {
      actor: OWNER,
      async ask() {
        seen.push([...ran]);
        return { decision: "allow-once", via: "test" } as const;
      },
    };
    expect(await host.run({ approver: person })).toMatchObject({ status: "completed" });
    expect(seen).toEqual([["beside"]]);
    expect(ran).toEqual(["beside", "asking", "behind"]);
    expect((await host.toolResults()).map(textOf)).toEqual([
      "asking ran",
      "beside ran",
      "behind ran",
    ]);
    expect(host.requests).toHaveLength(2);
  });

  it("[APPR-016] reports a denial to the model, and the other calls of the reply continue", async () => {
    const host = await turnHost({
      script: [{ toolCalls: [{ toolName: "asking" }, { toolName: "other" }] }, { text: "done" }],
      coreTools: [tool("asking", { approval: "always" }), tool("other")],
      plugins: guards(saying({ guidance: "ask nicely" })),
    });
    await host.run({ approver: approver("deny") });
    const [first, second] = (await host.toolResults()).map(textOf);
    expect(first).toBe('Tool call denied: by user\n[Guidance of plugin "guard-1"]\nask nicely');
    expect(second).toContain("other ran");
  });

  it("[GW-344] tells the model the note of the person who denied", async () => {
    const { host } = await judging([], { changes: { approval: "always" } });
    const note = "Write to docs/ instead.";
    await host.run({
      approver: {
        actor: OWNER,
        ask: () => Promise.resolve({ decision: "deny", note, via: "terminal" }),
      },
    });
    expect(await answers(host)).toEqual([`Tool call denied: by user, with the note: ${note}`]);
  });

  it("[GW-343] names the rule of the plugin or the setting that asks, with its place", async () => {
    const place = { file: "openclaw.json", line: 3, column: 5 };
    const locate = (path: readonly (string | number)[]) =>
      path.at(-1) === "work" || path.includes("rules") ? place : undefined;
    const ruleOf = async (wish: BeforeToolCallResult | undefined) => {
      const { host } = await judging(wish === undefined ? [] : [saying(wish)], {
        approvals: { needs: { work: "always" }, locate },
      });
      const person = approver("deny");
      await host.run({ approver: person });
      return person.asked[0]?.rule;
    };
    const wanted = { title: "Sure?", description: "" };
    const rule = { id: "rules[2]", configPath: ["rules", 2] };
    const key = "plugins.entries.guard-1.config.rules[2]";
    expect(await ruleOf({ requireApproval: { ...wanted, rule } })).toEqual({
      ...{ id: "rules[2]", key },
      ...place,
    });
    const builtIn = { id: "destructive:removal" };
    expect(await ruleOf({ requireApproval: { ...wanted, rule: builtIn } })).toEqual(builtIn);
    expect(await ruleOf({ requireApproval: wanted })).toBeUndefined();
    const setting = "tools.approval.work";
    expect(await ruleOf(undefined)).toEqual({ id: setting, key: setting, ...place });
  });

  it("[APPR-016] denies a repeat of the same call at once, until the next user message", async () => {
    const asked = [{ path: "a" }, { path: "a" }, { path: "b" }];
    const { host } = await judging([], { asked, changes: { approval: "always" } });
    const person = approver("deny", "allow-once");
    await host.run({ approver: person });
    expect(await answers(host)).toEqual([
      "Tool call denied: by user",
      "Tool call denied: it was already denied in this turn",
      "ran",
    ]);
    expect(person.asked.map(({ params }) => params)).toEqual([{ path: "a" }, { path: "b" }]);

    const { host: spokenTo } = await judging([], {
      asked: [{ path: "a" }, { path: "a" }],
      changes: { approval: "always" },
      now: () => NOW + 1,
    });
    const again = approver("deny", "allow-once");
    const texts = ["please do"];
    const takeSteering = async () => {
      const taken = texts.splice(0);
      for (const text of taken) {
        const step = { kind: "message-steered", steeredRunId: "run-2", text } as const;
        await spokenTo.store.turns.journal.append({ runId: "run-1", step });
      }
      return taken;
    };
    await spokenTo.run({ approver: again, takeSteering });
    expect(await answers(spokenTo)).toEqual(["Tool call denied: by user", "ran"]);
  });

  it("hides a denied execution from the execution hooks", async () => {
    const { host, execute, told } = await judging([], { changes: { approval: "always" } });
    expect(await host.run({ approver: approver("deny") })).toMatchObject({ status: "completed" });
    expect(execute).not.toHaveBeenCalled();
    expect(told).toEqual([]);
    expect(await host.store.decisions.toolAuditLog.list()).toMatchObject([{ decider: "approval" }]);
  });

  it("[APPR-031] is denied at once without an approver, and names both settings", async () => {
    const { host } = await judging([], { changes: { approval: "unless-granted" } });
    expect(await host.run()).toMatchObject({ status: "completed" });
    const [text] = await answers(host);
    expect(text).toMatch(/^Tool call denied: no approver reachable: /);
    expect(text).toContain("--approve-tool work");
    expect(text).toContain('"tools": { "approval": { "work": "never" } }');
    expect(await host.store.decisions.approvals.list()).toEqual([]);
    expect(await host.store.decisions.auditLog.list()).toMatchObject([
      { event: "refused", tool: "work" },
    ]);

    const { host: patient } = await judging([], {
      changes: { approval: "unless-granted" },
      approvals: { headless: "wait" },
    });
    expect(await patient.run()).toMatchObject({ status: "paused" });
  });

  it("follows the operator's setting over the tool's own requirement", async () => {
    const { host } = await judging([], {
      changes: { approval: "always" },
      approvals: { needs: { work: "never" } },
    });
    await host.run();
    expect(await answers(host)).toEqual(["ran"]);
    expect(await host.store.decisions.auditLog.list()).toMatchObject([
      { event: "unattended", tool: "work", reason: "tools.approval.work: never" },
    ]);
  });

  it.each<[string, string, string, string[]]>([
    ["a tool", "work", "", ["tool"]],
    ["a policy for commands", "exec", "policy", ["exec"]],
    ["a command", "exec", "", ["exec"]],
    ["a plugin hook, also for a command", "exec", "hook", ["plugin"]],
  ])("[APPR-001] has the kind of its requester: %s", async (_who, name, asker, kinds) => {
    const wish = { requireApproval: { title: "Sure?", description: "" } };
    const host = await turnHost({
      script: [calling(name), { text: "done" }],
      coreTools: [tool(name, { approval: "unless-granted" })],
      config: { plugins: { entries: { asker: { enabled: true } } } },
      plugins: [
        plugin("asker", (api) => {
          if (asker === "hook") api.on("before_tool_call", () => wish);
          if (asker !== "policy") return;
          const rules = { id: "rules", description: "asks about commands", evaluate: () => wish };
          api.registerTrustedToolPolicy(rules);
        }),
      ],
    });
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(person.asked.map(({ kind }) => kind)).toEqual(kinds);
  });

  it("is not needed for later calls covered by a session grant", async () => {
    const { host } = await judging([], {
      asked: [{}, { path: "elsewhere" }],
      changes: { approval: "unless-granted" },
    });
    const person = approver("allow-always");
    await host.run({ approver: person });
    expect(await answers(host)).toEqual(["ran", "ran"]);
    expect(person.asked).toHaveLength(1);
  });

  const eachTime = {
    approval: ({ path }: Record<string, unknown>) => ({
      need: "unless-granted" as const,
      description: "Changes a followed file.",
      grantKey: String(path),
      covers: `of exactly ${path}`,
      asksEachTime: true,
    }),
  };

  it("[APPR-280] is requested each time although a setting says never", async () => {
    const { host } = await judging([], {
      changes: eachTime,
      approvals: { needs: { work: "never" } },
    });
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(person.asked).toMatchObject([
      { description: "Changes a followed file.", allowedDecisions: expect.anything() },
    ]);
    expect(await answers(host)).toEqual(["ran"]);
  });

  it("[APPR-280] is requested each time although a plugin's grant covers the call", async () => {
    const wanting = {
      requireApproval: { title: "Sure?", description: "It writes.", grantKey: "all" },
    };
    const { host } = await judging([saying(wanting)], { asked: [{}, {}], changes: eachTime });
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(person.asked).toMatchObject(
      Array(2).fill({
        description: "Changes a followed file. It writes.",
        allowedDecisions: ["allow-once", "deny"],
      }),
    );
  });

  it("[TURN-070] can depend on the arguments of a call", async () => {
    const { host } = await judging([], {
      asked: [{ path: "public" }, { path: "private" }],
      changes: { approval: ({ path }) => (path === "private" ? "always" : "never") },
    });
    await host.run();
    const [first, second] = await answers(host);
    expect(first).toBe("ran");
    expect(second).toMatch(/^Tool call denied: no approver/);
  });

  it("is denied when the tool's approval function fails", async () => {
    const { host, execute } = await judging([], {
      changes: {
        approval: () => {
          throw new Error("no table of rules");
        },
      },
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(await answers(host)).toEqual([
      "Tool call denied: a call of work could not be evaluated: no table of rules",
    ]);
    expect(execute).not.toHaveBeenCalled();
    expect(host.lines).toMatchObject([
      { level: "error", fields: { code: "TOOL_JUDGEMENT_FAILED", toolCallId: "call-1" } },
    ]);
  });

  it("is denied when asking the approver fails", async () => {
    const { host } = await judging([], { changes: { approval: "always" } });
    const broken = { actor: OWNER, ask: () => Promise.reject(new Error("the terminal is gone")) };
    expect(await host.run({ approver: broken })).toMatchObject({ status: "completed" });
    expect(await answers(host)).toEqual(["Tool call denied: by user"]);
    expect(host.lines).toMatchObject([
      { level: "error", message: expect.stringContaining("the terminal is gone") },
    ]);
  });

  it("is required by a policy rule, regardless of grants and settings", async () => {
    const { host } = await judging([], {
      asked: [{}, {}],
      layers: [{ layer: "global", requireApproval: ["work"] }],
      approvals: { needs: { work: "never" }, approvedTools: ["work"] },
    });
    const person = approver("allow-once", "deny");
    await host.run({ approver: person });
    expect(person.asked.map(({ allowedDecisions }) => allowedDecisions)).toEqual([
      ["allow-once", "deny"],
      ["allow-once", "deny"],
    ]);
    expect(await answers(host)).toEqual(["ran", "Tool call denied: by user"]);
  });
});

describe("approval required by a plugin", () => {
  const wanted = { title: "Really?", description: "It may hurt.", severity: "warning" as const };

  /** A guard that requests approval and records the decision in `told`. */
  function asking(told: string[], changes = {}): Guard {
    return saying({
      requireApproval: { ...wanted, ...changes, onResolution: (answer) => void told.push(answer) },
    });
  }

  it("shows the plugin's text, regardless of grants and settings of the tool", async () => {
    const told: string[] = [];
    const { host } = await judging([asking(told)], {
      approvals: { needs: { work: "never" }, approvedTools: ["work"] },
    });
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(person.asked).toMatchObject([{ ...wanted, kind: "plugin", pluginId: "guard-1" }]);
    expect(await answers(host)).toEqual(["ran"]);
    expect(told).toEqual(["allow-once"]);
  });

  it("[APPR-003] [HCR-005] is one approval request for all plugins that require one", async () => {
    const told: string[] = [];
    const { host } = await judging([
      asking(told, { timeoutMs: 5000, timeoutBehavior: "allow", severity: "info" }),
      asking(told, { title: "Other words", severity: "critical" }),
    ]);
    const person = approver("deny");
    await host.run({ approver: person });
    expect(person.asked).toMatchObject([
      {
        title: "Really?",
        severity: "critical",
        pluginId: "guard-1",
        alsoRequestedBy: ["guard-2"],
        timeoutBehavior: "deny",
        expiresAt: NOW + 5000,
      },
    ]);
    expect(told).toEqual(["deny", "deny"]);
  });

  it("[HCR-006] has the ID of the plugin; a different ID in the request logs a warning", async () => {
    const { host } = await judging([
      asking([], { pluginId: "another-plugin" }),
      asking([], { pluginId: "guard-2" }),
    ]);
    const person = approver("deny");
    await host.run({ approver: person });
    expect(person.asked).toMatchObject([{ pluginId: "guard-1", alsoRequestedBy: ["guard-2"] }]);
    expect(host.lines.filter(({ level }) => level === "warn")).toEqual([
      {
        level: "warn",
        message:
          'plugin "guard-1" requests approval in the name of plugin "another-plugin"; the request is its own',
        fields: expect.objectContaining({
          code: "APPROVAL_PLUGIN_ID_IGNORED",
          pluginId: "guard-1",
        }),
      },
    ]);
  });

  it.each<[ApprovalDecision, string]>([
    ["deny", "deny"],
    ["allow-once", "allow-once"],
    ["allow-always", "allow-always"],
  ])("[HCR-007] reports the decision %s to the plugin once", async (answer, resolution) => {
    const told: string[] = [];
    const { host } = await judging([asking(told)]);
    await host.run({ approver: approver(answer) });
    expect(told).toEqual([resolution]);
  });

  it("is satisfied by the plugin's own grant only", async () => {
    const told: string[] = [];
    const { host } = await judging([asking(told, { grantKey: "work-anywhere" })], {
      asked: [{ path: "a" }, { path: "b" }],
      changes: { approval: "unless-granted" },
    });
    const person = approver("allow-always");
    await host.run({ approver: person });
    expect(person.asked).toHaveLength(1);
    expect(await answers(host)).toEqual(["ran", "ran"]);
    expect(told).toEqual(["allow-always", "allow-always"]);
    const [entry] = await host.store.decisions.auditLog.list({ limit: 1 });
    const [grant] = await host.store.decisions.grants.list();
    expect(entry).toMatchObject({ event: "consumed", grantId: grant?.id });
  });

  it.each<[string, "never" | "unless-granted" | "always", "allow" | "deny"]>([
    ["does", "never", "allow"],
    ["does not", "unless-granted", "deny"],
    ["does not", "always", "deny"],
  ])(
    "[APPR-014] %s allow the call on timeout when the tool's approval is %s",
    async (_how, need, behaviour) => {
      const { host } = await judging([asking([], { timeoutBehavior: "allow" })], {
        changes: { approval: need },
      });
      await host.run({ isAttended: () => true });
      const [waiting] = await host.store.decisions.approvals.pending("agent:main:main");
      expect(waiting?.timeoutBehavior).toBe(behaviour);
    },
  );

  it("[APPR-022] does not weaken the approval of a tool that requires one each time", async () => {
    const { host } = await judging([asking([], { grantKey: "work-anywhere" })], {
      changes: { approval: "always" },
    });
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(person.asked).toMatchObject([{ allowedDecisions: ["allow-once", "deny"] }]);
  });

  it("is granted for one call only without a grant key", async () => {
    const { host } = await judging([asking([])], { asked: [{ path: "a" }, { path: "b" }] });
    const person = approver("allow-always", "deny");
    await host.run({ approver: person });
    expect(person.asked).toHaveLength(2);
  });

  it("is denied without an approver, and names no setting", async () => {
    const told: string[] = [];
    const { host } = await judging([asking(told)]);
    await host.run();
    const [text] = await answers(host);
    expect(text).toContain('plugin "guard-1" requires a person\'s approval');
    expect(text).not.toContain("--approve-tool");
    expect(told).toEqual(["deny"]);
  });

  it("[APPR-015] is cancelled when the turn is interrupted", async () => {
    const told: string[] = [];
    const { host, execute } = await judging([asking(told)]);
    const controller = new AbortController();
    const silent = {
      actor: OWNER,
      ask() {
        controller.abort();
        return new Promise<never>(() => {});
      },
    };
    expect(await host.run({ approver: silent, signal: controller.signal })).toMatchObject({
      status: "interrupted",
    });
    expect(told).toEqual(["cancelled"]);
    expect(await answers(host)).toEqual(["Tool aborted"]);
    expect(execute).not.toHaveBeenCalled();
    expect(await host.store.decisions.approvals.list()).toMatchObject([{ state: "cancelled" }]);
  });

  it("is cancelled when the interrupt arrives while it is stored", async () => {
    const controller = new AbortController();
    const { host } = await judging([asking([])]);
    host.services.approvals.onRequested(() => controller.abort());
    const outcome = await host.run({ isAttended: () => true, signal: controller.signal });
    expect(outcome).toMatchObject({ status: "interrupted" });
    expect(await answers(host)).toEqual(["Tool aborted"]);
    expect(await host.store.decisions.approvals.list()).toMatchObject([
      { state: "cancelled", decidedBy: "interrupt" },
    ]);
  });

  it("[APPR-004] [HCR-005] is not requested when a later plugin blocks", async () => {
    const told: string[] = [];
    const blocking = saying({ block: true, blockReason: "never" });
    for (const handlers of [
      [asking(told), blocking],
      [blocking, asking(told)],
    ]) {
      const { host } = await judging(handlers);
      const person = approver("allow-once");
      await host.run({ approver: person });
      expect(person.asked).toEqual([]);
      expect(await host.store.decisions.approvals.list()).toEqual([]);
      expect(await answers(host)).toEqual(["Tool blocked: never"]);
    }
    expect(told).toEqual([]);
  });

  it.each<[string, () => void | Promise<void>]>([
    [
      "throws",
      () => {
        throw new Error("its own affair");
      },
    ],
    ["rejects", () => Promise.reject(new Error("its own affair"))],
  ])("[HCR-007] runs as decided when the plugin's own callback %s", async (_what, onResolution) => {
    const { host } = await judging([saying({ requireApproval: { ...wanted, onResolution } })]);
    expect(await host.run({ approver: approver("allow-once") })).toMatchObject({
      status: "completed",
      text: "done",
    });
    expect(await answers(host)).toEqual(["ran"]);
    expect(host.lines).toMatchObject([
      {
        level: "error",
        message: 'onResolution of plugin "guard-1" failed: its own affair',
        fields: { code: "APPROVAL_RESOLUTION_FAILED", pluginId: "guard-1" },
      },
    ]);
  });

  it("[APPR-018] notifies the plugin's callback before the call runs, and waits up to 5 s", async () => {
    const steps: string[] = [];
    const deadlines: { ms: number; due: () => void }[] = [];
    const timers = {
      setTimeout: (due: () => void, ms: number) => deadlines.push({ ms, due }),
      clearTimeout: () => {},
    };
    const called = deferred();
    const onResolution = () => {
      steps.push("told");
      called.resolve();
      return new Promise<void>(() => {});
    };
    const { host } = await judging([saying({ requireApproval: { ...wanted, onResolution } })], {
      timers,
      changes: {
        execute: () => {
          steps.push("ran");
          return "ran";
        },
      },
    });
    const turn = host.run({ approver: approver("allow-once") });
    await called.promise;
    deadlines.find(({ ms }) => ms === 5000)?.due();
    await turn;
    expect(steps).toEqual(["told", "ran"]);
    expect(host.lines).toMatchObject([
      { message: expect.stringContaining("did not settle within 5000 ms") },
    ]);
  });

  it("needs no callback", async () => {
    const { host } = await judging([saying({ requireApproval: wanted })]);
    await host.run({ approver: approver("allow-once") });
    expect(await answers(host)).toEqual(["ran"]);
  });
});

describe("call after its approval", () => {
  it("[HCR-006] keeps its ID and does not pass the hooks again", async () => {
    const seen: unknown[] = [];
    const { host, execute } = await judging([({ toolCallId }) => void seen.push(toolCallId)], {
      changes: { approval: "always" },
    });
    await host.run({ approver: approver("allow-once") });
    expect(seen).toEqual(["call-1"]);
    expect(execute).toHaveBeenCalledWith("call-1", {}, expect.anything(), expect.anything());
    expect(host.requests).toHaveLength(2);
  });

  /** A host whose trusted policy gives a different verdict after the approval request. */
  async function changing(later: object) {
    let calls = 0;
    return await turnHost({
      script: [{ toolCalls: [{ toolName: "work", params: { path: "a" } }] }, { text: "done" }],
      coreTools: [
        tool("work", {
          approval: "always",
          parameters: { type: "object", properties: { path: { type: "string" } } },
        }),
      ],
      config: { plugins: { entries: { rules: { enabled: true } } } },
      plugins: [
        {
          ...plugin("rules", (api) =>
            api.registerTrustedToolPolicy({
              id: "rules",
              description: "changes its mind",
              evaluate: () => {
                calls += 1;
                return calls === 1 ? undefined : later;
              },
            }),
          ),
        },
      ],
    });
  }

  it.each<[string, object, string]>([
    ["denies it now", { block: true, blockReason: "not any more" }, "Tool blocked: not any more"],
    [
      "would change it now",
      { params: { path: "b" } },
      "Tool blocked: a trusted policy would change the arguments once more",
    ],
    [
      "asks again for the same",
      { requireApproval: { title: "Sure?", description: "" } },
      "work ran",
    ],
  ])("[APPR-017] is evaluated again by a trusted policy that %s", async (_what, later, text) => {
    const host = await changing(later);
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(person.asked).toHaveLength(1);
    expect((await host.toolResults()).map(textOf)).toEqual([text]);
  });

  it("[APPR-008] is denied when the stored approval does not cover it", async () => {
    const { host, execute } = await judging([], {
      asked: [{ path: "a" }],
      changes: { approval: "always" },
    });
    const paused = await host.run({ isAttended: () => true });
    if (paused.status !== "paused") throw new Error("it did not pause");
    const { approvals } = host.services;
    await approvals.decide(paused.approvalId, { decision: "allow-once", via: "test" }, OWNER);
    // Another execution under the same decision came first.
    const approval = await host.store.decisions.approvals.get(paused.approvalId);
    await host.store.decisions.approvals.consume({
      id: paused.approvalId,
      digest: approval?.digest ?? "",
    });
    await host.run({ runId: "run-1" });
    expect(await answers(host)).toEqual([
      expect.stringContaining("does not cover this: it was already used"),
    ]);
    expect(execute).not.toHaveBeenCalled();
    expect(await host.store.decisions.auditLog.list({ limit: 1 })).toMatchObject([
      { event: "refused", reason: "APPROVAL_MISMATCH: it was already used" },
    ]);
  });
});

describe("trusted policy that waives the tool's approval", () => {
  const satisfied = (changes: object, reason = "it only reads") => ({
    plugins: [
      plugin("rules", (api) =>
        api.registerTrustedToolPolicy({
          id: "harmless",
          description: "lets what is harmless run",
          evaluate: () => ({ approval: "satisfied", reason }),
        }),
      ),
    ],
    config: { plugins: { entries: { rules: { enabled: true } } } },
    script: [{ toolCalls: [{ toolName: "work" }] }, { text: "done" }],
    coreTools: [tool("work", { approval: "unless-granted", ...changes })],
  });

  it("[APPR-043] [D25] lets the call run without an approval request, and the audit log names policy and reason", async () => {
    const host = await turnHost(satisfied({}));
    await host.run();
    expect((await host.toolResults()).map(textOf)).toEqual(["work ran"]);
    expect(await host.store.decisions.auditLog.list()).toMatchObject([
      { event: "satisfied", tool: "work", via: "rules/harmless", reason: "it only reads" },
    ]);
  });

  it("[APPR-043] [D25] waives neither approvals required each time nor those of a plugin", async () => {
    const always = await turnHost(satisfied({ approval: "always" }));
    await always.run();
    expect((await always.toolResults()).map(textOf)).toEqual([
      expect.stringContaining("no approver reachable"),
    ]);
    const options = satisfied({});
    const wanting = await turnHost({
      ...options,
      plugins: [
        ...options.plugins,
        ...guards(saying({ requireApproval: { title: "Sure?", description: "" } })),
      ],
    });
    await wanting.run();
    expect((await wanting.toolResults()).map(textOf)).toEqual([
      expect.stringContaining('plugin "guard-1" requires'),
    ]);
  });

  it("[SAFE-056] is stored in the audit log without secrets, on one line and truncated", async () => {
    const secret = `sk-${"a1B2".repeat(6)}`;
    const host = await turnHost(
      satisfied({}, `known by ${secret}\nof ann@example.com, ${"because ".repeat(200)}`),
    );
    await host.run();
    const [entry] = await host.store.decisions.auditLog.list();
    expect(entry).toMatchObject({ event: "satisfied", via: "rules/harmless" });
    expect(entry?.reason).toMatch(
      /^known by \[REDACTED[A-Z_]*\] of \[REDACTED_EMAIL\], because .+…$/,
    );
    expect(entry?.reason?.length).toBeLessThanOrEqual(512);
    expect(JSON.stringify(entry)).not.toContain(secret);
  });

  it("[APPR-038] does not waive the approval of a command that it does not name", async () => {
    const { coreTools: _, ...options } = satisfied({});
    const host = await turnHost({
      ...options,
      script: [calling("exec"), { text: "done" }],
      coreTools: [tool("exec", { approval: "unless-granted" })],
    });
    await host.run();
    expect((await host.toolResults()).map(textOf)).toEqual([
      expect.stringContaining("no approver reachable"),
    ]);
  });

  it("is malformed without a reason, and denies", async () => {
    const host = await turnHost(satisfied({}, " "));
    await host.run();
    expect((await host.toolResults()).map(textOf)).toEqual([
      expect.stringContaining("Tool blocked"),
    ]);
  });

  it("is not available to an ordinary hook", async () => {
    const { host } = await judging(
      [() => JSON.parse('{"approval": "satisfied", "reason": "trust me"}')],
      { changes: { approval: "unless-granted" } },
    );
    await host.run();
    expect((await answers(host))[0]).toContain("Tool blocked");
  });
});
