import { createScriptedModel, ModelContextLengthError } from "@openclaw/models";
import type { JournalStep, Store } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { runTurn, type TurnRequest, TurnSuspendedError } from "../../src/index.js";
import { deferred } from "../support/deferred.js";
import { dyingStore } from "../support/failing-store.js";
import {
  calling,
  plugin,
  scriptedProvider,
  type TurnHost,
  type TurnHostOptions,
  textOf,
  tool,
  turnHost,
} from "../support/turn-host.js";

/** Options of one process of a turn, and its additions to the request. */
interface Part {
  readonly options: TurnHostOptions;
  changes?(store: Store): Partial<TurnRequest>;
  prepare?(host: TurnHost): Promise<void>;
}

/** Text of the last reply to `hello`, and the number of replies since. */
const replies = ({ prompt }: { prompt: readonly { role: string }[] }) =>
  prompt.filter(({ role }) => role === "assistant").length;

const TEN = "one two three four five six seven eight nine ten";

async function exchange(host: TurnHost, count: number): Promise<void> {
  const content = [{ type: "text" as const, text: TEN }];
  const { sessionId } = host;
  for (let index = 0; index < count; index += 1) {
    const spoken = { provider: "p", model: "m", stopReason: "stop", timestamp: 1 } as const;
    const messages = [
      { role: "user", content, timestamp: 1 },
      { role: "assistant", content, ...spoken },
    ] as const;
    for (const message of messages) {
      await host.store.messages.transcript.append({ sessionId, message: { ...message, content } });
    }
  }
}

const isSummary = (request: { prompt: readonly { role: string; content: unknown }[] }) =>
  request.prompt[0]?.role === "system" && String(request.prompt[0].content).includes("shorten");

const PARTS: Readonly<Record<string, () => Part>> = {
  "shortens its conversation before it is prepared": () => ({
    options: {
      contextLimits: { tokens: 240, threshold: 0.8 },
      script: (request) => ({ text: isSummary(request) ? "the summary" : "done" }),
    },
    prepare: (host) => exchange(host, 6),
  }),
  "shortens its conversation when the model finds it too long": () => ({
    options: {
      script: (request) => {
        if (isSummary(request)) return { text: "the summary" };
        const failure = { provider: "scripted", model: "script", detail: "too long" };
        const error = new ModelContextLengthError(failure, { used: 9, limit: 1 });
        return request.prompt.length > 10 ? { error } : { text: "done" };
      },
    },
    prepare: (host) => exchange(host, 8),
  }),
  "takes in messages on its way": () => {
    const sent = ["and this", "and that"];
    return {
      options: {
        script: (request) =>
          replies(request) === 0 ? calling("look") : { text: `done ${request.prompt.length}` },
        coreTools: [tool("look", { idempotent: true })],
      },
      changes: (store) => ({
        async takeSteering() {
          const taken = (await steps(store)).map((step) => "text" in step && step.text);
          const waiting = sent.filter((text) => !taken.includes(text));
          for (const text of waiting) {
            const step = { kind: "message-steered", steeredRunId: text, text } as const;
            await store.turns.journal.append({ runId: "run-1", step });
          }
          return waiting;
        },
      }),
    };
  },
  "is asked to reconsider a call once": () => ({
    options: {
      script: (request) =>
        replies(request) < 2 ? calling("look") : { text: `done ${request.prompt.length}` },
      coreTools: [tool("look", { idempotent: true })],
      plugins: [
        plugin("wary", (api) => {
          api.on("before_tool_call", () => ({ requestReconsideration: true, guidance: "Really?" }));
        }),
      ],
    },
  }),
  "has a call that nobody can approve": () => ({
    options: {
      script: (request) => (replies(request) === 0 ? calling("ask") : { text: "not done" }),
      coreTools: [tool("ask", { approval: "always" })],
    },
  }),
  "is answered by a plugin": () => ({
    options: {
      plugins: [
        plugin("clerk", (api) => {
          api.on("before_agent_reply", () => ({ handled: true, reply: { text: "from me" } }));
        }),
      ],
    },
  }),
  "is answered by the fallback of its model": () => ({
    options: {
      script: () => ({ error: { status: 503, message: "overloaded" } }),
      providers: [
        scriptedProvider("spare", () =>
          createScriptedModel((request) =>
            replies(request) === 0 ? calling("look") : { text: "done" },
          ),
        ),
      ],
      fallbacksOf: () => [{ ref: "spare/script", priority: 0 }],
      coreTools: [tool("look", { idempotent: true })],
    },
  }),
  "ends with a tool": () => ({
    options: {
      script: [calling("stop")],
      coreTools: [
        tool("stop", {
          idempotent: true,
          execute: () => ({ content: [{ type: "text", text: "over" }], terminate: true }),
        }),
      ],
    },
  }),
};

/** Runs a turn in one process; its commits are counted. */
async function whole(part: Part) {
  const host = await turnHost(part.options);
  await part.prepare?.(host);
  let commits = 0;
  const { store } = dyingStore(host.store, Number.POSITIVE_INFINITY, false, () => {
    commits += 1;
  });
  const request = host.request(part.changes?.(store));
  const outcome = await runTurn(request, { ...host.services, store }, host.pin);
  return { outcome, transcript: (await host.transcript()).map(textOf), commits };
}

async function steps(store: Store): Promise<readonly JournalStep[]> {
  return (await store.turns.journal.load("run-1")).map(({ step }) => step);
}

describe("turn that is killed at any commit, and", () => {
  it.each(Object.entries(PARTS))(
    "[TURN-054] %s, ends like an uninterrupted turn",
    async (_name, make) => {
      const { outcome, transcript, commits } = await whole(make());
      expect(outcome.status).toBe("completed");
      for (let point = 0; point < commits; point += 1) {
        for (const isCommitted of [false, true]) {
          const part = make();
          const first = await turnHost(part.options);
          await part.prepare?.(first);
          const { store, died } = dyingStore(first.store, point, isCommitted);
          const request = first.request(part.changes?.(store));
          void runTurn(request, { ...first.services, store }, first.pin);
          await died;
          const answered = (await steps(first.store)).filter(
            ({ kind }) => kind === "model-answered",
          ).length;

          const second = await turnHost({ ...part.options, store: first.store });
          const at = `killed at ${point}${isCommitted ? ", committed" : ""}`;
          expect(await second.run(part.changes?.(first.store)), at).toEqual(outcome);
          expect((await second.transcript()).map(textOf), at).toEqual(transcript);
          const all = (await steps(first.store)).filter(({ kind }) => kind === "model-answered");
          const failed = (await steps(first.store)).filter(({ kind }) => kind === "model-failed");
          expect(second.requests.length - failed.length, at).toBeLessThanOrEqual(
            all.length - answered,
          );
        }
      }
    },
  );
});

describe("call that may have run when the process ended", () => {
  /** A turn whose process ended while its tool ran. */
  async function cutOff(idempotent: boolean) {
    const ids: string[] = [];
    const started = deferred();
    let isStuck = true;
    const options: TurnHostOptions = {
      script: (request) =>
        replies(request) === 0
          ? { toolCalls: [{ toolName: "work", toolCallId: "call-x", params: { to: "you" } }] }
          : { text: "done" },
      coreTools: [
        tool("work", {
          idempotent,
          parameters: { type: "object", properties: { to: { type: "string" } } },
          async execute(toolCallId, params) {
            ids.push(`${toolCallId} ${JSON.stringify(params)}`);
            started.resolve();
            if (isStuck) await new Promise(() => {});
            return "worked";
          },
        }),
      ],
    };
    const first = await turnHost(options);
    void first.run();
    await started.promise;
    isStuck = false;
    const hooks: unknown[] = [];
    const second = await turnHost({
      ...options,
      store: first.store,
      plugins: [
        plugin("witness", (api) => {
          api.on("tool_error", ({ toolCallId, params, error }) => {
            hooks.push(["tool_error", toolCallId, params, error.code, error.kind]);
          });
          api.on("after_tool_call", ({ toolCallId, outcome, params }) => {
            hooks.push(["after_tool_call", toolCallId, params, outcome]);
          });
        }),
      ],
    });
    expect(await second.run()).toMatchObject({ status: "completed", text: "done" });
    const [answer] = await second.toolResults();
    return { ids, answer, second, hooks };
  }

  it("[TURN-055] runs again under its id when its tool is idempotent", async () => {
    const { ids, answer, hooks } = await cutOff(true);
    expect(hooks).toEqual([["after_tool_call", "call-x", { to: "you" }, "ok"]]);
    expect(ids).toEqual(['call-x {"to":"you"}', 'call-x {"to":"you"}']);
    expect(answer).toMatchObject({ isError: false, content: [{ text: "worked" }] });
  });

  it("[TURN-041] [TURN-055] is reported to the model and to hooks as unknown when it is not idempotent", async () => {
    const { ids, answer, second, hooks } = await cutOff(false);
    expect(hooks).toEqual([
      ["tool_error", "call-x", { to: "you" }, "TOOL_OUTCOME_UNKNOWN", "outcome-unknown"],
      ["after_tool_call", "call-x", { to: "you" }, "error"],
    ]);
    expect(ids).toEqual(['call-x {"to":"you"}']);
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^interrupted: outcome unknown/) }],
    });
    expect(JSON.stringify(second.requests.at(-1)?.prompt)).toContain("outcome unknown");
  });
});

describe("turn of a stopping host", () => {
  it("writes no further step, and continues when it is run again", async () => {
    const asked = deferred();
    const controller = new AbortController();
    const ended: string[] = [];
    const plugins = [
      plugin("witness", (api) => {
        api.on("agent_end", () => void ended.push("agent_end"));
      }),
    ];
    const first = await turnHost({
      plugins,
      script: () => {
        asked.resolve();
        return { waitFor: new Promise(() => {}) };
      },
    });
    const outcome = first.run({ signal: controller.signal });
    await asked.promise;
    controller.abort(new TurnSuspendedError());
    expect(await outcome).toEqual({ status: "suspended", text: "" });
    expect(ended).toEqual([]);
    expect(await first.transcript()).toMatchObject([{ role: "user" }]);

    const second = await turnHost({ store: first.store, plugins });
    expect(await second.run()).toMatchObject({ status: "completed", text: "done" });
    expect(ended).toEqual(["agent_end"]);
  });

  it("[TURN-012] [SCALE-022] records the plugins, configuration and policy it continues with", async () => {
    const first = await turnHost({ configRevision: "before", pluginRevision: "one" });
    const { store, died } = dyingStore(first.store, 2, false);
    void runTurn(first.request(), { ...first.services, store }, first.pin);
    await died;
    const second = await turnHost({
      ...{ store: first.store, configRevision: "after", pluginRevision: "two" },
    });
    await runTurn(first.request({ runId: "run-1" }), second.services, {
      ...second.pin,
      generation: 7,
    });
    const noted = (await steps(first.store)).filter(
      ({ kind }) => kind === "turn-prepared" || kind === "turn-resumed",
    );
    expect(noted).toMatchObject([
      {
        ...{ kind: "turn-prepared", generation: 1, configRevision: "before" },
        ...{ pluginRevision: "one", policyHash: first.services.policy.hash },
      },
      {
        ...{ kind: "turn-resumed", generation: 7, configRevision: "after" },
        ...{ pluginRevision: "two", policyHash: second.services.policy.hash },
      },
    ]);
  });
});
