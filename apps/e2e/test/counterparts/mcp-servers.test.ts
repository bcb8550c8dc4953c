import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createMcpPlugin } from "@openclaw/mcp";
import { createTestHost, type TestHost } from "@openclaw/plugin-testkit";
import { expect, it } from "vitest";

const PROGRAMS = fileURLToPath(
  new URL("../../../../tools/counterparts/node_modules/@modelcontextprotocol", import.meta.url),
);

/** Starts a host with one server of `tools/counterparts`. */
async function hostOf(server: string, args: readonly string[] = [], env = {}): Promise<TestHost> {
  const entry = {
    command: execPath,
    args: [`${PROGRAMS}/server-${server}/dist/index.js`, ...args],
    ...{ env, approval: "never" as const },
  };
  const host = await createTestHost({
    plugin: createMcpPlugin(),
    config: { mcpServers: { real: entry } },
  });
  const body = JSON.stringify({ server: "real" });
  const tested = await host.request("/api/v1/mcp.test", { method: "POST", body });
  expect(await tested.json()).toMatchObject({ state: "ready" });
  return host;
}

it("[EXT-010] [EXT-011] [EXT-863] uses tools, images and resources of server-everything", async () => {
  await using host = await hostOf("everything");
  expect((await host.callTool("real__echo", { message: "hello" })).text).toBe("Echo: hello");
  expect((await host.callTool("real__get-sum", { a: 2, b: 40 })).text).toContain("42");
  const image = await host.callTool("real__get-tiny-image", {});
  expect(JSON.stringify(image)).toContain('"mimeType":"image/png"');
  const structured = await host.callTool("real__get-structured-content", { location: "New York" });
  expect(structured.details).toMatchObject({
    structuredContent: { temperature: expect.any(Number), conditions: expect.any(String) },
  });
  const listed = await host.callTool("real__list_resources", {});
  expect(listed.text).toContain("demo://resource");
});

it("[EXT-010] [EXT-011] reads and writes files through server-filesystem, and no others", async () => {
  using folder = temporaryFolder("real-files");
  writeFileSync(join(folder.path, "note.txt"), "forty-two");
  await using host = await hostOf("filesystem", [folder.path]);
  const path = join(folder.path, "note.txt");
  expect((await host.callTool("real__read_text_file", { path })).text).toContain("forty-two");
  const outside = await host.callTool("real__read_text_file", { path: "/etc/hostname" });
  expect([outside.isError, outside.text]).toEqual([true, expect.stringContaining("denied")]);
});

it("[EXT-010] [EXT-013] keeps the graph of server-memory over a restart of the server", async () => {
  using folder = temporaryFolder("real-memory");
  const env = { MEMORY_FILE_PATH: join(folder.path, "memory.jsonl") };
  const entities = [{ name: "Ada", entityType: "person", observations: ["wrote a program"] }];
  {
    await using host = await hostOf("memory", [], env);
    await host.callTool("real__create_entities", { entities });
  }
  await using host = await hostOf("memory", [], env);
  expect((await host.callTool("real__search_nodes", { query: "Ada" })).text).toContain(
    "wrote a program",
  );
});
