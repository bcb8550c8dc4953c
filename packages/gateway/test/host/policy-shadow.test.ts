import { checkConfiguration, parseConfigurationDocument } from "@openclaw/configuration";
import { createScriptedModel } from "@openclaw/models";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHost } from "../../src/host/host.js";
import { GatewayMetrics } from "../../src/metrics/metrics.js";
import { stateFolderAt } from "../../src/state/folder.js";
import { openLog } from "../../src/state/log.js";
import { message, openTestStore } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

/** Runs a turn that calls `look`, `write_down` and `hidden` of a plugin once each. */
async function run(tools: string) {
  const document = parseConfigurationDocument(
    `{ agents: { defaults: { model: "scripted/script" } }, tools: ${tools} }`,
    "openclaw.json",
  );
  const { value, errors } = checkConfiguration(document);
  if (value === undefined) throw new Error(JSON.stringify(errors));
  const called: string[] = [];
  const events: { readonly event: string; readonly payload: unknown }[] = [];
  const names = ["look", "write_down", "hidden"];
  const model = createScriptedModel([
    { toolCalls: names.map((toolName) => ({ toolName })) },
    { text: "done" },
  ]);
  const host = await openHost({
    version: "1.0.0",
    configuration: {
      ...{ value, file: undefined, warnings: [] },
      locate: (path) => document.place(path),
    },
    workspaceDir: import.meta.dirname,
    bundledExtensions: [],
    inlinePlugins: [
      {
        id: "guard",
        register(api) {
          for (const name of names) {
            api.registerTool({
              ...{ name, description: "Notes its name.", parameters: { type: "object" } },
              execute: () => {
                called.push(name);
                return "done";
              },
            });
          }
        },
      },
    ],
    providers: [scriptedProvider(model)],
    environment: {},
    state: stateFolderAt("/nowhere"),
    log: openLog(undefined, { level: "silent" }),
    store: await openTestStore(),
    events: {
      publish: (event: string, payload: unknown) => void events.push({ event, payload }),
      publishPluginEvent: () => undefined,
    },
  });
  onTestFinished(() => host.close("command"));
  const metrics = new GatewayMetrics({
    hookCounts: () => host.plugins.inspection.counters(),
    counters: () => ({}),
    queueDepth: () => 0,
    pendingApprovals: async () => 0,
    connections: () => 0,
    droppedEvents: () => 0,
  });
  onTestFinished(() => metrics.close());
  const outcome = await host.receive(message("go"), {});
  const scraped = (await metrics.text()).split("\n");
  return {
    outcome,
    called,
    differences: events.flatMap(({ event, payload }) => (event === "policy.shadow" ? payload : [])),
    counts: scraped.filter((line) => line.startsWith("openclaw_policy_shadow_total{")),
  };
}

describe("tools.candidate", () => {
  it("[POL-035] is evaluated in addition to the policy for each call, and differences are counted and sent", async () => {
    const { outcome, called, differences, counts } = await run(
      '{ deny: ["hidden"], mode: "monitor", candidate: { deny: ["write_*"] } }',
    );
    expect(outcome).toMatchObject({ status: "replied" });
    expect(called).toEqual(["look", "write_down"]);
    expect(differences).toMatchObject([
      {
        ...{ tool: "write_down", live: "allowed", candidate: "denied" },
        agentId: "main",
        reason: expect.stringContaining("write_*"),
      },
      { tool: "hidden", live: "denied", candidate: "allowed" },
    ]);
    expect(counts).toEqual([
      'openclaw_policy_shadow_total{tool="write_down",live="allowed",candidate="denied"} 1',
      'openclaw_policy_shadow_total{tool="hidden",live="denied",candidate="allowed"} 1',
    ]);
  });

  it.each([
    ["without the mode", '{ candidate: { deny: ["*"] } }'],
    ["that decides the same", '{ mode: "monitor", candidate: { allow: ["plugin:guard"] } }'],
  ])("[POL-035] reports nothing %s", async (_case, tools) => {
    const { called, differences, counts } = await run(tools);
    expect(called).toEqual(["look", "write_down", "hidden"]);
    expect(differences).toEqual([]);
    expect(counts).toEqual([]);
  });

  it("[POL-035] rejects a wrong candidate with its key and place", () => {
    const problems = (tools: string) =>
      checkConfiguration(parseConfigurationDocument(`{ tools: ${tools} }`, "openclaw.json")).errors;
    expect(problems('{ mode: "monitor", candidate: { profile: "offcie" } }')).toMatchObject([
      { key: "tools.candidate.profile", line: 1 },
    ]);
    expect(problems('{ mode: "observe", candidate: {} }')).toMatchObject([{ key: "tools.mode" }]);
    expect(problems('{ mode: "monitor", candidate: { exec: {} } }')).toMatchObject([
      { key: "tools.candidate.exec" },
    ]);
  });
});
