import {
  chainSettings,
  createScriptedModel,
  ModelChain,
  ModelHealth,
  ModelTable,
} from "@openclaw/models";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { contextWindowOf } from "../../src/conversation/context-window.js";
import {
  calling,
  fieldsOf,
  plugin,
  scriptedProvider,
  type TurnHost,
  tool,
  turnHost,
} from "../support/turn-host.js";

const known = (tokens: Readonly<Record<string, number>>) =>
  new ModelTable(
    Object.fromEntries(
      Object.entries(tokens).map(([ref, contextTokens]) => [ref, { contextTokens }]),
    ),
  );

async function talked(host: TurnHost, exchanges: number, text: string): Promise<void> {
  for (let index = 1; index <= exchanges; index += 1) {
    const content = (said: string) => [{ type: "text" as const, text: `${said}${index} ${text}` }];
    const messages: AgentMessage[] = [
      { role: "user", content: content("q"), timestamp: 1 },
      {
        role: "assistant",
        content: content("a"),
        provider: "p",
        model: "m",
        stopReason: "stop",
        timestamp: 1,
      },
    ];
    for (const message of messages)
      await host.store.messages.transcript.append({ sessionId: host.sessionId, message });
  }
}

describe("context window", () => {
  const gpt = { provider: "openai", modelId: "gpt-4.1" };
  const window = 1_047_576;

  it.each([
    [{}, undefined, { contextTokenBudget: window }],
    [
      { "openai/gpt-4.1": 8000 },
      undefined,
      {
        contextTokenBudget: 8000,
        contextWindowSource: "modelsConfig",
        contextWindowReferenceTokens: window,
      },
    ],
    [{ "openai/gpt-4.1": 2_000_000 }, undefined, { contextTokenBudget: 2_000_000 }],
    [
      { "openai/gpt-4.1": 8000 },
      5000,
      {
        contextTokenBudget: 5000,
        contextWindowSource: "agentContextTokens",
        contextWindowReferenceTokens: window,
      },
    ],
    [{ "openai/gpt-4.1": 8000 }, 9000, expect.objectContaining({ contextTokenBudget: 8000 })],
  ])(
    "[SUB-036] is the smallest of model, configuration %j and agent cap %j",
    (sizes, tokens, expected) => {
      const dependencies = { modelTable: known(sizes), contextLimits: { tokens, threshold: 0.8 } };
      expect(contextWindowOf(gpt, "main", dependencies)).toEqual(expected);
    },
  );

  it("[SUB-036] of an unknown model has 100,000 tokens, or the cap of the agent", () => {
    const model = { provider: "own", modelId: "m" };
    expect(contextWindowOf(model, "main", {})).toEqual({ contextTokenBudget: 100_000 });
    const contextLimits = { tokens: 200_000, ofAgents: { clerk: 4000 }, threshold: 0.8 };
    expect(contextWindowOf(model, "main", { contextLimits })).toEqual({
      contextTokenBudget: 200_000,
    });
    expect(contextWindowOf(model, "clerk", { contextLimits })).toEqual({
      contextTokenBudget: 4000,
      contextWindowSource: "agentContextTokens",
      contextWindowReferenceTokens: 100_000,
    });
  });

  it("[TURN-027] [TURN-480] is delivered to the hooks of the model, in events and contexts", async () => {
    const seen: Record<string, unknown>[] = [];
    const fields = ({
      contextTokenBudget,
      contextWindowSource,
      contextWindowReferenceTokens,
    }: Record<string, unknown>) => ({
      contextTokenBudget,
      contextWindowSource,
      contextWindowReferenceTokens,
    });
    const observer = plugin("observer", (api) => {
      api.registerHook(
        [
          "before_model_resolve",
          "before_prompt_build",
          "llm_input",
          "model_call_started",
          "model_call_ended",
          "llm_output",
        ],
        (event, context) => {
          seen.push({
            hook: context.hookName,
            event: fields(fieldsOf(event)),
            context: fields(fieldsOf(context)),
          });
        },
      );
    });
    const host = await turnHost({
      plugins: [observer],
      modelTable: known({ "scripted/script": 9000 }),
      contextLimits: { tokens: 5000, threshold: 0.8 },
    });
    await host.run();
    const all = {
      contextTokenBudget: 5000,
      contextWindowSource: "agentContextTokens",
      contextWindowReferenceTokens: 9000,
    };
    const none = fields({});
    expect(seen).toEqual([
      { hook: "before_model_resolve", event: none, context: none },
      { hook: "before_prompt_build", event: none, context: all },
      { hook: "llm_input", event: none, context: all },
      { hook: "model_call_started", event: all, context: all },
      { hook: "model_call_ended", event: all, context: all },
      { hook: "llm_output", event: { ...none, contextTokenBudget: 5000 }, context: all },
    ]);
  });
});

describe("a conversation that does not fit into the window of the model", () => {
  it("[SUB-036] [TURN-481] is sent without its oldest exchanges, system prompt and tools counted", async () => {
    const host = await turnHost({ modelTable: known({ "scripted/script": 8000 }) });
    // Five exchanges of 9,000 characters: compaction keeps three, which is still too much.
    await talked(host, 5, "word ".repeat(900));
    expect(await host.run({ instructions: "rule ".repeat(2000) })).toMatchObject({
      status: "completed",
    });
    const [request] = host.requests;
    const sent = JSON.stringify(request?.prompt);
    expect(sent.length).toBeLessThan(8000 * 4);
    expect(sent).toContain("q5");
    expect(sent).toContain("hello");
    expect(sent).not.toContain("q3");
    expect(await host.transcript()).toHaveLength(12);
    expect(host.lines).toContainEqual(
      expect.objectContaining({
        level: "warn",
        fields: expect.objectContaining({ code: "CONTEXT_CAPPED" }),
      }),
    );
  });

  it.each([
    ["has a long instruction", { instructions: "rule ".repeat(2800) }, 1, true],
    ["has the definitions of many tools", {}, 40, true],
    ["has those of few", {}, 1, false],
  ])(
    "[TURN-960] is summarised, not cut, when the request %s",
    async (_what, asked, tools, isSummarised) => {
      const description = "what it does ".repeat(20);
      const host = await turnHost({
        modelTable: known({ "scripted/script": 8000 }),
        coreTools: Array.from({ length: tools }, (_, index) =>
          tool(`tool_${index}`, { description }),
        ),
        script: (request) =>
          JSON.stringify(request.prompt).includes("Summarise the conversation")
            ? { text: "They talked." }
            : { text: "done" },
      });
      // About 4,900 tokens: 61 % of the window.
      await talked(host, 8, "word ".repeat(230));
      expect(await host.run(asked)).toMatchObject({ status: "completed", text: "done" });
      const sent = JSON.stringify(host.requests.at(-1)?.prompt);
      expect(sent.includes("They talked.")).toBe(isSummarised);
      expect(sent.includes("q1 ")).toBe(!isSummarised);
      expect(sent).toContain("q8 ");
      expect(host.lines).not.toContainEqual(
        expect.objectContaining({ fields: expect.objectContaining({ code: "CONTEXT_CAPPED" }) }),
      );
    },
  );

  it("[TURN-960] is summarised, not cut, when it has few long exchanges", async () => {
    const host = await turnHost({
      modelTable: known({ "scripted/script": 8000 }),
      script: [{ text: "They talked." }, { text: "done" }],
    });
    // Four exchanges of 1,750 tokens: 88 % of the window, and more than one without room for a reply.
    await talked(host, 4, "word ".repeat(670));
    await host.run({ instructions: "rule ".repeat(500) });
    const sent = JSON.stringify(host.requests.at(-1)?.prompt);
    expect(sent).toContain("They talked.");
    expect(sent).toContain("q4 ");
    expect(sent).not.toContain("q1 ");
  });

  it("[TURN-960] does not count the definitions of tools that policy denies", async () => {
    const description = "what it does ".repeat(20);
    const host = await turnHost({
      modelTable: known({ "scripted/script": 8000 }),
      layers: [{ layer: "global", deny: ["*"] }],
      coreTools: Array.from({ length: 40 }, (_, index) => tool(`tool_${index}`, { description })),
    });
    await talked(host, 8, "word ".repeat(230));
    await host.run();
    expect(host.requests).toHaveLength(1);
    expect(JSON.stringify(host.requests[0]?.prompt)).toContain("q1 ");
  });

  it("[TURN-481] is cut for a fallback with a smaller window, with the window of that model in its hooks", async () => {
    const small = createScriptedModel([{ text: "small" }]);
    const budgets: unknown[] = [];
    const observer = plugin("observer", (api) => {
      api.on("model_call_started", ({ model, contextTokenBudget }) => {
        budgets.push([model, contextTokenBudget]);
      });
    });
    const host = await turnHost({
      plugins: [observer],
      script: [{ error: { status: 503, message: "down" } }],
      providers: [scriptedProvider("small", () => small)],
      modelTable: known({ "scripted/script": 50_000, "small/script": 4000 }),
      fallbacksOf: () => [{ ref: "small/script", priority: 1 }],
      modelChain: new ModelChain({
        health: new ModelHealth(),
        settings: chainSettings({ retry: { retries: 0 } }),
      }),
    });
    await talked(host, 4, "word ".repeat(900));
    expect(await host.run()).toMatchObject({ status: "completed", text: "small" });
    expect(JSON.stringify(host.requests[0]?.prompt)).toContain("q1");
    const sent = JSON.stringify(small.requests[0]?.prompt);
    expect(sent).toContain("q4");
    expect(sent).not.toContain("q3");
    expect(budgets).toEqual([
      ["script", 50_000],
      ["script", 4000],
    ]);
  });

  it("[TURN-481] loses the oldest tool results of the turn, but never those that the model has not seen", async () => {
    const reader = plugin("reader", (api) => {
      let read = 0;
      api.registerTool(tool("read_it", { execute: () => `page${++read} ${"word ".repeat(1500)}` }));
    });
    const host = await turnHost({
      plugins: [reader],
      modelTable: known({ "scripted/script": 5000 }),
      script: [calling("read_it"), calling("read_it"), calling("read_it"), { text: "done" }],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    const last = JSON.stringify(host.requests.at(-1)?.prompt);
    expect(last).not.toContain("page1");
    expect(last).toContain("left out");
    expect(last).toContain("page3");
    expect(JSON.stringify(await host.transcript())).toContain("page1");
  });

  it("[SUB-036] [TURN-481] counts images, of which a small window has room for few", async () => {
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    let seen = 0;
    const camera = plugin("camera", (api) => {
      api.registerTool(
        tool("look", {
          execute: () => ({ content: [{ type: "text", text: `view${++seen}` }, image, image] }),
        }),
      );
    });
    const host = await turnHost({
      plugins: [camera],
      modelTable: known({ "scripted/script": 4000 }),
      script: [calling("look"), calling("look"), calling("look"), { text: "done" }],
    });
    expect(await host.run()).toMatchObject({ status: "completed", text: "done" });
    const last = JSON.stringify(host.requests.at(-1)?.prompt);
    expect(last).not.toContain("view1");
    expect(last).toContain("view3");
  });

  it.each([
    ["Chinese", "预算会议".repeat(500)],
    ["Japanese", "これはテストです".repeat(250)],
    ["Korean", "회의를 시작합니다 ".repeat(250)],
    ["Thai", "ประชุมงบประมาณ".repeat(150)],
  ])("[SUB-036] is counted by characters in %s", async (_language, text) => {
    const host = await turnHost({ modelTable: known({ "scripted/script": 8000 }) });
    await talked(host, 4, text);
    await host.run();
    const sent = JSON.stringify(host.requests[0]?.prompt);
    expect(sent).toContain("q4");
    expect(sent).not.toContain("q2");
  });
});
