import { readFileSync } from "node:fs";
import {
  createTestHost,
  sampleContext,
  sampleEvent,
  type TestHost,
} from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import plugin from "../src/index.js";

const HOOK = "before_prompt_build";

/** The text of a guide that comes with the extension. */
function guideOf(channel: string): string {
  return readFileSync(new URL(`../guides/${channel}.md`, import.meta.url), "utf8").trim();
}

async function hostWith(pluginConfig = {}): Promise<TestHost> {
  const model = () => ({ text: "Hello." });
  const host = await createTestHost({ plugin, manifest, pluginConfig, model });
  onTestFinished(() => host.dispose());
  return host;
}

/** The system prompt of every request to the model so far. */
function systemPrompts({ modelRequests }: TestHost): string[] {
  return modelRequests.map(({ prompt: [first] }) =>
    first?.role === "system" ? first.content : "",
  );
}

describe("channel guidance", () => {
  it("[EXT-002] before_prompt_build appends the guide of the turn's channel, the same bytes each turn", async () => {
    const host = await hostWith();
    const answer = (messageProvider: string) =>
      host.fire(HOOK, sampleEvent(HOOK), { ...sampleContext(HOOK), messageProvider });
    expect(await answer("telegram")).toEqual({ appendSystemContext: guideOf("telegram") });
    expect(await answer("carrier-pigeon")).toBeUndefined();

    // Whole turns: without a guide the prompt is what the others begin with, and nothing more.
    const channels = ["carrier-pigeon", "telegram", "slack", "telegram"];
    for (const [turn, channel] of channels.entries()) {
      await host.receive({ text: `message ${turn}`, channel });
    }
    const [bare = "", first, slack, second] = systemPrompts(host);
    expect(bare).not.toBe("");
    expect(first).toBe(`${bare}\n\n${guideOf("telegram")}`);
    expect(slack).toBe(`${bare}\n\n${guideOf("slack")}`);
    expect(second).toBe(first);
  });

  it("[EXT-002] adds nothing where configuration takes the guide away", async () => {
    const host = await hostWith({ guides: { slack: false } });
    await host.receive({ text: "hi", channel: "slack" });
    await host.receive({ text: "hi", channel: "carrier-pigeon" });
    const [slack, bare] = systemPrompts(host);
    expect(slack).toBe(bare);
  });

  it("takes guides from the plugin's configuration", async () => {
    const host = await hostWith({ guides: { slack: "Speak like a pirate." } });
    await host.receive({ text: "hi", channel: "slack" });
    expect(systemPrompts(host)[0]).toMatch(/\n\nSpeak like a pirate\.$/);
  });
});
