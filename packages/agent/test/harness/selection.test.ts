import { createScriptedModel } from "@openclaw/models";
import type { AgentHarness } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it } from "vitest";
import type { AgentRuntimeChoice } from "../../src/index.js";
import { harnessOf } from "../support/harness-host.js";
import { plugin, scriptedProvider, turnHost } from "../support/turn-host.js";

const setting = "agents.defaults.agentRuntime.id";
const named = (id: string | undefined) => (): AgentRuntimeChoice => ({
  id,
  timeoutMs: undefined,
  setting,
});

/** Makes a plugin whose harness answers with its ID. */
function harness(id: string, changes: Partial<AgentHarness> = {}, provider?: string) {
  return plugin(`plugin-${id}`, (api) => {
    api.registerAgentHarness(harnessOf(() => ({ text: `${id} answered` }), { id, ...changes }));
    if (provider !== undefined) {
      api.registerProvider(scriptedProvider(provider, () => Promise.reject(new Error("not used"))));
    }
  });
}

const supports = (priority: number) => () => ({ supported: true as const, priority });
const refuses = (reason?: string) => () => ({
  supported: false as const,
  ...(reason === undefined ? {} : { reason }),
});

describe("selection of an agent harness", () => {
  it.each<[string, string | undefined, Parameters<typeof harness>[], string]>([
    ["the named one", "b", [["a"], ["b"]], "b answered"],
    ["no harness without a setting", undefined, [["a"]], "done"],
    ["the loop of the host by its name", "openclaw", [["a"]], "done"],
    ["the loop of the host by its older name", "pi", [["a"]], "done"],
    ["the first one with auto", "auto", [["a"], ["b"]], "a answered"],
    [
      "the one with the highest priority",
      "auto",
      [
        ["a", { supports: supports(1) }],
        ["b", { supports: supports(5) }],
      ],
      "b answered",
    ],
    [
      "the loop of the host when none supports the model",
      "auto",
      [["a", { supports: refuses() }]],
      "done",
    ],
    [
      "only one that considers the provider",
      "auto",
      [
        ["a", { autoSelection: { providerIds: [] } }],
        ["b", { autoSelection: { providerIds: ["scripted"] } }],
      ],
      "b answered",
    ],
  ])("[PLUG-701] runs turns with %s", async (_what, id, harnesses, text) => {
    const host = await turnHost({
      agentRuntimeOf: named(id),
      plugins: harnesses.map((each) => harness(...each)),
    });
    expect(await host.run()).toMatchObject({ status: "completed", text });
  });

  it("[PLUG-701] runs the models of its plugin without a setting", async () => {
    const answers = async () => createScriptedModel([{ text: "the model answered" }]);
    const host = await turnHost({
      providers: [scriptedProvider("native", answers), scriptedProvider("other", answers)],
      plugins: [harness("a", {}, "native")],
    });
    expect(await host.run({ model: "native/big" })).toMatchObject({ text: "a answered" });
    expect(await host.run({ model: "other/big" })).toMatchObject({ text: "the model answered" });
  });

  it("[PLUG-701] runs a model without a provider of the host when the setting names the harness", async () => {
    const host = await turnHost({ agentRuntimeOf: named("a"), plugins: [harness("a")] });
    expect(await host.run({ model: "nowhere/big" })).toMatchObject({ text: "a answered" });
    const other = await turnHost({ agentRuntimeOf: named("auto"), plugins: [harness("a")] });
    expect(await other.run({ model: "nowhere/big" })).toMatchObject({
      status: "failed",
      error: { code: "MODEL_NOT_FOUND" },
    });
  });

  it.each<[string, string, readonly string[], string]>([
    ["is missing", "codex", [], "no plugin registers one"],
    ["has another name", "codex", ["a", "b"], 'registered are "a", "b"'],
  ])(
    "[PLUG-701] fails the turn when the named harness %s",
    async (_what, id, harnesses, problem) => {
      const host = await turnHost({
        agentRuntimeOf: named(id),
        plugins: harnesses.map((each) => harness(each)),
      });
      const outcome = await host.run();
      expect(outcome).toMatchObject({
        status: "failed",
        error: { code: "AGENT_HARNESS_NOT_FOUND" },
      });
      const message = outcome.status === "failed" ? outcome.error.message : "";
      expect(message).toContain(`${setting} names the agent harness "codex"`);
      expect(message).toContain(problem);
      expect(message).toContain('set it to "openclaw" for the model loop of the host');
      expect(host.requests).toEqual([]);
    },
  );

  it("[PLUG-701] fails the turn when the named harness does not support the model", async () => {
    const host = await turnHost({
      agentRuntimeOf: named("a"),
      plugins: [harness("a", { supports: refuses("only for big ones") })],
    });
    expect(await host.run()).toMatchObject({
      status: "failed",
      error: {
        code: "AGENT_HARNESS_UNSUPPORTED",
        message: expect.stringContaining("does not run model scripted/script (only for big ones)"),
      },
    });
    expect(host.requests).toEqual([]);
  });

  it("[PLUG-701] logs a harness whose support cannot be asked, and asks the others", async () => {
    const broken = () => {
      throw new Error("not ready");
    };
    const host = await turnHost({
      agentRuntimeOf: named("auto"),
      plugins: [harness("a", { supports: broken }), harness("b")],
    });
    expect(await host.run()).toMatchObject({ text: "b answered" });
    expect(host.lines).toMatchObject([
      { level: "warn", fields: { code: "AGENT_HARNESS_NOT_ASKED", pluginId: "plugin-a" } },
    ]);
  });
});
