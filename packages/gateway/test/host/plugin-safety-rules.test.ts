import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { SafetyRule } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it } from "vitest";
import { openHost } from "../../src/host/host.js";
import type { Host } from "../../src/host/running-host.js";
import { stateFolderAt } from "../../src/state/folder.js";
import { openLog } from "../../src/state/log.js";
import { message, openTestStore } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

const TICKET = {
  id: "ticket",
  title: "a ticket",
  reason: "Tickets stay inside.",
  severity: "high",
  kind: "leak",
  pattern: "TICKET-[0-9]{6}",
  literals: ["TICKET-"],
  actions: { input: "redact" },
  examples: { match: ["TICKET-123456"], clean: ["TICKET-1"] },
} as const satisfies SafetyRule;

/** A host whose model calls the tool `lookup` of the plugin `guard` once. */
async function hostWith(
  register: (api: OpenClawPluginApi) => void,
  safety = {},
  log = openLog(undefined, { level: "silent" }),
) {
  const model = createScriptedModel([
    { toolCalls: [{ toolName: "lookup" }] },
    { text: "it is TICKET-123456" },
    { text: "done" },
  ]);
  const host = await openHost({
    version: "1.0.0",
    configuration: {
      value: { agents: { defaults: { model: "scripted/script" } }, safety },
      file: undefined,
      warnings: [],
      locate: () => undefined,
    },
    workspaceDir: import.meta.dirname,
    bundledExtensions: [],
    inlinePlugins: [
      {
        id: "guard",
        register(api) {
          register(api);
          api.registerTool({
            name: "lookup",
            description: "Looks a ticket up.",
            parameters: { type: "object" },
            execute: () => "open: TICKET-123456",
          });
        },
      },
    ],
    providers: [scriptedProvider(model)],
    environment: {},
    state: stateFolderAt("/nowhere"),
    log,
    store: await openTestStore(),
  });
  return { host, asked: () => JSON.stringify(model.requests.map(({ prompt }) => prompt)) };
}

async function closing<Result>(host: Host, work: () => Promise<Result>): Promise<Result> {
  await host.serve(0);
  try {
    return await work();
  } finally {
    await host.close("command");
  }
}

describe("the safety rules of plugins", () => {
  it("[SAFE-023] [SAFE-055] apply to the log of the host", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const log = openLog(file, { level: "info" });
    const { host } = await hostWith((api) => api.registerSafetyRule({ ...TICKET }), {}, log);
    log.logger("models").info("about TICKET-654321");
    await closing(host, async () => undefined);
    log.close();
    expect(readFileSync(file, "utf8")).toContain('"msg":"about [REDACTED_API_KEY]"');
  });

  it("[SAFE-023] apply to messages, outputs and replies, in addition to the operator's", async () => {
    const { host, asked } = await hostWith((api) => api.registerSafetyRule({ ...TICKET }), {
      added: [
        {
          ...TICKET,
          id: "case",
          pattern: "CASE-[0-9]{3}",
          literals: [],
          examples: { match: [], clean: [] },
        },
      ],
    });
    await closing(host, async () => {
      expect(await host.receive(message("about TICKET-654321 and CASE-123"))).toMatchObject({
        status: "replied",
        text: "it is [REDACTED]",
      });
    });
    expect(asked()).toContain("about [REDACTED] and [REDACTED]");
    expect(asked()).toContain("open: [REDACTED]");
    expect(asked()).not.toMatch(/TICKET-\d|CASE-\d/);
  });

  it("[SDK-053] find the secrets that a plugin searches for, with those of the operator and of the host", async () => {
    let api: OpenClawPluginApi | undefined;
    const { host } = await hostWith((given) => {
      api = given;
      given.registerSafetyRule({ ...TICKET });
    });
    await closing(host, async () => {
      await host.receive(message("hello"));
      const text = "TICKET-654321, AKIAIOSFODNN7EXAMPLE, API_KEY=hello";
      expect(api?.runtime.safety.findSecrets(text)).toEqual([
        { start: 0, end: 13, rule: "ticket" },
        { start: 15, end: 35, rule: "aws_access_key" },
      ]);
    });
  });

  it("[SAFE-023] apply also when they are registered in a running host", async () => {
    let api: OpenClawPluginApi | undefined;
    const { host, asked } = await hostWith((given) => {
      api = given;
    });
    await closing(host, async () => {
      api?.registerSafetyRule({ ...TICKET });
      await host.receive(message("about TICKET-654321"));
    });
    expect(asked()).toContain("about [REDACTED]");
  });

  it.each<[string, object, string]>([
    ["a pattern of another syntax", { pattern: "(a)\\1" }, "pattern: it is not an RE2 pattern"],
    ["a look-ahead", { pattern: "a(?=b)" }, "pattern: it is not an RE2 pattern"],
    ["a pattern above 1 KiB", { pattern: "a".repeat(1025) }, "pattern: it has 1025 bytes"],
    [
      "a pattern that matches the empty string",
      { pattern: "a*" },
      "pattern: it matches the empty string",
    ],
    ["a failing example", { examples: { match: ["none"], clean: [] } }, "examples.match[0]:"],
    [
      "the id of a built-in rule",
      { id: "aws_access_key" },
      "id: a rule named aws_access_key already exists",
    ],
    ["the id of an operator's rule", { id: "case" }, "id: a rule named case already exists"],
    ["an unknown action", { actions: { output: "erase" } }, "actions.output:"],
    ["no pattern", { pattern: undefined }, "pattern: expected"],
  ])("[SAFE-023] are rejected at registration with %s", async (_, change, problem) => {
    const problems: unknown[] = [];
    const { host, asked } = await hostWith(
      (api) => {
        try {
          api.registerSafetyRule({ ...TICKET, ...change });
        } catch (error) {
          problems.push(error);
        }
      },
      { added: [{ ...TICKET, id: "case" }] },
    );
    await closing(host, () => host.receive(message("hello")));
    expect(problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining(problem) }),
    ]);
    expect(asked()).toContain("hello");
  });
});
