import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { startTestGateway } from "../support/gateway.js";
import { scriptedProvider } from "../support/scripted-provider.js";

const REPLY = { text: "OK, all is well", usage: { input: 200, output: 50 } };
const WRONG_KEY = { error: { status: 401, message: "Incorrect API key provided: sk-wrong." } };

let folder: TemporaryFolder;
let gateway: Gateway;
let methods: MethodRegistry<GatewayMethods>;
let replies: (typeof REPLY | typeof WRONG_KEY)[] = [];
const model = createScriptedModel(() => replies.shift() ?? REPLY);

/** Providers: one that costs money and has a known price, one without a key. */
const providers: PluginDefinition = {
  id: "providers",
  register(api) {
    const paid = { ...scriptedProvider(model), paid: true, listModels: () => ["script", "other"] };
    api.registerProvider(paid);
    api.registerProvider({
      ...{ ...paid, id: "keyless", credential: undefined, setup: "set KEYLESS_API_KEY" },
      languageModel: () => {
        throw new Error("no key");
      },
    });
    api.registerTool({
      name: "ask",
      description: "Asks a model",
      parameters: { type: "object", properties: {} },
      execute: async () => ({ content: [], details: {} }),
    });
  },
};

beforeAll(async () => {
  folder = temporaryFolder();
  folder.write({
    "openclaw.json": JSON.stringify({
      models: {
        known: {
          "scripted/script": { price: { input: "10", output: "20" }, contextTokens: 1000 },
        },
        budget: { maxCostPerDayCents: 2, timeZone: "Asia/Tokyo" },
      },
      agents: { defaults: { budget: { maxCostUsd: 5 } } },
    }),
  });
  const environment = { MAX_ACTIONS_PER_HOUR: "100" };
  const options = { inlinePlugins: [providers], model: "scripted/script", environment };
  gateway = await startTestGateway(folder, options);
  methods = await gateway.methods();
});

afterAll(async () => {
  await gateway.stop("command");
  folder[Symbol.dispose]();
});

describe("models.list", () => {
  it("[LLM-029] describes known models, and leaves out what is not known", async () => {
    const { models, providers: listed } = await methods.call("models.list", {});
    expect(models).toContainEqual({
      model: "scripted/script",
      provider: "scripted",
      isDefault: true,
      price: { input: "10", output: "20" },
      contextTokens: 1000,
    });
    expect(models).toContainEqual({
      model: "scripted/other",
      provider: "scripted",
      isDefault: false,
    });
    expect(listed).toContainEqual(
      expect.objectContaining({ id: "keyless", ready: false, setup: "set KEYLESS_API_KEY" }),
    );
  });
});

describe("models.test", () => {
  it("[LLM-030] calls a model once, and returns and stores tokens and cost", async () => {
    const before = model.requests.length;
    expect(await methods.call("models.test", {})).toEqual({
      model: "scripted/script",
      isDemo: false,
      text: "OK, all is well",
      firstTokenMs: expect.any(Number),
      durationMs: expect.any(Number),
      usage: { input: 200, output: 50, total: 250, cost: { usd: "0.003", estimated: false } },
    });
    expect(model.requests).toHaveLength(before + 1);
    const { groups } = await methods.call("usage.query", { groupBy: "model" });
    expect(groups).toEqual([
      {
        key: "scripted/script",
        count: 1,
        inputTokens: 200,
        outputTokens: 50,
        totalTokens: 250,
        cacheReadTokens: 0,
        costUsd: "0.003",
        estimatedCalls: 0,
      },
    ]);
  });

  it("reports a wrong key in one sentence with the next step, after one request", async () => {
    const before = model.requests.length;
    replies = [WRONG_KEY, WRONG_KEY, WRONG_KEY];
    await expect(methods.call("models.test", {})).rejects.toMatchObject({
      code: "MODEL_AUTHENTICATION_FAILED",
    });
    expect(model.requests).toHaveLength(before + 1);
    replies = [];
    await expect(methods.call("models.test", { model: "keyless/x" })).rejects.toThrow(
      "set KEYLESS_API_KEY",
    );
    await expect(methods.call("models.test", { model: "scrip/x" })).rejects.toMatchObject({
      code: "MODEL_NOT_FOUND",
    });
  });

  it("[LLM-040] marks the demo model", async () => {
    const tested = await methods.call("models.test", { model: "demo/echo" });
    expect(tested).toMatchObject({ isDemo: true, usage: { cost: { usd: "0" } } });
  });

  it("[LLM-031] is rejected when a budget has no room", async () => {
    for (let call = 0; call < 4; call += 1) await methods.call("models.test", {});
    await expect(methods.call("models.test", {})).rejects.toMatchObject({
      code: "MODEL_BUDGET_EXHAUSTED",
      message: expect.stringMatching(/budget of today .* 00:00 Asia\/Tokyo/),
    });
  });
});

describe("models.status", () => {
  it("[LLM-031] shows the model, the reason of its choice, and the used part of each budget", async () => {
    const status = await methods.call("models.status", {});
    expect(status).toMatchObject({
      model: { model: "scripted/script", isDefault: true },
      source: "--model",
      paid: true,
      isDemo: false,
      timeZone: "Asia/Tokyo",
    });
    const shown = status.budgets.map(({ subject, unit, used, maximum, percent }) => [
      ...[subject, unit, used, maximum, percent],
    ]);
    expect(shown).toEqual([
      ["today", "cost", "0.015", "0.02", 75],
      ["an hour", "calls", expect.any(String), "100", expect.any(Number)],
      ["agent main", "cost", "0.015", "5", 0],
    ]);
    expect(status.budgets[0]?.resetsAt).toBeGreaterThan(Date.now());
  });
});
