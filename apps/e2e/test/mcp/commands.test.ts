import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const SERVER = fileURLToPath(
  new URL("../../../../extensions/mcp/test/support/stdio-server.mjs", import.meta.url),
);

it("[HOST-033] [EXT-526] [EXT-522] [SDK-061] adds, lists, tests and removes servers, without and with a running gateway", async () => {
  const place = emptyPlace();
  onTestFinished(() => place[Symbol.dispose]());
  const mcp = (...words: readonly string[]) => openclaw(["mcp", ...words], place);
  expect((await mcp("list")).stdout).toContain("No MCP servers");

  const added = await mcp("add", "fake", "-e", "API_TOKEN=literal", "--", execPath, SERVER);
  expect(added.stdout).toMatch(/Added MCP server fake[\s\S]*protocol 2025-06-18, 8 tools/);
  expect(added.stderr).toContain("API_TOKEN is written into the configuration");
  expect(added.stderr).toContain("fake runs outside a sandbox, with your rights");
  expect((await mcp("list")).stdout).toMatch(/fake +stopped, 8 tools/);

  const broken = await mcp("add", "broken", "--", execPath, "-e", "process.exit(1)");
  expect(broken.exitCode).toBe(1);
  const remote = await mcp("add", "remote", "--no-test", "https://example.com/mcp");
  expect([remote.exitCode, remote.stdout.trim()]).toEqual([0, "Added MCP server remote."]);
  const invalid = await mcp("add", "invalid");
  expect([invalid.exitCode, invalid.stderr]).toEqual([
    2,
    expect.stringContaining("expected a command or a URL"),
  ]);

  const gateway = await startGateway(place);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const tested = JSON.parse((await mcp("test", "fake", "--json")).stdout);
  expect(tested).toMatchObject({ name: "fake", state: "ready" });
  const doctor = async (...words: readonly string[]) => {
    const { checks } = JSON.parse((await openclaw(["doctor", "--json", ...words], place)).stdout);
    return (checks as { name: string; status: string; message: string }[])
      .filter(({ name }) => name.startsWith("mcp:"))
      .map(({ name, status, message }) => `${name} ${status} ${message}`);
  };
  expect(await doctor()).toEqual([
    expect.stringMatching(/^mcp:broken fail failing: ended with exit code 1/),
    "mcp:fake ok ready, 8 tools, outside a sandbox",
    expect.stringMatching(/^mcp:remote /),
  ]);
  await mcp("remove", "remote");
  expect(await doctor("--deep")).toEqual([
    expect.stringMatching(/^mcp:broken fail MCP server "broken" ended with exit code 1/),
    "mcp:fake ok ready, 8 tools, outside a sandbox",
  ]);
  const status = await openclaw(["status"], place);
  expect(status.stdout).toMatch(/mcp +1 ready, 1 failing; broken ended with exit code 1/);
  expect((await mcp("logs", "fake")).stdout).toContain("fake server started");
  for (const name of ["fake", "broken"]) await mcp("remove", name);
  expect((await mcp("list")).stdout).toContain("No MCP servers");
  expect((await mcp("remove", "fake")).stderr).toContain('MCP server "fake" not found');
});
