import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readBundleServers } from "../src/bundles/entries.js";
import { FakeServer, mcpHost } from "./support/fixture.js";

function bundle(name: string, servers: object): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bundle-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, ".claude-plugin"));
  writeFileSync(join(folder, ".claude-plugin/plugin.json"), JSON.stringify({ name }));
  writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
  return folder;
}

const declared = (servers: object, isPortable = false) => ({
  ...{ pluginId: "helper", rootDir: "/bundle", dataDir: "/data", isPortable },
  servers: { ...servers },
});

describe("servers of bundles", () => {
  it("[EXT-535] are used as those of the configuration, whose name wins", async () => {
    const server = new FakeServer();
    const taken = new FakeServer();
    const folder = bundle("helper", { files: server.entry, fake: taken.entry });
    const host = await mcpHost(
      { fake: { ...server.entry, enabled: false } },
      { config: { plugins: { load: { paths: [folder] } } } },
    );
    await vi.waitFor(
      async () =>
        expect((await host.callTool("files__echo", { text: "hello" })).text).toBe("hello"),
      40_000,
    );
    const answer = await host.request("/api/v1/mcp.list", { method: "POST", body: "{}" });
    const { servers } = (await answer.json()) as { servers: readonly { name: string }[] };
    expect(servers.map(({ name }) => name)).toEqual(["fake", "files", "helper-fake"]);
  });

  it("[EXT-535] replaces the folders of the bundle and variables of the gateway", () => {
    const root = "$" + "{CLAUDE_PLUGIN_ROOT}";
    const servers = {
      local: { command: "./run", args: [`${root}/a`, "$" + "{NAME:-x}"], cwd: "./sub" },
      remote: { url: "https://h.example/mcp", headers: { A: "$" + "{TOKEN}" } },
      lost: { command: "node", args: ["$" + "{NOT_SET}"] },
    };
    const [local, remote, lost] = readBundleServers(declared(servers), { TOKEN: "t" }, new Set());
    expect(local).toMatchObject({
      name: "local",
      place: { folder: "/bundle" },
      target: {
        ...{ command: "/bundle/run", args: ["/bundle/a", "x"], cwd: "/bundle/sub" },
        env: { CLAUDE_PLUGIN_ROOT: "/bundle", PLUGIN_DATA: "/data" },
      },
    });
    expect(remote).toMatchObject({ target: { headers: { A: "t" } } });
    expect(lost).toMatchObject({ problem: expect.stringContaining("NOT_SET") });
  });

  it("[EXT-535] replaces in a portable bundle only its two folders, and only where its format has them", () => {
    const entry = {
      command: "node",
      args: ["$" + "{PLUGIN_ROOT}/a", "$" + "{HOME}", "$" + "{CLAUDE_PLUGIN_ROOT}"],
    };
    const remote = { url: "https://h.example/mcp", headers: { A: "$" + "{PLUGIN_ROOT}" } };
    const [local, other] = readBundleServers(
      declared({ local: entry, remote }, true),
      { HOME: "/home/me" },
      new Set(),
    );
    expect(local).toMatchObject({
      target: { args: ["/bundle/a", "$" + "{HOME}", "$" + "{CLAUDE_PLUGIN_ROOT}"] },
    });
    expect(other).toMatchObject({ target: { headers: { A: "$" + "{PLUGIN_ROOT}" } } });
  });
});
