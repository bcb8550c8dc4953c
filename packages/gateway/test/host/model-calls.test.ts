import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel, type ModelScript, type ScriptedModel } from "@openclaw/models";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { gate } from "../support/gate.js";
import { startTestGateway } from "../support/gateway.js";
import { createTestHost, message } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

const DOWN = { error: { status: 503, message: "overloaded" } };

/** A plugin with a provider for each model. */
function providers(models: Readonly<Record<string, ScriptedModel>>): PluginDefinition {
  return {
    id: "providers",
    register(api) {
      for (const [id, model] of Object.entries(models)) {
        api.registerProvider({ ...scriptedProvider(model), id, defaultModel: "m" });
      }
    },
  };
}

/** A gateway with scripted models, one for each provider, and a configuration that the test changes. */
async function gatewayOf(scripts: Readonly<Record<string, ModelScript>>, configuration: object) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const models = Object.fromEntries(
    Object.entries(scripts).map(([id, script]) => [
      id,
      createScriptedModel(script, { provider: id, modelId: "m" }),
    ]),
  );
  const file = join(folder.path, "openclaw.json");
  const configure = (value: object) => writeFileSync(file, JSON.stringify(value));
  configure(configuration);
  const start = async () => {
    const gateway = await startTestGateway(folder, { inlinePlugins: [providers(models)] });
    onTestFinished(() => gateway.stop("command"));
    const say = async (text: string, sessionKey = "agent:main:main") => {
      const idempotencyKey = randomUUID();
      const agentId = sessionKey.split(":")[1] ?? "main";
      const sent = message(text, { idempotencyKey, sessionKey, agentId });
      const outcome = await gateway.receive(sent);
      return "text" in outcome ? outcome.text : JSON.stringify(outcome);
    };
    return { gateway, say };
  };
  const calls = () =>
    Object.fromEntries(Object.entries(models).map(([id, model]) => [id, model.requests.length]));
  return { ...(await start()), start, configure, calls };
}

const MAIN = {
  agents: { defaults: { model: "main/m", fallbacks: ["spare/m"] } },
  models: { retry: { retries: 0 } },
};

describe("model calls of a gateway", () => {
  it("[LLM-024] keep cooldowns when the configuration changes, and forget them at a restart", async () => {
    const scene = await gatewayOf({ main: () => DOWN, spare: () => ({ text: "spare" }) }, MAIN);
    expect(await scene.say("hello")).toBe("spare");
    scene.configure({ ...MAIN, models: { ...MAIN.models, failover: { cooldownMs: 1 } } });
    expect(await scene.gateway.reloadConfiguration()).toMatchObject({
      outcome: "applied",
      applied: ["models.failover.cooldownMs"],
    });
    expect(await scene.say("hello")).toBe("spare");
    expect(scene.calls()).toEqual({ main: 1, spare: 2 });
    expect(await scene.say("/status")).toMatch(
      /^Not called: main\/m after 1 failure \(MODEL_REQUEST_FAILED\), \d+ s left$/m,
    );
    await scene.gateway.stop("command");
    const restarted = await scene.start();
    expect(await restarted.say("/status")).not.toContain("Not called");
    expect(await restarted.say("hello")).toBe("spare");
    expect(scene.calls()).toEqual({ main: 2, spare: 3 });
  });

  it("follow the configuration with which their turn started", async () => {
    const asked = gate();
    const reloaded = gate();
    const main: ModelScript = async () => {
      asked.pass();
      await reloaded.passed;
      return DOWN;
    };
    const scene = await gatewayOf(
      { main, spare: () => ({ text: "spare" }), other: () => ({ text: "other" }) },
      MAIN,
    );
    const reply = scene.say("hello");
    await asked.passed;
    scene.configure({ ...MAIN, agents: { defaults: { model: "main/m", fallbacks: ["other/m"] } } });
    expect(await scene.gateway.reloadConfiguration()).toMatchObject({ outcome: "applied" });
    reloaded.pass();
    expect(await reply).toBe("spare");
    expect(await scene.say("hello")).toBe("other");
  });

  it("use the fallbacks of the agent, else of the model, else of every agent, by priority", async () => {
    const failing = { a: () => DOWN, b: () => DOWN };
    const scene = await gatewayOf(
      { ...failing, c: () => ({ text: "c" }), d: () => ({ text: "d" }), e: () => ({ text: "e" }) },
      {
        agents: {
          defaults: { model: "a/m", fallbacks: ["c/m"] },
          main: {},
          second: { model: "b/m" },
          third: {
            fallbacks: [
              { model: "c/m", priority: 2 },
              { model: "e/m", priority: 1 },
            ],
          },
        },
        models: { retry: { retries: 0 }, fallbacks: { "b/m": ["d/m"] } },
      },
    );
    expect(await scene.say("hello")).toBe("c");
    expect(await scene.say("hello", "agent:second:main")).toBe("d");
    expect(await scene.say("hello", "agent:third:main")).toBe("e");
  });

  it("[LLM-034] may depend on the size of the message, unless a model was chosen", async () => {
    const replying =
      (name: string): ModelScript =>
      () => ({ text: name });
    const scripts = { main: replying("main"), small: replying("small"), big: replying("big") };
    const agents = { defaults: { model: "main/m" }, main: {}, fixed: { model: "main/m" } };
    const scene = await gatewayOf(scripts, { agents });
    expect(await scene.say("hi")).toBe("main");
    const models = { routing: { simple: "small/m", complex: "big/m" } };
    scene.configure({ agents, models });
    await scene.gateway.reloadConfiguration();
    expect(await scene.say("hi")).toBe("small");
    expect(await scene.say("please refactor this")).toBe("big");
    expect(await scene.say("x".repeat(500))).toBe("main");
    expect(await scene.say("hi", "agent:fixed:main")).toBe("main");
    await scene.say("/model big/m");
    expect(await scene.say("hi")).toBe("big");
  });

  it("[LLM-033] come from the cache for repeated requests without tools, when it is enabled", async () => {
    let replies = 0;
    const main: ModelScript = () => ({ text: `reply ${++replies}` });
    const configuration = { agents: { defaults: { model: "main/m" } }, tools: { deny: ["*"] } };
    const scene = await gatewayOf({ main }, configuration);
    expect(await scene.say("hello", "agent:main:one")).toBe("reply 1");
    expect(await scene.say("hello", "agent:main:two")).toBe("reply 2");
    scene.configure({ ...configuration, models: { cache: { enabled: true } } });
    await scene.gateway.reloadConfiguration();
    expect(await scene.say("hello", "agent:main:three")).toBe("reply 3");
    expect(await scene.say("hello", "agent:main:four")).toBe("reply 3");
    expect(await scene.say("hi", "agent:main:five")).toBe("reply 4");
  });
});

describe("clients of a conversation", () => {
  it("receive an event when another model replies", async () => {
    const published: [string, unknown][] = [];
    const spare = createScriptedModel([{ text: "spare" }]);
    const host = await createTestHost({
      script: () => DOWN,
      events: { publish: (name, payload) => void published.push([name, payload]) },
      plugins: [providers({ spare })],
      servicesNow: (services) => ({
        ...services,
        models: {
          ...services.models,
          resolve: (ref) =>
            ref === "spare/m"
              ? Promise.resolve({ ref, provider: "spare", modelId: "m", model: spare, paid: false })
              : services.models.resolve(ref),
        },
        fallbacksOf: () => [{ ref: "spare/m", priority: 0 }],
      }),
    });
    expect(await host.flow.receive(message("hello"), {})).toMatchObject({ text: "spare" });
    const shown = published.filter(([name]) => name.startsWith("chat."));
    expect(shown.map(([name]) => name)).toEqual([
      "chat.started",
      "chat.failover",
      "chat.delta",
      "chat.context",
      "chat.final",
    ]);
    expect(shown[1]?.[1]).toMatchObject({
      from: "scripted/script",
      to: "spare/m",
      errorCode: "MODEL_REQUEST_FAILED",
      runId: expect.any(String),
    });
  });

  it("[GW-684] receive the tokens of the last call and the size of the context window after each call", async () => {
    const published: [string, unknown][] = [];
    const host = await createTestHost({
      script: [
        { toolCalls: [{ toolName: "nope", params: {} }], usage: { input: 700, output: 50 } },
        { text: "done", usage: { input: 900, output: 100 } },
      ],
      events: { publish: (name, payload) => void published.push([name, payload]) },
    });
    await host.flow.receive(message("hello"), {});
    const shares = published.filter(([name]) => name === "chat.context");
    expect(shares.map(([, payload]) => payload)).toMatchObject([
      { model: "scripted/script", usedTokens: 750, windowTokens: 100_000 },
      { model: "scripted/script", usedTokens: 1000, windowTokens: 100_000 },
    ]);
  });

  it("[GW-684] receive an estimate when the provider counts no tokens", async () => {
    const published: [string, unknown][] = [];
    const host = await createTestHost({
      script: [{ text: "done", usage: { input: 0, output: 0 } }],
      events: { publish: (name, payload) => void published.push([name, payload]) },
    });
    await host.flow.receive(message("hello ".repeat(1000)), {});
    const [share] = published.flatMap(([name, payload]) =>
      name === "chat.context" ? [payload] : [],
    );
    expect(share).toMatchObject({ usedTokens: expect.any(Number), windowTokens: 100_000 });
    expect(Reflect.get(Object(share), "usedTokens")).toBeGreaterThan(1000);
  });
});
