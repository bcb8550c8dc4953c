import { compilePolicy } from "@openclaw/tool-policy";
import { describe, expect, it, vi } from "vitest";
import type { TurnEvent } from "../../src/context/event.js";
import type { ToolCallScope } from "../../src/context/tool-call-scope.js";
import { startTurn } from "../../src/context/turn.js";
import { authorizeToolCall, type NewCallDependencies } from "../../src/tool-call/authorize.js";
import { CallPolicy, type CallPolicyDependencies } from "../../src/tool-call/policy.js";
import { openTurnTools } from "../../src/turn/tools.js";
import {
  answers,
  approver,
  type Guard,
  guards,
  judging,
  OWNER,
  parameters,
  saying,
} from "../support/authorized-call.js";
import { deferred } from "../support/deferred.js";
import { calling, fieldsOf, plugin, tool, turnHost } from "../support/turn-host.js";

describe("tool lookup", () => {
  it.each(["nothing", "constructor", "__proto__", "Work"])(
    "[TURN-026] rejects a call of %s, which is not in the set, without calling a hook",
    async (name) => {
      const guard = vi.fn<Guard>();
      const host = await turnHost({
        script: [calling(name), { text: "done" }],
        coreTools: [tool("work")],
        plugins: guards(guard),
      });
      expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
      expect(await answers(host)).toEqual([`Unknown tool: ${name}`]);
      expect(guard).not.toHaveBeenCalled();
    },
  );
});

describe("policy evaluation", () => {
  it("runs at every call, and its denial names layer and rule", async () => {
    const host = await turnHost({ coreTools: [tool("work")] });
    const turn = startTurn(host.request(), host.pin, host.services);
    const model = await host.services.models.resolve("scripted/script");
    const { tools, policyContext } = await openTurnTools(turn, model);
    const call = { toolCallId: "call-1", toolName: "work", params: {} };
    const reconsidered = new Set<string>();
    const narrowed = {
      turn,
      tools,
      reconsidered,
      policyContext: { ...policyContext, toolsAllow: [] },
    };
    const authorize = (scope: ToolCallScope<NewCallDependencies & CallPolicyDependencies>) =>
      authorizeToolCall(call, scope, new CallPolicy(call, scope));
    expect(await authorize(narrowed)).toEqual({
      verdict: "refused",
      text: "Tool work is not allowed here (run: not in the run's tool list)",
      guidance: [],
      policy: { decisionId: expect.stringMatching(/^pd_[0-9a-f]{20}$/) },
      refusal: { kind: "denied", decider: "policy:cap" },
    });
    const admitted = await authorize({ turn, tools, reconsidered, policyContext });
    expect(admitted.verdict).toBe("run");
  });
});

describe("policy that changed while a turn runs", () => {
  it.each<[string, string[], string[], string]>([
    ["denies what it newly denies", [], ["work"], "Tool work is not allowed here (global: work)"],
    [
      "lets nothing run that the turn's own denies",
      ["work"],
      [],
      "Tool work is not allowed here (global: work)",
    ],
  ])("[POL-045] %s", async (_what, before, after, text) => {
    const execute = vi.fn(() => "ran");
    let later = false;
    const compiled = (deny: string[]) => compilePolicy([{ layer: "global", deny }], { tools: [] });
    const host = await turnHost({
      script: [calling("work"), calling("work"), { text: "done" }],
      coreTools: [tool("work", { execute })],
      layers: before.length === 0 ? [] : [{ layer: "global", deny: before }],
      latestPolicy: () => compiled(later ? after : []),
      plugins: [
        plugin("clock", (api) => {
          api.on("model_call_started", () => {
            later = execute.mock.calls.length > 0 || before.length > 0;
          });
        }),
      ],
    });
    await host.run();
    const told = await answers(host);
    expect(told.at(-1)).toBe(text);
    expect(told[0]).toBe(before.length === 0 ? "ran" : text);
    expect(execute).toHaveBeenCalledTimes(before.length === 0 ? 1 : 0);
    // The tool set sent to models is unchanged (TURN-026).
    const shown = host.requests.map(({ tools }) => tools?.map(({ name }) => name) ?? []);
    expect(shown).toEqual(Array(3).fill(before.length === 0 ? ["work"] : []));
  });
});

describe("policy that changes during a call or between calls", () => {
  it("[POL-045] requests an approval that becomes necessary while the turn runs", async () => {
    const asking = compilePolicy([{ layer: "global", requireApproval: ["work"] }]);
    const { host, execute } = await judging([], {
      asked: [{ path: "a" }, { path: "b" }],
      latestPolicy: () => (execute.mock.calls.length > 0 ? asking : compilePolicy([])),
    });
    const person = approver("deny");
    await host.run({ approver: person });
    expect(person.asked).toMatchObject([
      { params: { path: "b" }, allowedDecisions: ["allow-once", "deny"] },
    ]);
    expect(await answers(host)).toEqual(["ran", "Tool call denied: by user"]);
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it("[POL-045] requests an approval that a reload no longer requires", async () => {
    const { host, execute } = await judging([], {
      layers: [{ layer: "global", requireApproval: ["work"] }],
      latestPolicy: () => compilePolicy([]),
    });
    await host.run();
    expect(await answers(host)).toEqual([expect.stringContaining("no approver reachable")]);
    expect(execute).not.toHaveBeenCalled();
  });

  it("[HCR-008] denies a rewrite that it no longer allows, and names the plugin that made it", async () => {
    let denies = false;
    const denying = compilePolicy([{ layer: "global", deny: ["work"] }]);
    const { host, execute } = await judging(
      [
        () => {
          denies = true;
          return { params: { path: "elsewhere" } };
        },
      ],
      { latestPolicy: () => (denies ? denying : compilePolicy([])) },
    );
    await host.run();
    expect(await answers(host)).toEqual([
      'Tool work is not allowed here (global: work) (after plugin "guard-1" rewrote the arguments)',
    ]);
    expect(execute).not.toHaveBeenCalled();
  });
});

describe("tool that policy keeps out of the set", () => {
  const source = { file: "openclaw.json", key: "tools.deny", line: 2, column: 3 };
  const denying = () =>
    turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work")],
      layers: [{ layer: "global", deny: [{ value: "work", source }] }],
    });
  const refusalOf = (host: { events: readonly TurnEvent[] }) =>
    host.events.find(({ type }) => type === "tool-finished");

  it("[POL-029] is named to the model with layer and rule, without files or keys", async () => {
    const host = await denying();
    await host.run();
    expect(await answers(host)).toEqual(["Tool work is not allowed here (global: work)"]);
    expect(JSON.stringify(await host.transcript())).not.toMatch(/openclaw\.json|tools\.deny|pd_/);
  });

  it("[POL-029] is shown with decision, file and key to an owner only", async () => {
    const host = await denying();
    await host.run();
    expect(refusalOf(host)).toMatchObject({
      outcome: "refused",
      policy: {
        decisionId: expect.stringMatching(/^pd_[0-9a-f]{20}$/),
        file: "openclaw.json",
        key: "tools.deny",
      },
    });
    const other = await denying();
    const { origin } = other.request();
    await other.run({ origin: { ...origin, senderId: "guest", senderIsOwner: false } });
    expect(refusalOf(other)).toMatchObject({ outcome: "refused" });
    expect(refusalOf(other)).not.toHaveProperty("policy");
  });
});

describe("invalid arguments", () => {
  it("[TURN-032] return at most five issues to the model, before any hook", async () => {
    const guard = vi.fn<Guard>();
    const many = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, 1]));
    const wrong = Object.fromEntries(Object.keys(many).map((name) => [name, { type: "string" }]));
    const { host, execute, told } = await judging([guard], {
      asked: [{ path: 1, count: 1.5, mode: "x" }, "text", many],
      changes: {
        parameters: { ...parameters, properties: { ...parameters.properties, ...wrong } },
      },
    });
    await host.run();
    const [first, second, third = ""] = await answers(host);
    expect(first).toBe(
      "Invalid parameters for work: arguments must not have additional properties: mode; " +
        "/path must be string; /count must be integer",
    );
    expect(second).toBe("Invalid parameters for work: arguments must be object");
    expect(third.split("; ")).toHaveLength(5);
    expect((await host.toolResults()).every(({ isError }) => isError)).toBe(true);
    expect(guard).not.toHaveBeenCalled();
    expect(execute).not.toHaveBeenCalled();
    expect(told).toEqual([]);
  });
});

describe("before_tool_call", () => {
  it("[TURN-033] receives the facts of the call", async () => {
    const events: unknown[] = [];
    const { host } = await judging([(event) => void events.push(fieldsOf(event))], {
      asked: [{ path: "a" }],
    });
    await host.run();
    expect(events).toEqual([
      {
        toolName: "work",
        params: { path: "a" },
        runId: "run-1",
        toolCallId: "call-1",
        toolKind: "builtin",
      },
    ]);
  });

  it("distinguishes a plugin's tool from a tool of the host", async () => {
    const kinds: unknown[] = [];
    const host = await turnHost({
      script: [calling("fly"), { text: "done" }],
      plugins: [
        ...guards(({ toolKind }) => void kinds.push(toolKind)),
        plugin("birds", (api) => api.registerTool(tool("fly"))),
      ],
    });
    await host.run();
    expect(kinds).toEqual(["plugin"]);
  });

  it("can rewrite the arguments; the last rewrite runs, without values that JSON cannot hold", async () => {
    const { host, execute } = await judging(
      [
        saying({ params: { path: "first" } }),
        ({ params }) => ({ params: { ...params, count: 2, mode: undefined } }),
      ],
      { asked: [{ path: "asked" }] },
    );
    await host.run();
    expect(execute.mock.calls[0]?.[1]).toEqual({ path: "first", count: 2 });
    expect(await answers(host)).toEqual(["ran"]);
  });

  it("[TURN-033] can change the arguments only through its result", async () => {
    const { host, execute } = await judging(
      [(event) => void Object.assign(event.params, { path: "changed" })],
      { asked: [{ path: "asked" }] },
    );
    await host.run();
    expect(execute.mock.calls[0]?.[1]).toEqual({ path: "asked" });
  });

  it.each<[string, Record<string, unknown>]>([
    ["arguments that do not fit", { count: "many" }],
    ["arguments that JSON cannot hold", { path: "a", count: 1n }],
  ])(
    "[TURN-032] [HCR-008] denies a rewrite to %s, and names the plugin that made it",
    async (_what, params) => {
      const { host, execute, told } = await judging([
        saying({ params: { path: "fine" } }),
        saying({ params }),
        saying({ guidance: "be careful" }),
      ]);
      await host.run();
      const [text = ""] = await answers(host);
      expect(text).toMatch(
        /^Invalid parameters for work: .* \(after plugin "guard-2" rewrote the arguments\)/,
      );
      expect(text).toContain("be careful");
      expect(execute).not.toHaveBeenCalled();
      expect(told).toEqual([]);
    },
  );

  it("treats a result that JSON cannot hold as missing arguments, even when the tool accepts any", async () => {
    const { host, execute } = await judging(
      [saying({ params: { count: 1n }, requestReconsideration: true })],
      { changes: { parameters: { type: "object" } } },
    );
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    const [text] = await answers(host);
    expect(text).toContain('must be object (after plugin "guard-1" rewrote the arguments)');
    expect(execute).not.toHaveBeenCalled();
  });

  it("[TURN-034] [TURN-035] [HCR-021] can block: nothing runs, and the execution hooks are not called", async () => {
    const later = vi.fn<Guard>();
    const { host, execute, told } = await judging([
      saying({ guidance: "ask for less" }),
      saying({ block: true, blockReason: "too much" }),
      later,
    ]);
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(await answers(host)).toEqual([
      'Tool blocked: too much\n[Guidance of plugin "guard-1"]\nask for less',
    ]);
    expect(later).not.toHaveBeenCalled();
    expect(execute).not.toHaveBeenCalled();
    expect(told).toEqual([]);
  });

  it("can block without a reason", async () => {
    const { host } = await judging([saying({ block: true })]);
    await host.run();
    expect(await answers(host)).toEqual(["Tool blocked: a plugin did not allow it"]);
  });

  it.each<[string, Guard, string]>([
    [
      "throws",
      () => {
        throw new Error("secret");
      },
      "failed",
    ],
    ["hangs", () => new Promise(() => {}), "did not answer in time"],
    ["answers nonsense", () => "no" as never, "gave an answer that cannot be used"],
  ])("denies when a guard %s", async (_what, handler, problem) => {
    const { host, execute } = await judging([], {
      plugins: [
        plugin("guard", (api) => void api.on("before_tool_call", handler, { timeoutMs: 1 })),
      ],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    expect(await answers(host)).toEqual([
      `Tool blocked: plugin "guard" guards this step and ${problem}`,
    ]);
    expect(execute).not.toHaveBeenCalled();
  });

  it("lets a call run when a fail-open guard fails", async () => {
    const { host } = await judging([], {
      plugins: [
        plugin("adviser", (api) => {
          const broken = () => Promise.reject(new Error("no advice"));
          api.on("before_tool_call", broken, { mode: "fail-open" });
        }),
      ],
    });
    await host.run();
    expect(await answers(host)).toEqual(["ran"]);
  });
});

describe("reconsideration of a call", () => {
  const wary = saying({ requestReconsideration: true, guidance: "is it needed?" });
  const returned =
    "This call was not run yet. Reconsider it with the guidance below; repeat it unchanged to go ahead." +
    '\n[Guidance of plugin "guard-1"]\nis it needed?';
  const ran = 'ran\n[Guidance of plugin "guard-1"]\nis it needed?';

  it("[TURN-036] [HCR-009] returns a call once per canonical arguments of a run, then runs it", async () => {
    const { host, execute, told } = await judging([wary], {
      asked: [
        { path: "a", count: 1 },
        { count: 1, path: "a" },
        { path: "b", count: 1 },
        { path: "a", count: 1 },
      ],
    });
    await host.run();
    expect(await answers(host)).toEqual([returned, ran, returned, ran]);
    expect(execute).toHaveBeenCalledTimes(2);
    expect(told).toEqual(["after_tool_call", "after_tool_call"]);
  });

  it("[TURN-036] starts again in the next run", async () => {
    const { host } = await judging([wary], {
      script: [calling("work"), { text: "one" }, calling("work"), { text: "two" }],
    });
    await host.run();
    await host.run();
    expect(await answers(host)).toEqual([returned, returned]);
  });

  it("[HCR-009] precedes the approval request", async () => {
    const { host } = await judging([wary], { asked: [{}, {}], changes: { approval: "always" } });
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(await answers(host)).toEqual([returned, ran]);
    expect(person.asked).toHaveLength(1);
  });

  it("depends on the final arguments", async () => {
    const { host } = await judging(
      [wary, ({ params }) => ({ params: { ...params, path: "same" } })],
      { asked: [{ path: "a" }, { path: "b" }] },
    );
    await host.run();
    expect(await answers(host)).toEqual([returned, ran]);
  });
});

describe("interrupt during the evaluation of a call", () => {
  it("stops waiting for a guard; the call does not run and gets a result", async () => {
    const controller = new AbortController();
    const evaluated = deferred();
    const { host, execute } = await judging([
      () => {
        evaluated.resolve();
        return new Promise(() => {});
      },
    ]);
    const running = host.run({ signal: controller.signal });
    await evaluated.promise;
    controller.abort();
    expect(await running).toEqual({ status: "interrupted", text: "" });
    expect(await answers(host)).toEqual(["Tool aborted"]);
    expect(execute).not.toHaveBeenCalled();
  });

  it("wins over a simultaneous approval", async () => {
    const controller = new AbortController();
    const { host, execute } = await judging([], { changes: { approval: "always" } });
    const hasty = {
      actor: OWNER,
      async ask() {
        queueMicrotask(() => controller.abort());
        return { decision: "allow-once", via: "test" } as const;
      },
    };
    await host.run({ approver: hasty, signal: controller.signal });
    expect(await answers(host)).toEqual(["Tool aborted"]);
    expect(execute).not.toHaveBeenCalled();
  });
});
