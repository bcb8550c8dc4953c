import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { memoryPrompts } from "../../../src/index.js";
import { createTestHost, plugin } from "../../support/host.js";

const context = {
  availableTools: new Set(["memory_search"]),
  agentId: "main",
  sessionKey: "s",
  agentSessionKey: "s",
};

async function sectionsOf(register: (api: OpenClawPluginApi) => void) {
  const { runtime } = createTestHost([plugin(register)]);
  const { memory } = await runtime.load();
  return memoryPrompts(memory);
}

describe("sections of the prompt about a memory", () => {
  it("[PLUG-056] [MEM-053] are made for the turn, the memory's own one first", async () => {
    const asked: unknown[] = [];
    const sections = await sectionsOf((api) => {
      api.registerMemoryPromptSupplement(() => "There is a wiki.");
      api.registerMemoryCapability({
        promptBuilder(given) {
          asked.push(given);
          return ["You have notes.", `Search them with ${[...given.availableTools].join()}.`];
        },
      });
    });
    const texts = await Promise.all(sections.map(({ build }) => build(context)));
    expect(texts).toEqual(["You have notes.\nSearch them with memory_search.", "There is a wiki."]);
    expect(asked).toEqual([context]);
  });

  it.each([[null], [undefined], [[]], [" "]])("are left out for %j", async (given) => {
    const [section] = await sectionsOf((api) => api.registerMemoryPromptSection(() => given));
    expect(await section?.build(context)).toBeUndefined();
  });

  it("fail for a value that is not text", async () => {
    const [section] = await sectionsOf((api) =>
      api.registerMemoryPromptSection(() => [1] as never),
    );
    await expect(section?.build(context)).rejects.toThrow("a text or a list of lines");
  });
});
