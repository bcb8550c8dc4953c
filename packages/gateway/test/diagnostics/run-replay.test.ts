import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenClawConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel, type ModelScript } from "@openclaw/models";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRunReplayMethods } from "../../src/diagnostics/replay-methods.js";
import { type ReplayOptions, replayRun } from "../../src/diagnostics/run-replay.js";
import { openHost } from "../../src/host/host.js";
import { createRunMethods } from "../../src/methods/runs.js";
import { openStateFolder } from "../../src/state/folder.js";
import { openLog } from "../../src/state/log.js";
import { message } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

/** Plugin that takes part in every step of a replay. */
const helper: PluginDefinition = {
  id: "helper",
  register(api) {
    api.registerTool({
      name: "weather",
      description: "Tells the weather.",
      parameters: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
        additionalProperties: false,
      },
      execute: () => {
        effects += 1;
        return "sunny";
      },
    });
    api.on("before_prompt_build", () => ({ appendContext: "Answer in one sentence." }));
    api.on("before_tool_call", ({ toolName, params }) =>
      toolName === "weather"
        ? { params: { ...params, city: "Paris" }, guidance: "Celsius, please." }
        : undefined,
    );
    api.on("transform_response", ({ content }) => ({ content: content.trim() }));
  },
};
let effects = 0;

const SCRIPT: ModelScript = [
  { toolCalls: [{ toolName: "weather", params: { city: "London" } }] },
  { text: "It is sunny. " },
];

function provider(script: ModelScript): ModelProvider {
  const model = createScriptedModel(script);
  return scriptedProvider(model);
}

/** Returns a loaded configuration; policy reads its own keys of `tools`. */
function configured(value: OpenClawConfiguration & { tools?: Record<string, unknown> } = {}) {
  return { value, file: undefined, warnings: [], locate: () => undefined };
}

/** Returns the options of a replay, with a separate state folder. */
function options(changes: Partial<ReplayOptions> = {}): ReplayOptions {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return {
    version: "1.0.0",
    configuration: configured(),
    state: openStateFolder(join(folder.path, "state")),
    workspaceDir: "/nowhere",
    bundledExtensions: [],
    inlinePlugins: [helper],
    providers: [provider([])],
    environment: {},
    ...changes,
  };
}

/** Runs a message on a real host and returns its recording and its store. */
async function ran(text: string, changes: Partial<ReplayOptions> = {}) {
  const parts = options({ providers: [provider(SCRIPT)], ...changes });
  const store = await openStore({ file: ":memory:" });
  onTestFinished(() => store.close());
  const host = await openHost({
    ...parts,
    store,
    log: openLog(undefined, { level: "silent" }),
    model: "scripted/script",
  });
  onTestFinished(() => host.close("command"));
  await host.serve(0);
  host.attend({ channel: "test", show: () => undefined });
  host.approvals.onRequested(({ id }) => {
    const owner = { channel: "test", senderId: "owner", isOwner: true };
    void host.approvals.decide(id, { decision: "allow-once", via: "test" }, owner);
  });
  const outcome = await host.receive(message(text));
  if (outcome.status !== "replied") throw new Error(`expected a reply, got ${outcome.status}`);
  const { traces, forks } = host;
  const { runId } = outcome;
  const methods = createRunMethods({ store, traces, forks, now: Date.now });
  const recording = await methods.call("run.recording", { runId });
  return { recording, runId, store };
}

/** Runs a message on a real host and returns its recording. */
async function recorded(text: string, changes: Partial<ReplayOptions> = {}): Promise<object> {
  return (await ran(text, changes)).recording;
}

describe("replayRun", () => {
  it("[TURN-057] is identical with the same plugins, and has no side effects", async () => {
    const recording = await recorded("How is the weather?");
    expect(effects).toBe(1);
    expect(await replayRun(recording, options())).toMatchObject({ status: "identical" });
    expect(effects).toBe(1);
  });

  it("[TURN-057] reports the first step that other plugins or another configuration change", async () => {
    const recording = await recorded("How is the weather?");
    const louder: PluginDefinition = {
      id: "louder",
      register: (api) =>
        void api.on("transform_response", ({ content }) => ({ content: content.toUpperCase() })),
    };
    const report = async (changes: Partial<ReplayOptions>) =>
      await replayRun(recording, options(changes));
    expect(await report({ disabledPlugins: ["helper"] })).toMatchObject({
      status: "diverged",
      divergence: {
        step: 1,
        expected: {
          content: {
            prompt: { user: "How is the weather?\n\nAnswer in one sentence." },
            tools: expect.arrayContaining(["weather"]),
          },
        },
        got: { content: { prompt: { user: "How is the weather?" } } },
      },
    });
    expect(await report({ inlinePlugins: [helper, louder] })).toMatchObject({
      divergence: {
        expected: { kind: "turn-concluded", content: { text: "It is sunny." } },
        got: { kind: "turn-concluded", content: { text: "IT IS SUNNY." } },
      },
    });
    const configuration = configured({ tools: { deny: ["weather"] } });
    expect(await report({ configuration })).toMatchObject({
      divergence: { expected: { kind: "turn-prepared" }, got: { kind: "turn-prepared" } },
    });
    expect(effects).toBe(2);
  });

  it("denies external requests of plugins, and starts no plugin", async () => {
    const recording = await recorded("How is the weather?");
    const told: string[] = [];
    const reaching: PluginDefinition = {
      id: "reaching",
      register(api) {
        api.on("gateway_start", () => void told.push("started"));
        api.registerService({ id: "service", start: () => void told.push("service") });
        api.on("before_prompt_build", async () => {
          await api.runtime.system
            .runCommandWithTimeout?.(["touch", "/nowhere/file"], { timeoutMs: 1000 })
            .catch((error: { code: string }) => told.push(error.code));
          return undefined;
        });
      },
    };
    const report = await replayRun(recording, options({ inlinePlugins: [helper, reaching] }));
    expect(report.status).toBe("identical");
    expect(told).toEqual(["REPLAY_REACHES_OUTSIDE"]);
  });

  it("rejects a document that is not a recording", async () => {
    await expect(replayRun({}, options())).rejects.toMatchObject({ code: "RUN_NOT_REPLAYABLE" });
  });
});

describe("run.replay and run.whatIf", () => {
  it("[TURN-500] replays a stored run with the plugins of now, without effects", async () => {
    const { store, runId } = await ran("How is the weather?");
    const before = effects;
    const methods = createRunReplayMethods({ store, replayOptions: options });
    expect(await methods.call("run.replay", { runId })).toMatchObject({ status: "identical" });
    const without = createRunReplayMethods({
      store,
      replayOptions: () => options({ inlinePlugins: [] }),
    });
    expect(await without.call("run.replay", { runId })).toMatchObject({
      status: "diverged",
      divergence: { step: 1, expected: { kind: "turn-prepared" } },
    });
    await expect(methods.call("run.replay", { runId: "none" })).rejects.toMatchObject({
      code: "RUN_NOT_FOUND",
    });
    expect(effects).toBe(before);
  });

  it("[TURN-501] returns the calls and steps that a left-out plugin or a configuration changes", async () => {
    const { store, runId } = await ran("How is the weather?");
    const before = effects;
    const careful: PluginDefinition = {
      id: "careful",
      register: (api) =>
        void api.on("before_tool_call", () => ({ block: true, blockReason: "not today" })),
    };
    // The run took place without the plugin, so that its replay with it differs from the recording.
    const methods = createRunReplayMethods({
      store,
      replayOptions: () => options({ inlinePlugins: [helper, careful] }),
    });
    const unchanged = await methods.call("run.whatIf", { runId });
    expect(unchanged).toMatchObject({
      baseline: { status: "diverged" },
      flips: [],
      differences: [],
    });
    const released = await methods.call("run.whatIf", { runId, disabledPlugins: ["careful"] });
    expect(released.flips).toEqual([
      expect.objectContaining({ toolName: "weather", before: "denied", after: "ran" }),
    ]);
    expect(released.differences).toContainEqual(
      expect.objectContaining({ got: expect.objectContaining({ kind: "tool-intended" }) }),
    );
    const now = createRunReplayMethods({ store, replayOptions: options });
    const asked = await now.call("run.whatIf", {
      runId,
      configuration: { file: "other.json", text: '{"tools":{"approval":{"weather":"always"}}}' },
    });
    expect(asked).toMatchObject({
      baseline: { status: "identical" },
      flips: [{ toolName: "weather", before: "ran", after: "asked" }],
    });
    const denied = await now.call("run.whatIf", {
      runId,
      configuration: { file: "other.json", text: '{"tools":{"deny":["weather"]}}' },
    });
    expect(denied.flips).toMatchObject([{ toolName: "weather", before: "ran", after: "denied" }]);
    await expect(
      now.call("run.whatIf", { runId, configuration: { file: "a.json", text: '{"tols":1}' } }),
    ).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(effects).toBe(before);
  });
});

/** Configuration whose prompts contain no text of the product, so that the product's text may change. */
const LASTING = configured({
  agents: { defaults: { instructions: "You know the weather." } },
  tools: { allow: ["weather"], approval: { weather: "always" } },
});

describe("recordings of released versions", () => {
  const folder = join(import.meta.dirname, "../recordings");

  it.each(readdirSync(folder))(
    "[TURN-057] replays %s identically in every later version",
    async (name) => {
      const recording: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
      const report = await replayRun(recording, options({ configuration: LASTING }));
      expect(report).toMatchObject({ status: "identical" });
    },
  );
});
