import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startTestGateway } from "../support/gateway.js";
import { message } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const CHANNEL_GUIDANCE = join(import.meta.dirname, "../../../../extensions/channel-guidance");

/** Returns a configuration with guides for channels and for the agent `work`. */
function configured(guides: object, work: object): string {
  const config = { guides, agents: { work } };
  return JSON.stringify({
    agents: { defaults: { model: "scripted/script" }, work: {} },
    plugins: { entries: { "channel-guidance": { config } } },
  });
}

/** Starts a gateway with the channel guides and a model that records its prompts. */
async function gatewayWithGuides(configuration: string) {
  const folder = temporaryFolder();
  folder.write({ "openclaw.json": configuration });
  const model = createScriptedModel(() => ({ text: "ok" }));
  const gateway = await startTestGateway(folder, {
    bundledExtensions: [CHANNEL_GUIDANCE],
    inlinePlugins: [
      { id: "scripted", register: (api) => api.registerProvider(scriptedProvider(model)) },
    ],
  });
  onTestFinished(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  return {
    folder,
    /** Returns the prompt of a turn of a channel. */
    async prompt(channel: string, agentId = "main") {
      const sessionKey = `agent:${agentId}:${channel}`;
      await gateway.receive(message("hello", { channel, sessionKey, agentId }));
      return JSON.stringify(model.requests.at(-1)?.prompt);
    },
    reload: async () =>
      (await gateway.methods()).call("plugins.reload", { id: "channel-guidance" }),
  };
}

describe("plugins.reload", () => {
  it("[EXT-001] makes changed guides of the configuration effective per channel and agent", async () => {
    const before = configured({ slack: "Slack before." }, { slack: "Slack of work before." });
    const { folder, prompt, reload } = await gatewayWithGuides(before);
    expect(await prompt("slack")).toContain("Slack before.");
    expect(await prompt("slack", "work")).toContain("Slack of work before.");
    expect(await prompt("matrix")).not.toContain("Matrix");

    const guides = { slack: "Slack after.", matrix: "Matrix added.", telegram: false };
    folder.write({ "openclaw.json": configured(guides, { slack: "Slack of work after." }) });
    expect(await prompt("slack")).toContain("Slack before.");
    expect(await reload()).toMatchObject({ outcome: "loaded" });
    expect(await prompt("slack")).toContain("Slack after.");
    expect(await prompt("slack", "work")).toContain("Slack of work after.");
    expect(await prompt("matrix")).toContain("Matrix added.");
    expect(await prompt("telegram")).not.toContain("Telegram");
  });

  it("[EXT-001] [GW-006] happens by itself when the file with the guides is written", async () => {
    const { folder, prompt } = await gatewayWithGuides(configured({ slack: "Slack before." }, {}));
    expect(await prompt("slack")).toContain("Slack before.");
    folder.write({ "openclaw.json": configured({ slack: "Slack after." }, {}) });
    await vi.waitFor(async () => expect(await prompt("slack")).toContain("Slack after."), 40_000);
  });

  it("[EXT-001] keeps the guides when the changed configuration is not valid", async () => {
    const { folder, prompt, reload } = await gatewayWithGuides(
      configured({ slack: "Slack before." }, {}),
    );
    folder.write({ "openclaw.json": "{" });
    await expect(reload()).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(await prompt("slack")).toContain("Slack before.");
  });
});
