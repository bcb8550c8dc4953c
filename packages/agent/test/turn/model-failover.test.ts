import { systemClock } from "@openclaw/foundation";
import {
  chainSettings,
  createScriptedModel,
  ModelChain,
  ModelHealth,
  type ModelScript,
  type ModelsConfiguration,
} from "@openclaw/models";
import { describe, expect, it } from "vitest";
import {
  calling,
  fieldsOf,
  plugin,
  scriptedProvider,
  type TurnHostOptions,
  textOf,
  tool,
  turnHost,
} from "../support/turn-host.js";

const DOWN = { error: { status: 503, message: "overloaded" } };
const OBSERVERS = ["llm_input", "model_call_started", "model_call_ended", "llm_output"] as const;

/** A chain whose waits end at once; its deadlines are real. */
function hurried(configuration: ModelsConfiguration = {}): ModelChain {
  const clock = {
    ...systemClock,
    setTimeout: (callback: () => void, ms: number) =>
      systemClock.setTimeout(callback, ms < 10_000 ? 0 : ms),
  };
  return new ModelChain({
    health: new ModelHealth(),
    settings: chainSettings(configuration),
    clock,
  });
}

/** A host whose model has the fallback `spare/script`. */
async function pair(script: ModelScript, spare: ModelScript, options: TurnHostOptions = {}) {
  const fallback = createScriptedModel(spare);
  const host = await turnHost({
    script,
    providers: [scriptedProvider("spare", () => fallback)],
    modelChain: hurried({ retry: { retries: 1 } }),
    fallbacksOf: () => [{ ref: "spare/script", priority: 0 }],
    ...options,
  });
  return { host, fallback };
}

describe("turn whose model fails", () => {
  it("[TURN-027] [HOOKCAT:llm_output] fires the hooks for each attempt, with a new call ID and the model that is called", async () => {
    const told: [string, Record<string, unknown>, unknown][] = [];
    const witness = plugin("witness", (api) => {
      api.registerHook(
        OBSERVERS,
        (event, context) =>
          void told.push([
            context.hookName,
            fieldsOf(event),
            Reflect.get(context, "modelProviderId"),
          ]),
      );
    });
    const { host } = await pair(() => DOWN, [{ text: "from the spare" }], { plugins: [witness] });
    expect(await host.run()).toMatchObject({ status: "completed", text: "from the spare" });
    const [input, started, ended, output] = OBSERVERS;
    const failed = [input, started, ended];
    expect(told.map(([name]) => name)).toEqual([
      ...failed,
      ...failed,
      input,
      started,
      ended,
      output,
    ]);
    expect(told.map(([, { provider }, inContext]) => [provider, inContext])).toEqual([
      ...Array.from({ length: 6 }, () => ["scripted", "scripted"]),
      ...Array.from({ length: 4 }, () => ["spare", "spare"]),
    ]);
    const calls = told.flatMap(([name, { callId }]) => (name === started ? [callId] : []));
    expect(new Set(calls).size).toBe(3);
    const ends = told.flatMap(([name, event]) => (name === ended ? [event] : []));
    expect(ends.map(({ callId }) => callId)).toEqual(calls);
    expect(ends.map(({ outcome }) => outcome)).toEqual(["error", "error", "completed"]);
    expect((await host.transcript()).at(-1)).toMatchObject({ provider: "spare", model: "script" });
  });

  it("shows and logs repetitions and the change of model, and keeps the model for the next calls", async () => {
    const { host, fallback } = await pair(
      () => DOWN,
      [calling("look"), { text: "done" }, { text: "again" }],
      { coreTools: [tool("look")] },
    );
    expect(await host.run()).toMatchObject({ text: "done" });
    expect(await host.run()).toMatchObject({ text: "again" });
    // The model cools down, so that only the first call tries it.
    expect([host.requests.length, fallback.requests.length]).toEqual([2, 3]);
    const shown = host.events.filter(({ type }) => type.startsWith("model-"));
    const errorCode = "MODEL_REQUEST_FAILED";
    expect(shown).toEqual([
      {
        type: "model-retry",
        model: "scripted/script",
        retry: 1,
        waitMs: expect.any(Number),
        errorCode,
      },
      { type: "model-failover", from: "scripted/script", to: "spare/script", errorCode },
    ]);
    const logged = host.lines.filter(({ level }) => level === "warn");
    expect(logged.map(({ fields }) => fields.code)).toEqual(["MODEL_RETRY", "MODEL_FAILOVER"]);
    expect(logged.at(1)?.message).toMatch(
      /^model spare\/script is called instead of scripted\/script: .*HTTP 503: overloaded/,
    );
  });

  it("[LLM-018] ends with one sentence after one request when the key is wrong", async () => {
    const { host, fallback } = await pair(
      () => ({ error: { status: 401, message: "invalid key" } }),
      [],
    );
    const outcome = await host.run();
    expect(outcome).toMatchObject({
      status: "failed",
      error: {
        code: "MODEL_AUTHENTICATION_FAILED",
        message: expect.stringMatching(
          /^model scripted\/script rejected the credential \(HTTP 401: invalid key\); check the API key of provider scripted, /,
        ),
      },
    });
    expect([host.requests.length, fallback.requests.length]).toEqual([1, 0]);
  });

  it("[LLM-023] keeps the beginning of a reply that broke off as incomplete, and calls no other model", async () => {
    const { host, fallback } = await pair(
      [{ text: "one two three", breakAfter: 2 }, { text: "fine" }],
      [],
    );
    const outcome = await host.run();
    expect(outcome).toMatchObject({
      status: "failed",
      error: {
        code: "MODEL_INVALID_RESPONSE",
        message: expect.stringContaining("the reply is incomplete"),
      },
    });
    expect([host.requests.length, fallback.requests.length]).toEqual([1, 0]);
    const partial = (await host.transcript()).at(-1);
    expect(partial).toMatchObject({ role: "assistant", stopReason: "error" });
    const text = textOf(partial);
    expect(text).toBe("one two ");
    const shown = host.events.flatMap((event) => (event.type === "text" ? [event.delta] : []));
    expect(text.startsWith(shown.join("").trimEnd())).toBe(true);
    // The conversation continues behind it; the model cools down and is the last resort of the other one.
    const next = await pair([], [{ text: "fine" }], { store: host.store });
    expect(await next.host.run({ runId: "run-2", model: "spare/script" })).toMatchObject({
      text: "fine",
    });
  });

  it("passes structured output, reasoning effort and tool choice to each attempt", async () => {
    const { host, fallback } = await pair(() => DOWN, [{ text: "{}" }], {
      coreTools: [tool("look")],
    });
    const responseFormat = { type: "json", schema: { type: "object" } } as const;
    const settings = { responseFormat, reasoning: "high", temperature: 0.2, seed: 7 } as const;
    const outcome = await host.run({
      client: { tools: [], settings, toolChoice: "required" },
    });
    expect(outcome).toMatchObject({ status: "completed", text: "{}" });
    const asked = [...host.requests, ...fallback.requests];
    expect(asked).toHaveLength(3);
    for (const request of asked) {
      expect(request).toMatchObject({ ...settings, toolChoice: { type: "required" } });
      expect(request.tools).toHaveLength(1);
    }
  });
});
