import { createManualClock } from "@openclaw/foundation";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { compilePolicy } from "@openclaw/tool-policy";
import { describe, expect, it } from "vitest";
import { historyOf, say } from "../jobs/support/only-job.js";
import { eventually } from "../support/eventually.js";
import { answering, createTestHost, openTestStore, type TestHostOptions } from "../support/host.js";
import { addRoutine, ended, MINUTE, MONDAY, OPERATOR } from "./support/routine.js";

const ENVELOPE = { protocolVersion: 1, ok: true, output: [], requiresInput: null } as const;

async function timed(options: TestHostOptions = {}) {
  const clock = createManualClock(MONDAY);
  const host = await createTestHost({ now: () => clock.now(), timers: clock, ...options });
  await host.routines.recover();
  return { clock, host };
}

/** Registers the tool `count`, which returns a text for each call. */
function counting(texts: readonly string[], params: unknown[] = []) {
  return (api: OpenClawPluginApi) => {
    api.registerTool({
      name: "count",
      description: "Counts.",
      parameters: { type: "object" },
      execute(_id, given) {
        params.push(given);
        const text = texts[params.length - 1] ?? "";
        if (text.startsWith("!")) throw new Error(text.slice(1));
        return text;
      },
    });
  };
}

/** Registers a tool with the name of the one for workflows, which returns a result. */
function workflows(results: readonly object[], params: unknown[] = []) {
  return (api: OpenClawPluginApi) => {
    api.registerTool({
      name: "lobster",
      description: "Runs a workflow.",
      parameters: { type: "object" },
      execute(_id, given) {
        params.push(given);
        const details = JSON.parse(JSON.stringify(results[params.length - 1]));
        return { content: [{ type: "text", text: JSON.stringify(details) }], details };
      },
    });
  };
}

describe("a routine that calls a tool", () => {
  it("[JOB-505] calls it without a model, tells its result, and fails with its error", async () => {
    const params: unknown[] = [];
    const { clock, host } = await timed({
      register: counting(["3 letters", "", "ROUTINE_OK", "!the box is locked"], params),
    });
    const { routineId } = await addRoutine(host, {
      ...{ every: "10m", prompt: undefined, tool: "count", params: { box: "in" } },
    });
    for (const count of [1, 2, 3, 4]) {
      clock.advance(10 * MINUTE);
      await ended(host.store, routineId, count);
    }
    expect(await ended(host.store, routineId, 4)).toMatchObject([
      { state: "attention", answer: "3 letters", delivery: { state: "delivered" } },
      { state: "ok", delivery: { state: "not-requested" } },
      { state: "ok", delivery: { state: "not-requested" } },
      { state: "failed", reason: expect.stringContaining("the box is locked") },
    ]);
    expect(params).toEqual(Array.from({ length: 4 }, () => ({ box: "in" })));
    expect(host.asked()).toEqual([]);
    const [told, failure] = await historyOf(host.store);
    expect(told).toBe("assistant: 3 letters");
    expect(failure).toMatch(/^assistant: Routine "morning" failed: .*the box is locked/s);
  });

  it("[JOB-505] takes the path of all calls: policy, hooks and approval, with the rights of its creator", async () => {
    const seen: unknown[] = [];
    const asks = (params: unknown[]) => (api: OpenClawPluginApi) => {
      counting(["1"], params)(api);
      api.on("before_tool_call", (event, context) => {
        seen.push([event.toolName, context.trigger, context.senderId]);
        return { requireApproval: { title: "Count?", description: "It counts." } };
      });
    };
    const run = async (options: TestHostOptions, decision: "allow-once" | "deny" = "deny") => {
      const { clock, host } = await timed(options);
      host.presence.attend(answering(host, decision));
      const creator = { channel: "test", conversationId: "main", senderId: "user" };
      const { routineId } = await addRoutine(host, {
        ...{ prompt: undefined, tool: "count", creator: { ...creator, senderIsOwner: false } },
      });
      clock.advance(10 * MINUTE);
      const [ran] = await ended(host.store, routineId, 1);
      return ran;
    };
    const denied: unknown[] = [];
    const policy = compilePolicy([{ layer: "global", deny: ["count"] }]);
    expect(await run({ policy, register: counting(["1"], denied) })).toMatchObject({
      ...{ state: "failed", reason: expect.stringContaining("openclaw policy explain count") },
    });
    expect(await run({ register: asks(denied) })).toMatchObject({
      ...{ state: "failed", reason: expect.stringMatching(/denied/i) },
    });
    expect(denied).toEqual([]);
    const allowed: unknown[] = [];
    expect(await run({ register: asks(allowed) }, "allow-once")).toMatchObject({
      ...{ state: "attention", answer: "1" },
    });
    expect(allowed).toHaveLength(1);
    expect(seen.every((call) => JSON.stringify(call) === '["count","cron","user"]')).toBe(true);
  });

  it("[JOB-505] [JOB-947] ends its call when it is removed, and is not called again after a restart", async () => {
    const store = await openTestStore();
    const calls: AbortSignal[] = [];
    const { clock, host } = await timed({
      store,
      register(api) {
        api.registerTool({
          ...{ name: "count", description: "Counts.", parameters: { type: "object" } },
          async execute(_id, _params, signal) {
            if (signal === undefined) throw new Error("a call has a signal");
            calls.push(signal);
            return await new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => reject(signal.reason), { once: true });
            });
          },
        });
      },
    });
    const removed = await addRoutine(host, { prompt: undefined, tool: "count" });
    const kept = await addRoutine(host, { name: "kept", prompt: undefined, tool: "count" });
    clock.advance(10 * MINUTE);
    await eventually(async () => (calls.length === 2 ? true : undefined));
    await host.routines.remove("morning", OPERATOR);
    await eventually(async () => calls.some(({ aborted }) => aborted) || undefined);
    const isGone = async () => (await store.sessions.get(removed.sessionKey)) === undefined;
    await eventually(async () => (await isGone()) || undefined);
    host.routines.close();
    const next = await timed({ store });
    expect(await ended(next.host.store, kept.routineId, 1)).toMatchObject([
      {
        state: "failed",
        reason: "the gateway ended while it ran",
        delivery: { state: "delivered" },
      },
    ]);
    expect(calls).toHaveLength(2);
  });

  it("[JOB-516] speaks up when its command fails, and not when it succeeds without output", async () => {
    const codes = [0, 0, 2, null];
    const outputs = ["", "3 warnings\n", "1 test failed\n", ""];
    let calls = 0;
    const { clock, host } = await timed({
      register(api) {
        api.registerTool({
          ...{ name: "exec", description: "Runs.", parameters: { type: "object" } },
          execute() {
            const [exitCode = null, output = ""] = [codes[calls], outputs[calls]];
            calls += 1;
            const end = exitCode === null ? "Ended by signal SIGKILL" : `Exit code ${exitCode}`;
            const notice = { type: "text" as const, text: `[${end} after 5 ms.]` };
            const content = output === "" ? [notice] : [{ ...notice, text: output }, notice];
            return { content, details: { exitCode } };
          },
        });
      },
    });
    const { routineId } = await addRoutine(host, {
      ...{ every: "10m", prompt: undefined, tool: "exec", params: { command: "make -s test" } },
    });
    for (const count of [1, 2, 3, 4]) {
      clock.advance(10 * MINUTE);
      await ended(host.store, routineId, count);
    }
    const runs = await ended(host.store, routineId, 4);
    expect(runs.map(({ state, answer, reason }) => [state, answer ?? reason])).toEqual([
      ["ok", ""],
      ["attention", "3 warnings"],
      ["failed", "it ended with exit code 2\n1 test failed\n\n[Exit code 2 after 5 ms.]"],
      ["failed", "a signal ended it\n[Ended by signal SIGKILL after 5 ms.]"],
    ]);
    const lines = (await say(host, "/cron runs morning")).split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain("failed (it ended with exit code 2)");
    const [warnings, failure, signal] = await historyOf(host.store);
    expect(warnings).toBe("assistant: 3 warnings");
    expect(failure).toContain('Routine "morning" failed: it ended with exit code 2');
    expect(signal).toContain("a signal ended it");
  });

  it("[JOB-506] has a tool or a task of the agent, never both, and can be changed to the other", async () => {
    const { host } = await timed();
    const none = { prompt: undefined };
    for (const [request, problem] of [
      [{ tool: "count" }, /^.*prompt: it belongs to a task of the agent/],
      [{ ...none, tool: "count", workflow: "x.lobster" }, /a tool and a workflow; leave one/],
      [{ ...none, params: {} }, /params: they belong to a tool or a workflow/],
      [{ ...none, tool: "count", model: "a/b" }, /model: it belongs to a task of the agent/],
      [{ ...none, tool: "count", params: { text: "x".repeat(17_000) } }, /params: they have/],
      [none, /its task is empty/],
    ] as const) {
      await expect(addRoutine(host, request)).rejects.toThrow(problem);
    }
    await addRoutine(host, { ...none, tool: "count", params: { box: "in" } });
    const changed = async (changes: Parameters<typeof host.routines.update>[2]) =>
      (await host.routines.update("morning", OPERATOR, changes)).routine.definition.action;
    const call = { tool: "count", params: { box: "out" } };
    expect(await changed({ params: { box: "out" } })).toEqual({ kind: "tool", prompt: "", call });
    expect(await changed({ quiet: "22:00-07:00" })).toEqual({ kind: "tool", prompt: "", call });
    expect(await changed({ prompt: "count" })).toEqual({ kind: "message", prompt: "count" });
    await expect(changed({ params: {} })).rejects.toThrow("params: they belong to a tool");
    expect(await changed({ workflow: "x.lobster", params: { a: 1 } })).toMatchObject({
      ...{ kind: "workflow", prompt: "" },
      call: { tool: "lobster", params: { action: "run", filePath: "x.lobster", args: { a: 1 } } },
    });
    expect(await changed({ params: {} })).toMatchObject({
      call: { params: { filePath: "x.lobster", args: {} } },
    });
    await expect(changed({ action: "full_job" })).rejects.toThrow("its task is empty");
  });

  it("[JOB-506] is added and shown in chat", async () => {
    const { host } = await timed();
    const added = await say(host, '/cron add beat every 1h: /tool count {"box": "in: out"}');
    expect(added).toContain('Routine "beat" is stored: Every hour');
    expect(await say(host, "/cron show beat")).toContain('Task: count {"box":"in: out"}');
    expect(await say(host, "/cron edit beat : /workflow x.lobster")).toContain("is changed");
    expect(await say(host, "/cron show beat")).toContain(
      'Task: lobster {"action":"run","filePath":"x.lobster"}',
    );
    expect(await say(host, "/cron add bad every 1h: /tool count nothing")).toContain(
      "params: they are not a JSON object",
    );
  });
});

describe("a routine that executes a workflow", () => {
  it("[JOB-507] tells what its workflow found and what waits, and fails with its error", async () => {
    const params: unknown[] = [];
    const waits = { prompt: "send it?", approvalId: "ABCD", decideWith: "WXYZ", type: "approval" };
    const asks = { prompt: "which box?", approvalId: "EFGH" };
    const { clock, host } = await timed({
      register: workflows(
        [
          { ...ENVELOPE, status: "ok", output: ["3 letters", { box: 1 }], requiresApproval: null },
          { ...ENVELOPE, status: "ok", requiresApproval: null },
          { ...ENVELOPE, status: "needs_approval", requiresApproval: waits },
          { ...ENVELOPE, status: "needs_input", requiresApproval: null, requiresInput: asks },
          { ...ENVELOPE, status: "cancelled", requiresApproval: null },
          { protocolVersion: 1, ok: false, error: { type: "timeout", message: "it took long" } },
        ],
        params,
      ),
    });
    const { routineId } = await addRoutine(host, {
      ...{ every: "10m", prompt: undefined, workflow: "report.lobster" },
    });
    for (const count of [1, 2, 3, 4, 5, 6]) {
      clock.advance(10 * MINUTE);
      await ended(host.store, routineId, count);
    }
    const runs = await ended(host.store, routineId, 6);
    expect(runs.map(({ state, answer, reason }) => [state, answer ?? reason])).toEqual([
      ["attention", '3 letters\n{"box":1}'],
      ["ok", ""],
      [
        "attention",
        "The workflow waits for an approval: send it?\n/approve WXYZ continues it, and `openclaw lobster show ABCD` shows its result.",
      ],
      [
        "attention",
        "The workflow waits for an answer: which box?\n`openclaw lobster resume EFGH --response-json <answer>` continues it.",
      ],
      ["failed", "its workflow was cancelled"],
      ["failed", "timeout: it took long"],
    ]);
    expect(params[0]).toEqual({ action: "run", filePath: "report.lobster" });
    expect(host.asked()).toEqual([]);
  });
});
