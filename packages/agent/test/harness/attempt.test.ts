import { createManualClock } from "@openclaw/foundation";
import type { HookName } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";
import { HarnessRun, runTurn } from "../../src/index.js";
import { approver } from "../support/authorized-call.js";
import { deferred } from "../support/deferred.js";
import { harnessHost } from "../support/harness-host.js";
import { expectAnswered, fieldsOf, plugin, textOf, tool, watcher } from "../support/turn-host.js";

const INTERRUPTED = { status: "interrupted", text: "" };

describe("turn of an agent harness", () => {
  it("[PLUG-700] runs on the path of every turn, with its hooks, its transcript and its events", async () => {
    const fired: HookName[] = [];
    const outputs: object[] = [];
    const host = await harnessHost(
      async ({ prompt, messages, provider, modelId, onPartialReply }) => {
        onPartialReply({ delta: "You said " });
        onPartialReply({ delta: prompt });
        const text = `You said ${prompt}, as ${provider}/${modelId} after ${messages.length}.`;
        return { text, usage: { input: 7, output: 3 } };
      },
      {
        plugins: [
          watcher(fired, [
            ...(["before_agent_run", "llm_input", "model_call_started"] as const),
            ...(["model_call_ended", "llm_output", "before_agent_finalize", "agent_end"] as const),
          ]),
          plugin("witness", (api) => {
            api.on("llm_output", (event) => void outputs.push(fieldsOf(event)));
          }),
        ],
      },
    );
    const text = "You said hello, as scripted/script after 0.";
    expect(await host.run()).toMatchObject({
      status: "completed",
      text,
      stopReason: "stop",
      usage: { input: 7, output: 3 },
    });
    expect(host.requests).toEqual([]);
    expect((await host.transcript()).map(textOf)).toEqual(["hello", text]);
    expect(fired).toEqual([
      ...["before_agent_run", "llm_input", "model_call_started", "model_call_ended"],
      ...["llm_output", "before_agent_finalize", "agent_end"],
    ]);
    expect(outputs).toMatchObject([{ harnessId: "fixture", assistantTexts: [text] }]);
    const shown = host.events.flatMap((event) => (event.type === "text" ? [event.delta] : []));
    expect(shown.join("")).toBe(text);
    const entries = await host.store.turns.journal.load("run-1");
    expect(entries.map(({ step }) => step.kind)).toContain("model-answered");
    expect(entries[0]?.step).toMatchObject({ kind: "turn-prepared", harness: "fixture" });
  });

  it("[PLUG-700] gives the next turn the conversation", async () => {
    const seen: string[][] = [];
    const host = await harnessHost(({ messages, prompt }) => {
      seen.push([...messages.map(textOf), prompt]);
      return { assistantTexts: [`answer ${seen.length}`] };
    });
    await host.run();
    await host.run({ text: "and now?" });
    expect(seen).toEqual([["hello"], ["hello", "answer 1", "and now?"]]);
  });

  it("[PLUG-840] ends without text when the harness has sent its answer by itself", async () => {
    const prompts: string[] = [];
    const host = await harnessHost(({ prompt, messages }) => {
      prompts.push(`${messages.length} ${prompt}`);
      return { assistantTexts: [], didSendViaMessagingTool: true };
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "", stopReason: "stop" });
    expect(await host.transcript()).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [], delivered: true },
    ]);
    expect(host.events.filter(({ type }) => type === "text")).toEqual([]);
    expect(await host.run({ text: "and now?" })).toMatchObject({ status: "completed" });
    expect(prompts.map((each) => each.replace(/^\d+ /, ""))).toEqual(["hello", "and now?"]);
  });

  it.each([
    ["nothing", {}],
    ["false", { didSendViaMessagingTool: false }],
    ["another value", { didSendViaMessagingTool: "yes" }],
  ])(
    "[PLUG-840] [TURN-200] fails without text when the harness says %s of a delivery",
    async (_what, said) => {
      const host = await harnessHost(() => ({ assistantTexts: [], ...said }));
      expect(await host.run()).toMatchObject({ status: "failed", error: { code: "EMPTY_REPLY" } });
    },
  );

  it("[TURN-211] receives all definitions, because it gets its tools once", async () => {
    const names: string[][] = [];
    const host = await harnessHost(
      ({ tools }) => {
        names.push(tools.map(({ name }) => name));
        return { text: "done" };
      },
      {
        coreTools: [tool("read"), tool("plan", { description: "Plans the work. ".repeat(99) })],
        deferred: ["plan"],
      },
    );
    await host.run();
    expect(names).toEqual([["read", "plan"]]);
  });

  it("[PLUG-702] sends its calls of the host's tools through policy, hooks and transcript", async () => {
    const host = await harnessHost(
      async ({ tools, onPartialReply }) => {
        onPartialReply({ text: "Let me look." });
        const find = (name: string) => tools.find((each) => each.name === name);
        const [a, b] = await Promise.all([
          find("look")?.execute("same", { at: "a" }),
          find("look")?.execute("same", { at: "b" }),
        ]);
        const results = [a, b].map((each) => `${each?.isError === true} ${textOf(each)}`);
        return { assistantTexts: ["Let me look.", results.join(" | ")] };
      },
      {
        coreTools: [
          tool("look", {
            parameters: { type: "object", properties: { at: { type: "string" } } },
            execute: (_id: string, { at }: Record<string, unknown>) => `found ${String(at)}`,
          }),
          tool("secret"),
        ],
        layers: [
          {
            layer: "global",
            deny: [{ value: "secret", source: { file: "f", key: "tools.deny" } }],
          },
        ],
        plugins: [
          plugin("guard", (api) => {
            api.on("before_tool_call", ({ params }) =>
              params.at === "b" ? { block: true, blockReason: "not b" } : undefined,
            );
          }),
        ],
      },
    );
    const outcome = await host.run();
    expect(outcome).toMatchObject({ status: "completed" });
    expect(outcome.text).toMatch(/^Let me look\.\n\nfalse found a \| true .*not b/);
    await expectAnswered(host);
    const [, calls, ...rest] = await host.transcript();
    expect(textOf(calls)).toBe("Let me look.\n[toolCall]\n[toolCall]");
    expect(rest.map(({ role }) => role)).toEqual(["toolResult", "toolResult", "assistant"]);
    const ids = (await host.toolResults()).map(({ toolCallId }) => toolCallId);
    expect(new Set(ids).size).toBe(2);
  });

  it("[PLUG-703] [TURN-044] relays its stop, and continues in the same attempt when a plugin revises it", async () => {
    const decisions: unknown[] = [];
    const host = await harnessHost(
      async ({ onStop, onPartialReply }) => {
        for (let pass = 1; ; pass++) {
          onPartialReply({ delta: `draft ${pass}` });
          const decision = await onStop({ text: `draft ${pass}` });
          decisions.push(decision);
          if (decision.action === "finalize") return { text: "not read" };
        }
      },
      {
        plugins: [
          plugin("critic", (api) => {
            api.on("before_agent_finalize", ({ attempt, lastAssistantMessage }) =>
              attempt < 3
                ? {
                    action: "revise",
                    reason: `${lastAssistantMessage} is too short`,
                    retry: { instruction: "longer", idempotencyKey: `${attempt}` },
                  }
                : undefined,
            );
          }),
        ],
      },
    );
    expect(await host.run()).toMatchObject({ status: "completed", text: "draft 3" });
    const asked = (pass: number) =>
      `[Revision asked by plugin "critic"]\ndraft ${pass} is too short\nlonger`;
    expect((await host.transcript()).map(textOf)).toEqual([
      ...["hello", "draft 1", asked(1), "draft 2", asked(2), "draft 3"],
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(decisions).toEqual([
      { action: "revise", instruction: asked(1) },
      { action: "revise", instruction: asked(2) },
      { action: "finalize" },
    ]);
  });

  it("[PLUG-703] [TURN-045] runs another attempt for a revision that it does not ask about, at most as often as the loop of the host", async () => {
    const prompts: [string, boolean][] = [];
    const host = await harnessHost(
      ({ prompt, stopHookActive }) => {
        prompts.push([prompt, stopHookActive]);
        return { text: `answer ${prompts.length}` };
      },
      {
        plugins: [
          plugin("critic", (api) => {
            api.on("before_agent_finalize", ({ attempt }) => ({
              action: "revise",
              retry: { instruction: `again ${attempt}` },
            }));
          }),
        ],
      },
    );
    expect(await host.run()).toMatchObject({ status: "completed", text: "answer 4" });
    const asked = (pass: number) => `[Revision asked by plugin "critic"]\nagain ${pass}`;
    expect(prompts).toEqual([
      ["hello", false],
      [asked(1), true],
      [asked(2), true],
      [asked(3), true],
    ]);
  });

  it("[PLUG-704] [TURN-053] is aborted with its turn, keeps the text so far, and does not ask about its stop", async () => {
    const controller = new AbortController();
    const fired: HookName[] = [];
    const aborted = deferred();
    const host = await harnessHost(
      async ({ abortSignal, onPartialReply }) => {
        abortSignal.addEventListener("abort", () => aborted.resolve());
        onPartialReply({ delta: "one " });
        await new Promise(() => {});
      },
      { plugins: [watcher(fired, ["before_agent_finalize", "agent_end"])] },
    );
    const onEvent = ({ type }: { type: string }) => {
      if (type === "text") controller.abort();
    };
    expect(await host.run({ signal: controller.signal, onEvent })).toEqual(INTERRUPTED);
    await aborted.promise;
    expect(fired).toEqual(["agent_end"]);
    const [, reply] = await host.transcript();
    expect(reply).toMatchObject({
      content: [{ type: "text", text: "one " }],
      stopReason: "interrupted",
    });
  });

  it.each<[string, () => unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("the daemon is gone");
      },
      "the daemon is gone",
    ],
    ["rejects", () => Promise.reject(new Error("no login")), "no login"],
    ["returns nothing", () => undefined, "returned no result"],
    ["returns no text", () => ({}), "neither text nor assistantTexts"],
    ["returns a wrong text", () => ({ text: 7 }), "a text of type number"],
    ["reports a failure", () => ({ assistantTexts: [], promptError: new Error("quota") }), "quota"],
    ["reports a timeout", () => ({ text: "", timedOut: true }), "its time was over"],
    ["reports an abort", () => ({ text: "", aborted: true }), "it was aborted"],
  ])(
    "[PLUG-704] fails the turn when the harness %s, and calls neither it again nor the model",
    async (_what, run, problem) => {
      let attempts = 0;
      const host = await harnessHost(() => {
        attempts += 1;
        return run();
      });
      const outcome = await host.run();
      expect(outcome).toMatchObject({
        status: "failed",
        error: { code: "AGENT_HARNESS_FAILED", stage: "model", retryable: false },
      });
      const message = outcome.status === "failed" ? outcome.error.message : "";
      expect(message).toContain('agent harness "fixture" of plugin "harness" failed');
      expect(message).toContain(problem);
      expect([attempts, host.requests]).toEqual([1, []]);
    },
  );

  it("[PLUG-704] ends a harness that shows no sign of life, and waits for one that does", async () => {
    const clock = createManualClock();
    const working = deferred();
    let life: (() => void) | undefined;
    const host = await harnessHost(
      async ({ onAgentEvent }) => {
        life = onAgentEvent;
        working.resolve();
        await new Promise(() => {});
      },
      { timers: clock, timeoutMs: 5000 },
    );
    const outcome = host.run();
    await working.promise;
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(4000);
    life?.();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(4000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(host.events.some(({ type }) => type === "finished")).toBe(false);
    clock.advance(1000);
    expect(await outcome).toMatchObject({
      status: "failed",
      error: {
        code: "AGENT_HARNESS_TIMEOUT",
        message: expect.stringContaining(
          "no sign of life for 5 s, the limit of agentRuntime.timeoutMs",
        ),
      },
    });
  });

  it("[PLUG-705] waits for an approval in the same attempt while the process lives", async () => {
    let attempts = 0;
    using harnessRun = new HarnessRun();
    const host = await harnessHost(
      async ({ tools }) => {
        attempts += 1;
        const result = await tools[0]?.execute("a", {});
        return { text: `it said: ${textOf(result)}` };
      },
      { coreTools: [tool("ask", { approval: "always" })] },
    );
    expect(await host.run({ approver: approver("allow-once"), harnessRun })).toMatchObject({
      status: "completed",
      text: "it said: ask ran",
    });
    expect(attempts).toBe(1);
  });

  it("[PLUG-705] starts another attempt behind the calls that have run when the process ended", async () => {
    const seen: string[][] = [];
    let ran = 0;
    const host = await harnessHost(
      async ({ tools, prompt, progress }) => {
        seen.push([prompt, ...progress.map(textOf)]);
        if (progress.length > 0) return { text: "done" };
        await tools[0]?.execute("a", {});
        await tools[1]?.execute("b", {});
        return { text: "never" };
      },
      {
        coreTools: [
          tool("work", {
            execute: () => {
              ran += 1;
              return "worked";
            },
          }),
          tool("ask", { approval: "always" }),
        ],
      },
    );
    // Each run has an attempt of its own, as after a restart.
    expect(await host.run({ approver: approver("allow-once") })).toMatchObject({
      status: "completed",
      text: "done",
    });
    expect(seen).toEqual([["hello"], ["hello", "[toolCall]", "worked", "[toolCall]", "ask ran"]]);
    expect(ran).toBe(1);
    await expectAnswered(host);
  });

  it("[PLUG-700] [TURN-056] gives it what the user writes meanwhile, with the result of its call", async () => {
    const results: string[] = [];
    const waiting = ["stop at two"];
    const host = await harnessHost(
      async ({ tools }) => {
        results.push(textOf(await tools[0]?.execute("a", {})));
        return { text: "ok" };
      },
      { coreTools: [tool("work")] },
    );
    await host.run({ takeSteering: async () => waiting.splice(0) });
    expect(results).toEqual(["work ran\n[New message of the user]\nstop at two"]);
  });

  it("[PLUG-700] makes at most as many calls as the loop of the host", async () => {
    const ended = deferred<unknown>();
    const host = await harnessHost(
      async ({ tools }) => {
        for (let call = 1; ; call++) {
          try {
            await tools[0]?.execute(`call-${call}`, {});
          } catch (error) {
            ended.resolve(error);
            throw error;
          }
        }
      },
      { coreTools: [tool("work")], maxIterations: 3 },
    );
    expect(await host.run()).toMatchObject({ status: "completed", stopReason: "max_iterations" });
    expect(await host.toolResults()).toHaveLength(3);
    expect(await ended.promise).toMatchObject({ message: "the turn has ended" });
  });

  it("[PLUG-700] [TURN-029] is not run when a budget is used up", async () => {
    let attempts = 0;
    const host = await harnessHost(
      () => {
        attempts += 1;
        return { text: "answer", usage: { input: 60, output: 60 } };
      },
      { budgets: { session: { maxTokens: 100 } } },
    );
    expect(await host.run()).toMatchObject({ text: "answer" });
    expect(await host.run()).toMatchObject({ stopReason: "budget" });
    expect(attempts).toBe(1);
  });

  it("[PLUG-704] rejects calls that it makes after the end of the turn", async () => {
    const late = deferred<(id: string) => Promise<unknown>>();
    const host = await harnessHost(
      ({ tools }) => {
        late.resolve(async (id) => await tools[0]?.execute(id, {}));
        throw new Error("gone");
      },
      { coreTools: [tool("work")] },
    );
    await host.run();
    const call = await late.promise;
    await expect(call("x")).rejects.toThrow("gone");
    expect(await host.toolResults()).toEqual([]);
  });

  it("[PLUG-700] is not run for a message that the gate blocks", async () => {
    let attempts = 0;
    const host = await harnessHost(
      () => {
        attempts += 1;
        return { text: "answer" };
      },
      {
        plugins: [
          plugin("gate", (api) => {
            api.on("before_agent_run", () => ({ outcome: "block", reason: "no" }));
          }),
        ],
      },
    );
    expect(await runTurn(host.request(), host.services, host.pin)).toMatchObject({
      status: "blocked",
    });
    expect(attempts).toBe(0);
  });
});
