import type { MemoryPrompt } from "@openclaw/plugin-runtime";
import type { MemoryPromptContext } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it } from "vitest";
import { runTurn } from "../../src/index.js";
import { plugin, tool, turnHost } from "../support/turn-host.js";

/** Runs a turn with sections about the memory; returns the system prompt of the model. */
async function ask(memoryPrompts: readonly MemoryPrompt[], denied: readonly string[] = []) {
  const find = tool("find", { execute: () => "found" });
  const host = await turnHost({
    script: [{ text: "done" }],
    plugins: [plugin("finder", (api) => void api.registerTool(find))],
  });
  const outcome = await runTurn(host.request({ text: "tea?" }), host.services, {
    ...host.pin,
    memoryPrompts,
    mayAddToPrompts: (pluginId) => !denied.includes(pluginId),
  });
  const system = host.requests[0]?.prompt.find(({ role }) => role === "system")?.content;
  return { outcome, host, system: String(system) };
}

const section = (pluginId: string, build: MemoryPrompt["build"]): MemoryPrompt => ({
  pluginId,
  build,
});

describe("sections about the memory", () => {
  it("[MEM-053] are part of the system prompt, and know the tools of the turn", async () => {
    const asked: MemoryPromptContext[] = [];
    const { system } = await ask([
      section("notes", async (context) => {
        asked.push(context);
        return "You have notes.";
      }),
      section("wiki", async () => undefined),
      section("diary", async () => "You have a diary."),
    ]);
    expect(system).toContain("You have notes.\n\nYou have a diary.");
    expect([...(asked[0]?.availableTools ?? [])]).toContain("find");
    expect(asked[0]).toMatchObject({ agentId: "main", sessionKey: asked[0]?.agentSessionKey });
  });

  it("[MEM-053] are left out when they fail, or when the plugin may not add to prompts", async () => {
    const failing = section("notes", async () => {
      throw new Error("no server");
    });
    const { system, outcome, host } = await ask(
      [failing, section("wiki", async () => "Not allowed."), section("diary", async () => "Kept.")],
      ["wiki"],
    );
    expect(outcome).toMatchObject({ status: "completed" });
    expect(system).toContain("Kept.");
    expect(system).not.toContain("Not allowed.");
    const told = host.lines.filter(({ fields }) => fields.code === "MEMORY_PROMPT_FAILED");
    expect(told.map(({ message }) => message)).toEqual([expect.stringContaining("no server")]);
  });
});
