import { execPath } from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCounterpart } from "../../src/counterpart.js";
import { ClientScene, call } from "../../src/openai-client-scene.js";
import { BIN } from "../../src/openclaw-process.js";

let scene: ClientScene;
beforeAll(async () => {
  scene = await ClientScene.open("anthropic");
});
afterAll(() => scene[Symbol.asyncDispose]());

const TRANSPORTS = ["http", "stdio"] as const;

/** Entry of the gateway in the map of MCP clients. */
function entryOf(transport: (typeof TRANSPORTS)[number]): object {
  return transport === "http"
    ? {
        ...{ type: "http", url: `${scene.url}/mcp` },
        headers: { Authorization: `Bearer ${scene.apiKey}` },
      }
    : {
        ...{ command: execPath, args: [BIN, "mcp", "serve", "--url", scene.url] },
        env: { OPENCLAW_GATEWAY_TOKEN: scene.apiKey },
      };
}

describe.each(TRANSPORTS)("the MCP server of the gateway over %s", (transport) => {
  it("[EXT-015] runs a tool for Claude Code", async () => {
    scene.script(
      {
        thinking: "I use a tool.",
        toolCalls: [call("mcp__openclaw__echo", { message: "said-42" })],
      },
      { text: "It is said." },
    );
    const configuration = { mcpServers: { openclaw: entryOf(transport) } };
    const { exitCode, stdout, stderr } = await runCounterpart(
      "claude",
      [
        ...["-p", "say it", "--output-format", "stream-json", "--verbose", "--max-turns", "5"],
        ...["--mcp-config", JSON.stringify(configuration), "--strict-mcp-config"],
        ...["--allowedTools", "mcp__openclaw__echo"],
      ],
      {},
      {
        ...{ ANTHROPIC_BASE_URL: scene.url, ANTHROPIC_API_KEY: scene.apiKey },
        ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
        // The first request to the model waits for the server, and has the definitions of its tools.
        ...{ MCP_CONNECTION_NONBLOCKING: "0", ENABLE_TOOL_SEARCH: "false" },
      },
    );
    expect(stdout, stderr).toContain("It is said.");
    expect(exitCode).toBe(0);
    // The model received the result of the gateway.
    expect(scene.conversations()[1]).toMatch(/tool_result.*said-42/);
    const [init] = stdout.split("\n");
    expect(JSON.parse(init ?? "{}").mcp_servers).toEqual([
      expect.objectContaining({ name: "openclaw", status: "connected" }),
    ]);
  });

  it("[EXT-015] lists and runs tools for the inspector", async () => {
    const inspect = async (...args: readonly string[]) => {
      const files = {
        ".mcp-inspector/mcp.json": JSON.stringify({ mcpServers: { openclaw: entryOf(transport) } }),
      };
      const { stdout, stderr } = await runCounterpart(
        "mcp-inspector",
        ["--cli", "--server", "openclaw", ...args],
        files,
        {},
      );
      try {
        return JSON.parse(stdout);
      } catch {
        throw new Error(`the inspector failed: ${stdout}${stderr}`);
      }
    };
    const { tools } = await inspect("--method", "tools/list");
    expect(tools).toContainEqual(expect.objectContaining({ name: "echo" }));
    const call = ["--method", "tools/call", "--tool-name", "echo", "--tool-arg", "message=said-43"];
    expect(await inspect(...call)).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("said-43") }],
    });
  });
});
