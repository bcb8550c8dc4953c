import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStoredSecrets } from "../../src/methods/stored/secrets.js";
import { startTestGateway } from "../support/gateway.js";

const VALUE = "sk-live-0123456789abcdef";
const TOKEN = "gateway-token-of-32-characters-0";

async function prepare(configuration: string, secrets: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ "openclaw.json": configuration });
  const stateDir = join(folder.path, "state");
  const stored = await openStoredSecrets({ stateDir, store: undefined, environment: {} });
  for (const [name, value] of Object.entries(secrets)) {
    await stored.methods.call("secrets.set", { name, value });
  }
  await stored.close();
  return folder;
}

function reader(seen: unknown[]): PluginDefinition {
  return {
    id: "reader",
    register(api) {
      seen.push(api.pluginConfig?.apiKey);
      api.logger.info(`my key is ${String(api.pluginConfig?.apiKey)}`);
    },
  };
}

const CONFIGURATION = `{
  gateway: { auth: { token: "\${secret:TOKEN}" } },
  plugins: { entries: { reader: { config: { apiKey: "\${secret:KEY}" } } } },
}`;

describe("secrets of the configuration", () => {
  it("[HOST-011] [GW-003] are resolved for the plugin and the token, and shown nowhere", async () => {
    const folder = await prepare(CONFIGURATION, { KEY: VALUE, TOKEN });
    const seen: unknown[] = [];
    const gateway = await startTestGateway(folder, { port: 0, inlinePlugins: [reader(seen)] });
    onTestFinished(() => gateway.stop("command"));
    expect(seen).toEqual([VALUE]);
    const { url = "" } = gateway;
    const client = createGatewayClient({ url, token: TOKEN });
    const { secrets } = await client.call("secrets.list", {});
    expect(secrets).toMatchObject([
      { name: "KEY", lastUsedBy: "plugins.entries.reader.config.apiKey" },
      { name: "TOKEN", lastUsedBy: "gateway.auth.token" },
    ]);
    expect(await client.call("secrets.uses", { name: "TOKEN" })).toMatchObject({
      uses: [{ name: "TOKEN", by: "gateway.auth.token", actor: "host" }],
    });
    await gateway.receive({
      channel: "test",
      conversationId: "c",
      senderId: "s",
      senderIsOwner: true,
      text: "hello",
    });
    await gateway.stop("command");
    for (const file of readdirSync(folder.path, { recursive: true, encoding: "utf8" })) {
      const path = join(folder.path, file);
      if (!statSync(path).isFile()) continue;
      const content = readFileSync(path);
      expect(content.includes(VALUE), file).toBe(false);
      expect(content.includes(TOKEN), file).toBe(false);
    }
  });

  it("[HOST-011] name file, line and key of each one that is missing, and the start fails", async () => {
    const folder = await prepare(CONFIGURATION, { TOKEN });
    await expect(startTestGateway(folder)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      kind: "configuration",
      problems: [
        {
          key: "plugins.entries.reader.config.apiKey",
          file: join(folder.path, "openclaw.json"),
          line: 3,
          message: "the secret KEY is not stored, or has expired",
          suggestion: "store it with `openclaw secrets set KEY`",
        },
      ],
    });
  });

  it("are checked with their values, which the message does not show", async () => {
    const folder = await prepare(CONFIGURATION, { KEY: VALUE, TOKEN: "too-short" });
    const starting = startTestGateway(folder);
    await expect(starting).rejects.toThrow(
      /gateway\.auth\.token: .* found a string of 9 characters/,
    );
    await expect(starting).rejects.not.toThrow("too-short");
  });

  it("[HOST-013] keep the running configuration when a changed file refers to a missing one", async () => {
    const folder = await prepare("{}", { KEY: VALUE });
    const seen: unknown[] = [];
    const gateway = await startTestGateway(folder, { inlinePlugins: [reader(seen)] });
    onTestFinished(() => gateway.stop("command"));
    const entry = (name: string) =>
      `{ plugins: { entries: { reader: { config: { apiKey: "\${secret:${name}}" } } } } }`;
    folder.write({ "openclaw.json": entry("OTHER") });
    expect(await gateway.reloadConfiguration()).toMatchObject({
      outcome: "invalid",
      problem: expect.stringContaining("the secret OTHER is not stored"),
    });
    folder.write({ "openclaw.json": entry("KEY") });
    expect(await gateway.reloadConfiguration()).toMatchObject({ plugins: ["reader"] });
    expect(seen).toEqual([undefined, VALUE]);
  });

  it("reload the plugins that use a secret when its value changes", async () => {
    const folder = await prepare(CONFIGURATION, { KEY: VALUE, TOKEN });
    const seen: unknown[] = [];
    const gateway = await startTestGateway(folder, { inlinePlugins: [reader(seen)] });
    onTestFinished(() => gateway.stop("command"));
    const methods = await gateway.methods();
    await methods.call("secrets.set", { name: "KEY", value: "sk-live-another-value-1" });
    expect(seen).toEqual([VALUE, "sk-live-another-value-1"]);
    const log = readFileSync(gateway.state.logFile, "utf8");
    expect(log).toContain("my key is [REDACTED");
    expect(log).not.toContain("another-value");
  });
});
