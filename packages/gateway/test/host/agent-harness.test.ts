import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { AgentHarness } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it, onTestFinished } from "vitest";
import { gate } from "../support/gate.js";
import { startTestGateway } from "../support/gateway.js";
import { createTestHost, message, OWNER } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

/** Makes a plugin whose harness says which one ran, with its model. */
function harnesses(...ids: string[]): PluginDefinition {
  const runAttempt: (id: string) => AgentHarness["runAttempt"] =
    (id) =>
    async ({ provider, modelId }) => ({ text: `${id} ran ${provider}/${modelId}` });
  return {
    id: "harnesses",
    register(api) {
      for (const id of ids) {
        const supports = () => ({ supported: true as const });
        api.registerAgentHarness({ id, supports, runAttempt: runAttempt(id) });
      }
    },
  };
}

/** A gateway with two providers of models and the harnesses `one` and `two`. */
async function gatewayWith(
  configuration: object,
  environment: NodeJS.ProcessEnv = {},
  plugin = harnesses("one", "two"),
) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  writeFileSync(join(folder.path, "openclaw.json"), JSON.stringify(configuration));
  const providers = ["main", "spare"].map((id) => ({
    ...scriptedProvider(createScriptedModel(() => ({ text: `the loop ran ${id}` }))),
    id,
    defaultModel: "m",
  }));
  const gateway = await startTestGateway(folder, {
    inlinePlugins: [
      plugin,
      {
        id: "providers",
        register: (api) => providers.forEach((each) => void api.registerProvider(each)),
      },
    ],
    environment,
  });
  onTestFinished(() => gateway.stop("command"));
  const say = async (changes: Partial<Parameters<typeof message>[1]> = {}) => {
    const sent = message("hello", { idempotencyKey: randomUUID(), ...changes });
    const outcome = await gateway.receive(sent);
    return "text" in outcome ? outcome.text : JSON.stringify(outcome);
  };
  return { gateway, say };
}

const defaults = { model: "main/m" };

describe("agent runtime of the configuration", () => {
  it.each<[string, object, NodeJS.ProcessEnv, string]>([
    ["nothing", { agents: { defaults } }, {}, "the loop ran main"],
    [
      "the defaults",
      { agents: { defaults: { ...defaults, agentRuntime: { id: "one" } } } },
      {},
      "one ran main/m",
    ],
    [
      "the variable over the defaults",
      { agents: { defaults: { ...defaults, agentRuntime: { id: "one" } } } },
      { OPENCLAW_AGENT_RUNTIME: "two" },
      "two ran main/m",
    ],
    [
      "the provider over the variable",
      { agents: { defaults }, models: { agentRuntimes: { main: { id: "one" } } } },
      { OPENCLAW_AGENT_RUNTIME: "two" },
      "one ran main/m",
    ],
    [
      "the model over its provider",
      {
        agents: { defaults },
        models: { agentRuntimes: { main: { id: "one" }, "main/m": { id: "two" } } },
      },
      {},
      "two ran main/m",
    ],
    [
      "another provider",
      { agents: { defaults }, models: { agentRuntimes: { spare: { id: "one" } } } },
      {},
      "the loop ran main",
    ],
    [
      "the agent over the model",
      {
        agents: { defaults, main: { agentRuntime: { id: "openclaw" } } },
        models: { agentRuntimes: { "main/m": { id: "two" } } },
      },
      {},
      "the loop ran main",
    ],
    [
      "a time alone",
      { agents: { defaults, main: { agentRuntime: { timeoutMs: 5000 } } } },
      { OPENCLAW_AGENT_RUNTIME: "auto" },
      "one ran main/m",
    ],
  ])("[PLUG-701] is the one of %s", async (_what, configuration, environment, text) => {
    const { say } = await gatewayWith(configuration, environment);
    expect(await say()).toBe(text);
  });

  it("[PLUG-701] runs a model that no provider of the host has", async () => {
    const agents = { defaults: { model: "native/big", agentRuntime: { id: "one" } } };
    const { say } = await gatewayWith({ agents });
    expect(await say()).toBe("one ran native/big");
  });

  it("[PLUG-701] names the missing harness, at the start when its model has no provider", async () => {
    const agentRuntime = { id: "codex" };
    const { say } = await gatewayWith({ agents: { defaults: { ...defaults, agentRuntime } } });
    const problem =
      'agents.defaults.agentRuntime.id names the agent harness "codex", which is not registered: registered are "one", "two"';
    expect(JSON.parse(await say())).toMatchObject({
      status: "failed",
      error: { code: "AGENT_HARNESS_NOT_FOUND", message: expect.stringContaining(problem) },
    });
    await expect(
      gatewayWith({ agents: { defaults: { model: "codex/big", agentRuntime } } }),
    ).rejects.toMatchObject({ code: "AGENT_HARNESS_NOT_FOUND" });
  });
});

describe("turn of a harness in a conversation", () => {
  it("[PLUG-705] keeps its attempt while a person decides, and is queued like every turn", async () => {
    const attempts: string[] = [];
    const asked = gate<string>();
    const host = await createTestHost({
      register(api) {
        api.registerTool({
          name: "deploy",
          description: "Deploys.",
          parameters: { type: "object" },
          approval: "always",
          execute: () => "deployed",
        });
        api.registerAgentHarness({
          id: "one",
          supports: () => ({ supported: true }),
          async runAttempt({ tools, prompt, messages }) {
            attempts.push(`${prompt} after ${messages.length}`);
            if (messages.length > 0) return { text: "second" };
            const deploy = tools.find(({ name }) => name === "deploy");
            const result = await deploy?.execute("call-1", {});
            const [part] = result?.content ?? [];
            return { text: part?.type === "text" ? part.text : "nothing" };
          },
        });
      },
      servicesNow: (services) => ({
        ...services,
        agentRuntimeOf: () => ({ id: "one", timeoutMs: undefined, setting: "test" }),
      }),
    });
    host.presence.attend({
      channel: "test",
      show({ id, state }) {
        if (state === "pending") asked.pass(id);
      },
    });
    const first = host.flow.receive(message("deploy it"), {});
    const id = await asked.passed;
    const second = host.flow.receive(message("and now?"), {});
    await host.approvals.decide(id, { decision: "allow-once", via: "test" }, OWNER);
    expect(await first).toMatchObject({ text: "deployed" });
    expect(await second).toMatchObject({ text: "second" });
    expect(attempts).toEqual(["deploy it after 0", "and now? after 4"]);
  });
});
