import { readFileSync } from "node:fs";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import {
  createFakeChannel,
  createTestHost,
  type ModelScript,
  sampleContext,
  sampleEvent,
  type TestHost,
} from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import plugin from "../src/index.js";

const HOOK = "before_prompt_build";

/** Returns the text of a bundled guide. */
function guideOf(channel: string): string {
  const skill = new URL(`../skills/channel-format-${channel}/SKILL.md`, import.meta.url);
  return readFileSync(skill, "utf8").split("---\n").slice(2).join("---\n").trim();
}

async function hostWith(pluginConfig = {}): Promise<TestHost> {
  const model = () => ({ text: "Hello." });
  const host = await createTestHost({ plugin, manifest, pluginConfig, model });
  onTestFinished(() => host.dispose());
  return host;
}

/** Returns the system prompt of every request to the model so far. */
function systemPrompts({ modelRequests }: TestHost): string[] {
  return modelRequests.map(({ prompt: [first] }) =>
    first?.role === "system" ? first.content : "",
  );
}

describe("channel guidance", () => {
  it("[EXT-002] appends the guide of the turn's channel in before_prompt_build, with the same bytes each turn", async () => {
    const host = await hostWith();
    const answer = (messageProvider: string) =>
      host.fire(HOOK, sampleEvent(HOOK), { ...sampleContext(HOOK), messageProvider });
    expect(await answer("telegram")).toEqual({ appendSystemContext: guideOf("telegram") });
    expect(await answer("carrier-pigeon")).toBeUndefined();

    // A turn without a guide has only the common beginning of the other prompts.
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

  it("[EXT-002] appends nothing when the configuration disables the guide", async () => {
    const host = await hostWith({ guides: { slack: false } });
    await host.receive({ text: "hi", channel: "slack" });
    await host.receive({ text: "hi", channel: "carrier-pigeon" });
    const [slack, bare] = systemPrompts(host);
    expect(slack).toBe(bare);
  });

  it("reads guides from the plugin's configuration", async () => {
    const host = await hostWith({ guides: { slack: "Speak like a pirate." } });
    await host.receive({ text: "hi", channel: "slack" });
    expect(systemPrompts(host)[0]).toMatch(/\n\nSpeak like a pirate\.$/);
  });
});

describe("channel guidance in mode skill", () => {
  const neighbour = {
    id: "sender",
    register(api: OpenClawPluginApi) {
      api.registerTool({
        name: "notify",
        description: "Sends a message.",
        parameters: { type: "object", properties: { channel: { type: "string" } } },
        execute: () => "sent",
      });
    },
  };

  /** Creates a host with the built extension from its folder, whose manifest names its skills. */
  async function skilledHost(model: ModelScript, pluginConfig = {}): Promise<TestHost> {
    const host = await createTestHost({
      plugin: new URL("..", import.meta.url),
      pluginConfig: { mode: "skill", sendingTools: ["notify"], ...pluginConfig },
      neighbours: [neighbour],
      model,
    });
    onTestFinished(() => host.dispose());
    return host;
  }

  it("[EXT-005] offers the guide as a skill, and returns it from the skill tool", async () => {
    const params = { name: "channel-format-telegram" };
    const host = await skilledHost([
      { toolCalls: [{ toolName: "skill", params }] },
      { text: "Formatted." },
    ]);
    await host.receive({ text: "hi", channel: "telegram" });
    const [first, second] = host.modelRequests.map((request) => JSON.stringify(request));
    const [line = ""] = guideOf("telegram").split("\n");
    expect(first).toContain("- channel-format-telegram: ");
    expect(first).not.toContain(line);
    expect(second).toContain(line);
    expect((await host.callTool("skill", params)).text).toBe(guideOf("telegram"));
  });

  it("[EXT-005] adds the guide of a channel to the result of a tool that sends to it", async () => {
    const host = await skilledHost([], { guides: { matrix: "Plain text." } });
    const told = async (channel: string) => (await host.callTool("notify", { channel })).text;
    expect(await told("slack")).toMatch(/^sent\n/);
    expect(await told("slack")).toContain(guideOf("slack"));
    expect(await told("matrix")).toContain("Plain text.");
    expect(await told("carrier-pigeon")).toBe("sent");
  });

  it("offers no skill in mode turn", async () => {
    const host = await skilledHost([{ text: "Hello." }], { mode: "turn" });
    await host.turn("hi");
    expect(host.modelRequests[0]?.tools?.map(({ name }) => name)).not.toContain("skill");
  });
});

describe("channel guidance at the call", () => {
  const other = createFakeChannel({ name: "slack" });

  /** Creates a host whose agent writes from Telegram to Slack. */
  async function crossing(pluginConfig = {}): Promise<TestHost> {
    const host = await createTestHost({
      ...{ plugin, manifest, pluginConfig },
      config: {
        channels: { slack: { dmPolicy: "off" } },
        tools: { approval: { message: "never" } },
      },
      neighbours: [other.asPlugin()],
      model: [{ text: "Hello." }],
    });
    onTestFinished(() => host.dispose());
    return host;
  }

  it("[EXT-003] adds the guide of another channel to the result, and none of the turn's own", async () => {
    const host = await crossing();
    const call = sampleEvent("before_tool_call");
    const asked = (params: Record<string, unknown>) =>
      host.fire(
        "before_tool_call",
        { ...call, toolName: "message", params },
        { ...sampleContext("before_tool_call"), messageProvider: "telegram" },
      );
    expect(await asked({ channel: "slack", text: "# hi" })).toEqual({ guidance: guideOf("slack") });
    expect(await asked({ channel: "telegram", text: "# hi" })).toBeUndefined();
    expect(await asked({ text: "# hi" })).toBeUndefined();
    expect(await asked({ channel: "carrier-pigeon", text: "# hi" })).toBeUndefined();
  });

  it("[EXT-003] returns a call that the channel cannot show with reconsider: true", async () => {
    const host = await crossing({ reconsider: true });
    const send = (text: string) =>
      host.callTool("message", { action: "send", channel: "slack", to: "C1", text });
    const first = await send("# Plan");
    expect(first.text).toContain("Reconsider it with the guidance below");
    expect(first.text).toContain("For slack: headings are not shown.");
    expect(first.text).toContain(guideOf("slack"));
    expect(other.deliveries).toEqual([]);
    const long = await send("x".repeat(4001));
    expect(long.text).toContain("the text has 4001 characters, and a message at most 4000");
    expect((await send("plain")).text).toContain("Done: send on slack to C1");
    expect(other.deliveries).toMatchObject([{ to: "C1", content: "plain" }]);
  });

  it("[EXT-004] is part of the description of the tool message in mode description", async () => {
    const host = await crossing({ mode: "description" });
    for (const channel of ["telegram", "telegram", "carrier-pigeon"]) {
      await host.receive({ text: "hi", channel });
    }
    const [first = "", second, bare] = host.modelRequests
      .map(({ tools = [] }) =>
        tools.flatMap((tool) =>
          tool.type === "function" && tool.name === "message" ? [tool.description ?? ""] : [],
        ),
      )
      .map(([text]) => text);
    expect(first).toBe(`${bare}\n\n${guideOf("telegram")}`);
    expect(second).toBe(first);
    expect(systemPrompts(host)[0]).toBe(systemPrompts(host)[2]);
  });
});
