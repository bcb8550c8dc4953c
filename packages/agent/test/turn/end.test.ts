import { describe, expect, it } from "vitest";
import {
  calling,
  fieldsOf,
  plugin,
  scriptedProvider,
  tool,
  turnHost,
} from "../support/turn-host.js";

type Told = [string, object][];

/** A plugin that records the events of a turn's end. */
function witness(told: Told) {
  return plugin("witness", (api) => {
    api.registerHook(
      ["agent_error", "agent_end"],
      (event, { hookName }) => void told.push([hookName, fieldsOf(event)]),
    );
  });
}

const durationMs = expect.any(Number);
const MARK = { runId: "run-1", durationMs };

describe("end of a turn", () => {
  it("[TURN-046] is reported once on completion, with messages and usage", async () => {
    const told: Told = [];
    const host = await turnHost({
      script: [
        { ...calling("work"), usage: { input: 10, output: 2 } },
        { text: "done", usage: { input: 20, output: 3, cacheRead: 5 } },
      ],
      coreTools: [tool("work")],
      plugins: [witness(told)],
    });
    const outcome = await host.run();
    const usage = outcome.status === "completed" ? outcome.usage : undefined;
    expect(usage).toMatchObject({ input: 30, output: 5, cacheRead: 5 });
    const messages = await host.transcript();
    expect(told).toEqual([
      ["agent_end", { ...MARK, messages, success: true, aborted: false, usage }],
    ]);
  });

  it("[TURN-046] is reported as an error first when the turn failed", async () => {
    const told: Told = [];
    const host = await turnHost({
      script: [{ error: { status: 503, message: "overloaded" } }],
      plugins: [witness(told)],
    });
    const outcome = await host.run();
    const message = outcome.status === "failed" ? outcome.error.message : "";
    expect(message).toContain("overloaded");
    const code = "MODEL_REQUEST_FAILED";
    expect(outcome).toEqual({
      status: "failed",
      text: "",
      error: { code, message, stage: "model", retryable: true, providerStatus: 503 },
    });
    const messages = await host.transcript();
    expect(told).toEqual([
      ["agent_error", { ...MARK, retryable: true, error: { code, message, stage: "model" } }],
      ["agent_end", { ...MARK, messages, success: false, aborted: false, error: message }],
    ]);
  });

  it("[TURN-046] is not an error when a gate blocked it", async () => {
    const told: Told = [];
    const host = await turnHost({
      plugins: [
        witness(told),
        plugin("gate", (api) => void api.on("before_agent_run", () => ({ outcome: "block" }))),
      ],
    });
    await host.run();
    expect(told).toEqual([
      ["agent_end", { ...MARK, messages: [], success: false, aborted: false, error: "blocked" }],
    ]);
  });

  it("[TURN-046] [TURN-053] is not an error when it was interrupted", async () => {
    const told: Told = [];
    const host = await turnHost({ plugins: [witness(told)] });
    await host.run({ signal: AbortSignal.abort() });
    const messages = await host.transcript();
    expect(told).toEqual([
      ["agent_end", { ...MARK, messages, success: false, aborted: true, error: "interrupted" }],
    ]);
  });

  it("is reported last, with the returned outcome", async () => {
    const host = await turnHost();
    const outcome = await host.run();
    expect(host.events.map(({ type }) => type)).toEqual([
      ...["started", "message", "text", "context-used", "message", "finished"],
    ]);
    expect(host.events.at(-1)).toEqual({ type: "finished", outcome });
  });

  it("[TURN-046] is not awaited", async () => {
    const host = await turnHost({
      plugins: [
        plugin("slow", (api) => {
          api.on("agent_end", () => new Promise(() => {}), { timeoutMs: 30 });
        }),
      ],
    });
    expect(await host.run()).toMatchObject({ status: "completed" });
  });

  it("keeps its outcome when observers fail, including fail-closed ones", async () => {
    const host = await turnHost({
      script: [{ error: { status: 500, message: "boom" } }],
      plugins: [
        plugin("broken", (api) => {
          const names = ["agent_error", "agent_end"] as const;
          const throwing = () => {
            throw new Error("at once");
          };
          api.registerHook(names, throwing, { mode: "fail-closed" });
          api.registerHook(names, () => Promise.reject(new Error("later")), {
            mode: "fail-closed",
          });
        }),
      ],
    });
    expect(await host.run()).toMatchObject({
      status: "failed",
      error: { code: "MODEL_REQUEST_FAILED" },
    });
    expect(host.events.at(-1)).toMatchObject({ type: "finished", outcome: { status: "failed" } });
  });
});

describe("cause of a failed turn", () => {
  it.each<[string, unknown, object]>([
    ["no error at all", "plain", { code: "MODEL_PROVIDER_FAILED", stage: "model" }],
    ["an error", new Error("no library"), { code: "MODEL_PROVIDER_FAILED", stage: "model" }],
  ])("is named when a provider throws %s", async (_what, thrown, error) => {
    const host = await turnHost({
      providers: [
        scriptedProvider("broken", () => {
          throw thrown;
        }),
      ],
    });
    expect(await host.run({ model: "broken/any" })).toMatchObject({ status: "failed", error });
  });

  it("is named when a fail-closed hook fails", async () => {
    const host = await turnHost({
      plugins: [
        plugin("strict", (api) => {
          const broken = () => Promise.reject(new Error("no rules"));
          api.on("before_prompt_build", broken, { mode: "fail-closed" });
        }),
      ],
    });
    expect(await host.run()).toMatchObject({
      status: "failed",
      error: {
        code: "HOOK_THREW",
        stage: "hook",
        retryable: false,
        message: expect.stringContaining("strict"),
      },
    });
  });

  it("is named when the store cannot be written", async () => {
    const host = await turnHost();
    expect(await host.run({ sessionId: "no such session" })).toMatchObject({
      status: "failed",
      error: { code: "ROW_NOT_FOUND", stage: "internal", retryable: false },
    });
  });
});
