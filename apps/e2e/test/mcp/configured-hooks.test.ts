import { readFileSync } from "node:fs";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import configuredHooks from "@openclaw/declarative-hooks";
import { createMcpPlugin } from "@openclaw/mcp";
import type { PluginDefinition, PluginManifest } from "@openclaw/plugin-sdk";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it } from "vitest";

const { configSchema } = JSON.parse(
  readFileSync("extensions/declarative-hooks/openclaw.plugin.json", "utf8"),
) as Required<Pick<PluginManifest, "configSchema">>;
const SERVER = fileURLToPath(
  new URL("../../../../extensions/mcp/test/support/stdio-server.mjs", import.meta.url),
);

it("[DHOOK-004] rules of the configuration change and block calls of a running MCP server", async () => {
  const mcp: PluginDefinition = createMcpPlugin();
  await using host = await createTestHost({
    ...{ plugin: configuredHooks, manifest: { configSchema } },
    pluginConfig: {
      rules: [
        {
          ...{ name: "mask", points: ["beforeToolCall"] },
          replacements: [{ pattern: "secret", replacement: "***" }],
        },
        {
          ...{ name: "no-word", points: ["beforeToolCall"], when: "forbidden" },
          rejectReason: "not that",
        },
      ],
    },
    neighbours: [mcp],
    config: {
      mcpServers: { fake: { command: execPath, args: [SERVER], approval: "never" } },
    },
  });
  expect((await host.callTool("fake__echo", { text: "a secret" })).text).toBe("a ***");
  const stopped = await host.callTool("fake__echo", { text: "forbidden" });
  expect([stopped.isError, stopped.text]).toEqual([
    true,
    expect.stringContaining("not that (hook config::no-word)"),
  ]);
});
