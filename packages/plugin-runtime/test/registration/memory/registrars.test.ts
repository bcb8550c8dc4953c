import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { createTestHost, plugin } from "../../support/host.js";

const oldPrompt = () => "old";
const newPrompt = () => "new";
const oldPlan = () => ({ prompt: "old" });
const newPlan = () => ({ prompt: "new" });

const older = (api: OpenClawPluginApi) => {
  api.registerMemoryPromptSection(oldPrompt);
  api.registerMemoryFlushPlan(oldPlan);
  api.registerMemoryRuntime({ style: "old" });
};
const newer = (api: OpenClawPluginApi) => {
  api.registerMemoryCapability({
    promptBuilder: newPrompt,
    flushPlanResolver: newPlan,
    runtime: { style: "new" },
    publicArtifacts: { files: [] },
  });
};

describe("registration methods of older plugins", () => {
  it.each<[string, (api: OpenClawPluginApi) => void]>([
    [
      "the older style first",
      (api) => {
        older(api);
        newer(api);
      },
    ],
    [
      "the newer style first",
      (api) => {
        newer(api);
        older(api);
      },
    ],
    ["the newer style alone", newer],
  ])("have the same effect in both styles of memory, %s", async (_order, register) => {
    const { runtime } = createTestHost([plugin(register)]);
    const { memory } = await runtime.load();
    expect(memory.map(({ part, value }) => [part, value])).toEqual([
      ["promptBuilder", newPrompt],
      ["flushPlanResolver", newPlan],
      ["runtime", { style: "new" }],
      ["publicArtifacts", { files: [] }],
    ]);
  });

  it("[PLUG-056] exist in full, have the same effect in both styles, and are reported when the host ignores them", async () => {
    const { runtime } = createTestHost([
      plugin((api) => {
        older(api);
        newer(api);
        api.registerMemoryEmbeddingProvider({ id: "local" });
        api.registerMemoryEmbeddingProvider({ id: "remote" });
        api.registerMemoryPromptSupplement(() => "more");
        api.registerMemoryCorpusSupplement({ id: "wiki" });
        api.registerContextEngine("short", () => ({ assemble: () => ({ messages: [] }) }));
        api.registerCompactionProvider({ id: "brief", summarize: () => "" });
        api.registerAgentToolResultMiddleware(() => undefined);
        api.registerToolMetadata({ toolName: "find", risk: "low" });
        api.registerReload({ restartPrefixes: ["port"] });
        api.registerInteractiveHandler({ channel: "telegram", namespace: "x", handler: () => {} });
      }),
    ]);
    const generation = await runtime.load();
    expect(generation.plugins[0]?.status).toBe("loaded");
    expect(generation.memory.map(({ part }) => part)).toEqual([
      "promptBuilder",
      "flushPlanResolver",
      "runtime",
      "publicArtifacts",
      "embeddingProvider",
      "embeddingProvider",
      "promptSupplement",
      "corpusSupplement",
    ]);
    expect(generation.memory[0]?.value).toBe(newPrompt);
    expect(generation).toMatchObject({
      contextEngines: [{ id: "short" }],
      compactionProviders: [{ provider: { id: "brief" } }],
      toolResultMiddlewares: [{ pluginId: "guard" }],
      toolMetadata: [{ metadata: { toolName: "find" } }],
      reloadRules: [{ rules: { restartPrefixes: ["port"] } }],
      interactiveHandlers: [{ handler: { namespace: "x" } }],
    });
    const told = generation.diagnostics.map(({ code, message }) => [
      code,
      /api\.(\w+)/.exec(message)?.[1],
    ]);
    expect(told).toEqual(
      [
        "registerMemoryRuntime",
        "registerMemoryCapability",
        "registerMemoryCapability",
        "registerMemoryEmbeddingProvider",
        "registerMemoryEmbeddingProvider",
        "registerMemoryCorpusSupplement",
        "registerContextEngine",
        "registerCompactionProvider",
        "registerAgentToolResultMiddleware",
        "registerToolMetadata",
        "registerReload",
        "registerInteractiveHandler",
      ].map((member) => ["accepted-not-used", member]),
    );
  });

  it.each<[string, (api: OpenClawPluginApi) => void, string]>([
    ["a capability", (api) => api.registerMemoryCapability(1 as never), "capability"],
    [
      "a prompt builder",
      (api) => api.registerMemoryCapability({ promptBuilder: 1 as never }),
      "promptBuilder",
    ],
    [
      "a flush plan",
      (api) => api.registerMemoryCapability({ flushPlanResolver: 1 as never }),
      "flushPlanResolver",
    ],
    ["a runtime", (api) => api.registerMemoryCapability({ runtime: 1 as never }), "runtime"],
    [
      "artifacts",
      (api) => api.registerMemoryCapability({ publicArtifacts: 1 as never }),
      "publicArtifacts",
    ],
    ["a section", (api) => api.registerMemoryPromptSection(1 as never), "builder"],
    ["a plan", (api) => api.registerMemoryFlushPlan(1 as never), "resolver"],
    ["an older runtime", (api) => api.registerMemoryRuntime(1 as never), "runtime"],
    ["a provider", (api) => api.registerMemoryEmbeddingProvider(1 as never), "provider"],
    ["a later provider", (api) => api.registerEmbeddingProvider(1 as never), "provider"],
    ["a prompt supplement", (api) => api.registerMemoryPromptSupplement(1 as never), "builder"],
    ["a corpus supplement", (api) => api.registerMemoryCorpusSupplement(1 as never), "supplement"],
  ])("reject a value that is not %s", async (_what, register, argument) => {
    const { runtime } = createTestHost([plugin(register)]);
    const { diagnostics, memory } = await runtime.load();
    expect(memory).toEqual([]);
    expect(diagnostics.at(-1)?.message).toContain(`with a wrong ${argument}: expected`);
  });
});
