import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScriptedModel, type ModelScript, type ScriptedModel } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { expect, it, onTestFinished } from "vitest";
import { openHost } from "../../../src/host/host.js";
import { stateFolderAt } from "../../../src/state/folder.js";
import { openLog } from "../../../src/state/log.js";
import { message, openTestStore } from "../../support/host.js";
import { scriptedProvider } from "../../support/scripted-provider.js";

type Register = (api: OpenClawPluginApi) => void;

/** Registers tools and a part of the system prompt. */
function registerParts(api: OpenClawPluginApi): void {
  const tool = (name: string) => ({
    ...{ name, label: name, description: `Does ${name}.` },
    parameters: { type: "object", properties: { b: { type: "string" }, a: { type: "number" } } },
    execute: async () => ({ content: [{ type: "text" as const, text: name }], details: {} }),
  });
  api.registerTool(tool(`zeta_${api.id}`));
  api.registerTool(() => tool(`alpha_${api.id}`), { names: [`alpha_${api.id}`] });
  api.on("before_prompt_build", () => ({ appendSystemContext: "Plugins may add rules." }));
}

/** Host with the core tools, a workspace with instructions, and plugins with tools and prompt parts. */
async function openPromptHost(script: ModelScript, register: Register = registerParts) {
  const workspaceDir = mkdtempSync(join(tmpdir(), "prompt-prefix-"));
  onTestFinished(() => rmSync(workspaceDir, { recursive: true }));
  writeFileSync(join(workspaceDir, "AGENTS.md"), "Be brief.");
  writeFileSync(join(workspaceDir, "note.txt"), "a note");
  const model = createScriptedModel(script);
  const host = await openHost({
    version: "1.0.0",
    configuration: {
      value: { agents: { defaults: { model: "scripted/script" } } },
      ...{ file: undefined, warnings: [], locate: () => undefined },
    },
    workspaceDir,
    bundledExtensions: [],
    inlinePlugins: ["second", "first"].map((id) => ({ id, register })),
    providers: [scriptedProvider(model)],
    environment: {},
    state: stateFolderAt("/nowhere"),
    log: openLog(undefined, { level: "silent" }),
    store: await openTestStore(),
  });
  await host.serve(0);
  onTestFinished(() => host.close("command"));
  return { host, model };
}

it("[LLM-060] sends requests of which each begins with the bytes of the one before, across tool calls, turns and reloads", async () => {
  const calls = [
    { toolName: "read", params: { path: "note.txt" } },
    { toolName: "time", params: { operation: "now" } },
    { toolName: "zeta_first", params: { b: "x" } },
  ];
  const { host, model } = await openPromptHost(({ prompt }) =>
    prompt.at(-1)?.role === "user" && JSON.stringify(prompt.at(-1)).includes("use tools")
      ? { toolCalls: calls }
      : { text: "done" },
  );
  const say = async (text: string) => {
    const outcome = await host.receive(message(text));
    expect(outcome).toMatchObject({ status: "replied", text: "done" });
  };
  await say("use tools");
  await say("and now");
  await host.plugins.reload();
  await say("use tools again");

  const requests = sent(model);
  expect(requests).toHaveLength(5);
  expect(requests[0]?.tools).toContain("zeta_second");
  expect(requests[0]?.prompt[0]).toContain("Be brief.");
  expect(requests[1]?.prompt.at(-1)).toContain("a note");
  for (const [index, { tools, prompt }] of requests.entries()) {
    const before = requests[index - 1];
    if (before === undefined) continue;
    expect(tools).toBe(before.tools);
    expect(prompt.length).toBeGreaterThan(before.prompt.length);
    expect(prompt.slice(0, before.prompt.length)).toEqual(before.prompt);
  }
});

it("[LLM-060] repeats the bytes before the last message when plugins add context to messages", async () => {
  let turns = 0;
  const { host, model } = await openPromptHost(
    () => ({ text: "done" }),
    (api) => {
      api.on("before_prompt_build", () => {
        turns += 1;
        return { prependContext: `fact ${turns}` };
      });
    },
  );
  for (const text of ["one", "two", "three"]) await host.receive(message(text));
  const [first, second, third] = sent(model);
  expect(first?.prompt.at(-1)).toContain("fact");
  expect(second?.prompt.slice(0, 1)).toEqual(first?.prompt.slice(0, -1));
  expect(third?.prompt.slice(0, 3)).toEqual(second?.prompt.slice(0, -1));
});

/** Returns the bytes of each request. */
function sent({ requests }: ScriptedModel) {
  return requests.map(({ prompt, tools }) => ({
    tools: JSON.stringify(tools),
    prompt: prompt.map((part) => JSON.stringify(part)),
  }));
}
