import type { HookName } from "@openclaw/plugin-sdk/hooks";
import type { Store } from "@openclaw/store";
import { describe, expect, it, vi } from "vitest";
import { runTurn } from "../../src/index.js";
import { OWNER } from "../support/authorized-call.js";
import { deferred } from "../support/deferred.js";
import {
  calling,
  expectAnswered,
  fieldsOf,
  plugin,
  textOf,
  tool,
  turnHost,
  watcher,
} from "../support/turn-host.js";

describe("interrupted turn", () => {
  const INTERRUPTED = { status: "interrupted", text: "" };

  it("does not call the model when it was interrupted before", async () => {
    const host = await turnHost();
    expect(await host.run({ signal: AbortSignal.abort() })).toEqual(INTERRUPTED);
    expect(host.requests).toEqual([]);
  });

  it("[TURN-053] stops in the middle of the model's reply, and keeps and marks the partial reply", async () => {
    const controller = new AbortController();
    const ended: object[] = [];
    const host = await turnHost({
      script: [{ text: "one two three" }],
      plugins: [
        plugin("witness", (api) => {
          api.on("model_call_ended", (event) => void ended.push(fieldsOf(event)));
        }),
      ],
    });
    const onEvent = ({ type }: { type: string }) => {
      if (type === "text") controller.abort();
    };
    expect(await host.run({ signal: controller.signal, onEvent })).toEqual(INTERRUPTED);
    expect(await host.transcript()).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        content: [{ type: "text", text: "one " }],
        stopReason: "interrupted",
      },
    ]);
    expect(ended).toMatchObject([
      { outcome: "error", errorCategory: "MODEL_ABORTED", failureKind: "aborted" },
    ]);
  });

  it("[TURN-053] does not wait for a model that is silent", async () => {
    const controller = new AbortController();
    const asked = deferred();
    const host = await turnHost({
      script: [
        () => {
          asked.resolve();
          return { waitFor: new Promise(() => {}) };
        },
      ],
    });
    const running = host.run({ signal: controller.signal });
    await asked.promise;
    controller.abort();
    expect(await running).toEqual(INTERRUPTED);
  });

  it("[TURN-053] gives every call of the reply a result, and starts none after the interrupt", async () => {
    const controller = new AbortController();
    const started: string[] = [];
    const work = (name: string, parallelSafe: boolean) =>
      tool(name, {
        parallelSafe,
        execute() {
          started.push(name);
          if (name === "stop") controller.abort();
          return new Promise(() => {});
        },
      });
    const host = await turnHost({
      script: [
        {
          toolCalls: [
            ...["ready", "stop", "together", "later"].map((toolName) => ({ toolName })),
            { toolName: "later", rawParams: "{" },
            { toolName: "missing" },
          ],
        },
      ],
      coreTools: [tool("ready"), work("stop", true), work("together", true), work("later", false)],
    });
    expect(await host.run({ signal: controller.signal })).toEqual(INTERRUPTED);
    expect(started).toEqual(["stop"]);
    await expectAnswered(host);
    const answers = (await host.toolResults()).map(textOf);
    expect(answers.slice(0, 4)).toEqual([
      "ready ran",
      "Tool aborted",
      "Tool aborted",
      "Tool aborted",
    ]);
    expect(answers[4]).toContain("not usable as JSON");
    expect(answers[5]).toBe("Tool aborted");
    expect(host.requests).toHaveLength(1);
  });

  it("[TURN-053] calls no hook for a call after the interrupt", async () => {
    const controller = new AbortController();
    const asked: string[] = [];
    const host = await turnHost({
      script: [calling("stop", "later")],
      coreTools: [
        tool("stop", {
          execute() {
            controller.abort();
            return "stopped";
          },
        }),
        tool("later"),
      ],
      plugins: [
        plugin("witness", (api) => {
          api.on("before_tool_call", ({ toolName }) => void asked.push(toolName));
        }),
      ],
    });
    expect(await host.run({ signal: controller.signal })).toEqual(INTERRUPTED);
    expect(asked).toEqual(["stop"]);
    await expectAnswered(host);
  });

  it("[TURN-053] starts no tool when it is interrupted while the start is journaled", async () => {
    const controller = new AbortController();
    const execute = vi.fn(() => "ran");
    let isAuthorized = false;
    const host = await turnHost({
      script: [calling("work")],
      coreTools: [tool("work", { execute })],
      plugins: [
        plugin("witness", (api) => {
          api.on("before_tool_call", () => {
            isAuthorized = true;
          });
        }),
      ],
    });
    const { store } = host;
    const interrupting = new Proxy(store, {
      get(target, name) {
        if (name !== "transaction") return Reflect.get(target, name, target);
        return async (work: (unit: Store) => Promise<unknown>) => {
          const result = await store.transaction(work);
          if (isAuthorized) controller.abort();
          return result;
        };
      },
    });
    const request = host.request({ signal: controller.signal });
    const services = { ...host.services, store: interrupting };
    expect(await runTurn(request, services, host.pin)).toEqual(INTERRUPTED);
    expect(execute).not.toHaveBeenCalled();
    expect((await host.toolResults()).map(textOf)).toEqual(["Tool aborted"]);
  });

  it("is interrupted, not completed, also at the last allowed call and at a terminating one", async () => {
    for (const terminate of [true, false]) {
      const controller = new AbortController();
      const host = await turnHost({
        script: [calling("last")],
        coreTools: [
          tool("last", {
            execute() {
              queueMicrotask(() => controller.abort());
              return { content: [], terminate };
            },
          }),
        ],
        maxIterations: 1,
      });
      expect(await host.run({ signal: controller.signal })).toEqual(INTERRUPTED);
      await expectAnswered(host);
    }
  });

  const HOOKS = [
    "before_model_resolve",
    "before_agent_start",
    "before_prompt_build",
    "before_agent_run",
    "before_agent_reply",
    "before_tool_call",
    "before_agent_finalize",
    "transform_response",
  ] as const satisfies HookName[];

  it.each(HOOKS)("does not wait for a handler of %s, and aborts its signal", async (name) => {
    const controller = new AbortController();
    const called = deferred();
    const told = deferred();
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work")],
      plugins: [
        plugin("slow", (api) => {
          api.registerHook(name, (_event, { signal }) => {
            signal.addEventListener("abort", () => told.resolve());
            called.resolve();
            return new Promise<never>(() => {});
          });
        }),
      ],
    });
    const running = host.run({ signal: controller.signal });
    await called.promise;
    controller.abort();
    expect(await running).toEqual(INTERRUPTED);
    await told.promise;
    await expectAnswered(host);
  });

  it("[TURN-053] ends once within 500 ms after any number of interrupts, and skips the hooks of a final answer", async () => {
    const controller = new AbortController();
    const running = deferred();
    const order: string[] = [];
    const host = await turnHost({
      script: [{ text: "let me see", ...calling("deaf", "later") }],
      coreTools: [
        tool("deaf", {
          execute() {
            running.resolve();
            return new Promise(() => {});
          },
        }),
        tool("later"),
      ],
      plugins: [
        watcher(order, ["before_agent_finalize", "transform_response", "agent_error", "agent_end"]),
      ],
    });
    const turn = host.run({ signal: controller.signal });
    await running.promise;
    const startedAt = performance.now();
    for (let again = 0; again < 3; again++) controller.abort();
    expect(await turn).toEqual(INTERRUPTED);
    expect(performance.now() - startedAt).toBeLessThan(500);
    expect(order).toEqual(["agent_end"]);
    await expectAnswered(host);
  });

  it("[TURN-053] cancels a pending approval request", async () => {
    const controller = new AbortController();
    const asked = deferred();
    const withdrawn = deferred();
    const host = await turnHost({
      script: [calling("work")],
      coreTools: [tool("work", { approval: "always" })],
    });
    const turn = host.run({
      signal: controller.signal,
      approver: {
        actor: OWNER,
        ask(_question, signal) {
          signal.addEventListener("abort", () => withdrawn.resolve());
          asked.resolve();
          return new Promise(() => {});
        },
      },
    });
    await asked.promise;
    controller.abort();
    expect(await turn).toEqual(INTERRUPTED);
    await withdrawn.promise;
    expect((await host.toolResults()).map(textOf)).toEqual(["Tool aborted"]);
  });

  it("leaves a conversation that can be continued", async () => {
    const controller = new AbortController();
    const host = await turnHost({
      script: [calling("stop", "work"), { text: "back again" }],
      coreTools: [
        tool("stop", {
          execute() {
            controller.abort();
            return new Promise(() => {});
          },
        }),
        tool("work"),
      ],
    });
    await host.run({ signal: controller.signal });
    expect(await host.run({ text: "go on" })).toMatchObject({ text: "back again" });
    const answers = host.requests[1]?.prompt.filter(({ role }) => role === "tool") ?? [];
    expect(JSON.stringify(answers)).not.toContain("No result");
  });
});
