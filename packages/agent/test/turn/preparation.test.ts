import { createScriptedModel, ModelNotFoundError } from "@openclaw/models";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import {
  calling,
  fieldsOf,
  NOW,
  plugin,
  scriptedProvider,
  textOf,
  tool,
  turnHost,
  watcher,
} from "../support/turn-host.js";

const user = (text: string): AgentMessage => ({
  role: "user",
  content: [{ type: "text", text }],
  timestamp: NOW,
});

/** Returns the messages sent to the model, as `[role, text]`. */
function sent(request: { prompt: readonly unknown[] } | undefined): [string, string][] {
  const messages = request?.prompt as { role: string; content: unknown }[] | undefined;
  return (messages ?? []).map(({ role, content }) => [
    role,
    typeof content === "string" ? content : textOf({ content } as AgentMessage),
  ]);
}

describe("turn prompt", () => {
  it("contains the built-in system prompt and the user's text", async () => {
    const host = await turnHost();
    await host.run({ text: "what is new?" });
    const [system, question] = sent(host.requests[0]);
    expect(system?.[1]).toContain("Your workspace is /workspace");
    expect(question).toEqual(["user", "what is new?"]);
  });

  it("has the agent's instructions instead of the built-in ones, followed by the caller's", async () => {
    const host = await turnHost();
    await host.run({ instructions: "Be brief.", extraInstructions: "Answer in French." });
    expect(sent(host.requests[0])[0]).toEqual(["system", "Be brief.\n\nAnswer in French."]);
  });

  it("[TURN-018] [TURN-019] [TURN-021] contains the additions of hooks: before_agent_start first, and the system prompt it returns", async () => {
    const host = await turnHost({
      plugins: [
        plugin("builder", (api) => {
          api.on("before_prompt_build", () => ({
            systemPrompt: "built",
            prependContext: "b-before",
            appendContext: "b-after",
            prependSystemContext: "b-first",
            appendSystemContext: "b-last",
          }));
          api.on("before_agent_start", () => ({
            systemPrompt: "started",
            prependContext: "s-before",
            appendContext: "s-after",
            prependSystemContext: "s-first",
            appendSystemContext: "s-last",
          }));
        }),
      ],
    });
    await host.run({ text: "hi", extraInstructions: "caller" });
    expect(sent(host.requests[0])).toEqual([
      ["system", "s-first\n\nb-first\n\nstarted\n\ns-last\n\nb-last\n\ncaller"],
      ["user", "s-before\n\nb-before\n\nhi\n\ns-after\n\nb-after"],
    ]);
    expect(textOf((await host.transcript())[0])).toBe("hi");
  });

  it("[TURN-023] is passed to the gate", async () => {
    const seen: unknown[] = [];
    const host = await turnHost({
      plugins: [
        plugin("gate", (api) => {
          api.on("before_prompt_build", () => ({ prependContext: "context" }));
          api.on("before_agent_run", (event) => void seen.push(fieldsOf(event)));
        }),
      ],
    });
    await host.run({ text: "hi", instructions: "system", history: [user("before")] });
    expect(seen).toEqual([
      { prompt: "context\n\nhi", systemPrompt: "system", messages: [user("before")] },
    ]);
  });
});

describe("conversation of a turn", () => {
  it("continues from the transcript", async () => {
    const host = await turnHost({ script: [{ text: "one" }, { text: "two" }] });
    await host.run({ text: "first", instructions: "" });
    await host.run({ text: "second", instructions: "" });
    expect(sent(host.requests[1])).toEqual([
      ["user", "first"],
      ["assistant", "one"],
      ["user", "second"],
    ]);
  });

  it("[TURN-013] [TURN-018] [TURN-019] is passed to the hooks before the prompt is built", async () => {
    const seen: [string, unknown][] = [];
    const host = await turnHost({
      plugins: [
        plugin("reader", (api) => {
          api.on("before_model_resolve", (event) => void seen.push(["resolve", fieldsOf(event)]));
          api.on("before_agent_start", (event) => void seen.push(["start", fieldsOf(event)]));
          api.on("before_prompt_build", (event) => void seen.push(["build", fieldsOf(event)]));
        }),
      ],
    });
    await host.run({ text: "hi", history: [user("before")] });
    expect(seen).toEqual([
      ["resolve", { prompt: "hi" }],
      ["start", { prompt: "hi", messages: [user("before")], runId: "run-1" }],
      ["build", { prompt: "hi", messages: [user("before")], currentUserMessage: "hi" }],
    ]);
  });

  it("comes from the caller if given; the turn is still written", async () => {
    const host = await turnHost({ script: [{ text: "one" }, { text: "two" }, { text: "three" }] });
    await host.run({ text: "first" });
    await host.run({ text: "second", instructions: "", history: [user("brought along")] });
    expect(sent(host.requests[1])).toEqual([
      ["user", "brought along"],
      ["user", "second"],
    ]);
    await host.run({ text: "third", history: [] });
    expect(sent(host.requests[2]).slice(1)).toEqual([["user", "third"]]);
    expect((await host.transcript()).map(textOf)).toEqual([
      ...["first", "one", "second", "two", "third", "three"],
    ]);
  });

  it("from the caller can contain calls without a result", async () => {
    const call: AgentMessage = {
      role: "assistant",
      content: [{ type: "toolCall", toolCallId: "call-1", toolName: "work", params: {} }],
      provider: "scripted",
      model: "script",
      stopReason: "tool-calls",
      timestamp: NOW,
    };
    const host = await turnHost({
      script: [calling("work"), { text: "done" }],
      coreTools: [tool("work")],
    });
    expect(await host.run({ history: [user("go"), call] })).toMatchObject({ text: "done" });
    expect(host.requests[0]?.prompt.map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "user"],
    ]);
    expect((await host.toolResults())[0]?.toolCallId).not.toBe("call-1");
  });

  it("from the caller is not frozen by hooks", async () => {
    const host = await turnHost({
      plugins: [
        plugin("reader", (api) => {
          api.on("before_prompt_build", ({ messages }) => void messages.length);
          api.on("llm_input", ({ historyMessages }) => void historyMessages.length);
        }),
      ],
    });
    const history = [user("before")];
    await host.run({ history });
    expect(Object.isFrozen(history[0])).toBe(false);
    expect(Object.isFrozen(history)).toBe(false);
  });
});

describe("files of a message", () => {
  it("[TURN-013] [TURN-023] are passed to hooks before the model is resolved, and only their images to the gate", async () => {
    const seen: unknown[] = [];
    const host = await turnHost({
      plugins: [
        plugin("reader", (api) => {
          api.on("before_model_resolve", (event) => void seen.push(fieldsOf(event)));
          api.on("before_agent_run", ({ images }) => void seen.push(images));
          api.on("before_agent_reply", ({ attachments }) => void seen.push(attachments));
        }),
      ],
    });
    const photo = { mimeType: "image/png", bytes: 10, name: "photo.png" };
    const letter = { mimeType: "application/pdf", bytes: 20 };
    await host.run({ text: "hi", attachments: [photo, letter] });
    expect(seen).toEqual([
      { prompt: "hi", attachments: [photo, letter] },
      [photo],
      [photo, letter],
    ]);
  });
});

describe("preparation order", () => {
  it("[TURN-013] [TURN-016] [TURN-018] [TURN-019] [TURN-023] [TURN-025] follows the contract", async () => {
    const order: string[] = [];
    const note = (name: string) => void order.push(name);
    const models = scriptedProvider("watched", () => {
      note("model resolved");
      return createScriptedModel([{ text: "done" }]);
    });
    const host = await turnHost({
      providers: [models],
      plugins: [
        plugin("factory", (api) =>
          api.registerTool(() => {
            note("tool set");
            return tool("made");
          }),
        ),
        watcher(order, [
          "before_model_resolve",
          "before_agent_start",
          "agent_turn_prepare",
          "before_prompt_build",
          "before_agent_run",
          "before_message_write",
          "before_agent_reply",
          "llm_input",
        ]),
      ],
    });
    await host.run({ model: "watched/script" });
    expect(order.slice(0, order.indexOf("llm_input") + 1)).toEqual([
      "before_model_resolve",
      "before_agent_start",
      "model resolved",
      "tool set",
      "agent_turn_prepare",
      "before_prompt_build",
      "before_agent_run",
      "before_message_write",
      "before_agent_reply",
      "llm_input",
    ]);
  });
});

describe("model of a turn", () => {
  /** Opens a host with two providers and a plugin that returns a given override. */
  async function wishing(
    wishes: { resolve?: Record<string, string>; start?: Record<string, string> },
    changes: { model?: string } = {},
  ) {
    const asked: string[] = [];
    const other = scriptedProvider("other", (modelId) => {
      if (modelId === "missing") throw new ModelNotFoundError("other/missing", "no such model", []);
      asked.push(modelId);
      return createScriptedModel(() => ({ text: "from the other" }));
    });
    const host = await turnHost({
      script: () => ({ text: "from the first" }),
      providers: [other],
      plugins: [
        plugin("wisher", (api) => {
          const { resolve, start } = wishes;
          if (resolve !== undefined) api.on("before_model_resolve", () => resolve);
          if (start !== undefined) api.on("before_agent_start", () => start);
        }),
      ],
    });
    const outcome = await host.run(changes);
    const [started] = host.events;
    const model = started?.type === "started" ? started.model : undefined;
    return { outcome, model, asked, lines: host.lines };
  }

  it("is the routed one without an override", async () => {
    expect(await wishing({})).toMatchObject({ model: "scripted/script", asked: [] });
  });

  it.each<[string, Record<string, string>, string]>([
    ["a provider, by its default model", { providerOverride: "other" }, "other/script"],
    ["a model of the routed provider", { modelOverride: "large" }, "scripted/large"],
    ["a model by its full name", { modelOverride: "other/large" }, "other/large"],
    ["both", { providerOverride: "other", modelOverride: "large" }, "other/large"],
  ])("can be overridden as %s", async (_what, resolve, model) => {
    expect(await wishing({ resolve })).toMatchObject({ model, outcome: { status: "completed" } });
    expect(await wishing({ start: resolve })).toMatchObject({ model });
  });

  it("is of the routed provider when an override names none, regardless of the default", async () => {
    const wishes = { resolve: { modelOverride: "large" } };
    const { model, asked } = await wishing(wishes, { model: "other/small" });
    expect(model).toBe("other/large");
    expect(asked).toEqual(["large"]);
  });

  it("is of the default provider when neither override nor route names one", async () => {
    const { model } = await wishing({ resolve: { modelOverride: "large" } }, { model: "script" });
    expect(model).toBe("scripted/large");
  });

  it("[TURN-013] [TURN-019] [LLM-036] follows before_model_resolve, each field separately", async () => {
    const resolve = { providerOverride: "other" };
    const start = { providerOverride: "scripted", modelOverride: "large" };
    expect(await wishing({ resolve, start })).toMatchObject({ model: "other/large" });
  });

  it.each<[string, Record<string, string>]>([
    ["no such provider", { providerOverride: "nobody" }],
    ["no such model", { providerOverride: "other", modelOverride: "missing" }],
  ])(
    "[TURN-013] [LLM-036] is the routed one when there is %s, with a warning in the log",
    async (_what, resolve) => {
      const { model, outcome, lines } = await wishing({ resolve });
      expect({ model, outcome }).toMatchObject({
        model: "scripted/script",
        outcome: { status: "completed", text: "from the first" },
      });
      expect(lines).toMatchObject([
        {
          level: "warn",
          message: expect.stringContaining("a plugin requested a model that cannot be used: "),
          fields: { code: "MODEL_OVERRIDE_UNKNOWN", runId: "run-1" },
        },
      ]);
    },
  );

  it("[LLM-036] is the first defined override by priority", async () => {
    const override = (id: string, priority: number, modelOverride?: string) =>
      plugin(id, (api) => {
        const result = modelOverride === undefined ? {} : { modelOverride };
        api.on("before_model_resolve", () => result, { priority });
      });
    const host = await turnHost({
      plugins: [override("low", 1, "small"), override("silent", 9), override("high", 5, "large")],
    });
    await host.run();
    expect(host.events[0]).toMatchObject({ type: "started", model: "scripted/large" });
  });

  it("fails the turn when the routed one does not exist", async () => {
    const host = await turnHost();
    expect(await host.run({ model: "nobody/nothing" })).toMatchObject({
      status: "failed",
      error: { code: "MODEL_NOT_FOUND", stage: "model", retryable: false },
    });
    expect(await host.transcript()).toEqual([]);
  });
});

describe("tool set of a turn", () => {
  /** The tools offered when plugins allow these lists. */
  async function offeredWith(...lists: (string[] | undefined)[]) {
    const host = await turnHost({
      script: [calling("exec"), { text: "done" }],
      coreTools: [tool("read"), tool("exec")],
      plugins: lists.map((toolsAllow, index) =>
        plugin(`narrower-${index}`, (api) => {
          api.on("before_prompt_build", () => (toolsAllow === undefined ? {} : { toolsAllow }));
        }),
      ),
    });
    await host.run();
    const names = (host.requests[0]?.tools ?? []).map(({ name }) => name);
    return { names, answer: textOf((await host.toolResults())[0]) };
  }

  it("contains every tool that policy allows when no list is given", async () => {
    expect(await offeredWith(undefined)).toEqual({ names: ["read", "exec"], answer: "exec ran" });
  });

  it.each<[string, string[][], string[]]>([
    ["by a list", [["read"]], ["read"]],
    ["by what several lists have in common", [["read", "exec"], ["read"]], ["read"]],
    ["to nothing by an empty list", [[]], []],
    ["to nothing by lists without a common tool", [["read"], ["exec"]], []],
  ])("[TURN-018] is narrowed %s", async (_what, lists, names) => {
    const answer = "Tool exec is not allowed here (run: not in the run's tool list)";
    expect(await offeredWith(...lists)).toEqual({ names, answer });
  });
});
