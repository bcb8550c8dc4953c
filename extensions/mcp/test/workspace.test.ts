import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it, vi } from "vitest";
import { expandEntry } from "../src/workspace/expansion.js";
import { FakeServer, mcpHost, until } from "./support/fixture.js";

/** Host with a server in the file of its workspace, whose approval requests stay open. */
async function workspaceHost(entry: object, options: Parameters<typeof mcpHost>[1] = {}) {
  return await mcpHost(
    {},
    {
      files: { ".mcp.json": JSON.stringify({ mcpServers: { fake: entry } }) },
      answer: () => undefined,
      ...options,
    },
  );
}

const write = (host: TestHost, entry: object) =>
  writeFileSync(
    join(host.workspaceDir, ".mcp.json"),
    JSON.stringify({ mcpServers: { fake: entry } }),
  );

async function listed(host: TestHost) {
  const answer = await host.request("/api/v1/mcp.list", { method: "POST", body: "{}" });
  const { servers } = (await answer.json()) as { servers: readonly Record<string, unknown>[] };
  return servers;
}

const echo = (host: TestHost) => host.callTool("fake__echo", { text: "hello" });

describe("servers of a workspace", () => {
  it("[EXT-010] asks once before a server is used, and again when its entry changes", async () => {
    const server = new FakeServer();
    const host = await workspaceHost(server.entry);
    await host.turn("hello");
    await host.turn("hello again");
    expect(host.questions).toHaveLength(1);
    expect(JSON.stringify(host.questions)).toContain("stdio-server.mjs");
    expect((await echo(host)).isError).toBe(true);
    expect(server.pids()).toEqual([]);
    expect(await listed(host)).toMatchObject([
      { name: "fake", state: "refused", origin: join(host.workspaceDir, ".mcp.json") },
    ]);

    await host.approve();
    await until(async () => (await listed(host))[0]?.state !== "refused");
    await vi.waitFor(async () => expect((await echo(host)).text).toBe("hello"), 40_000);
    await host.turn("once more");
    expect(host.questions).toHaveLength(1);

    write(host, { ...server.entry, args: [...server.entry.args, "--changed"] });
    await host.turn("and now");
    expect(host.questions).toHaveLength(2);
    expect((await echo(host)).isError).toBe(true);
    await until(() => server.pids().length === 1);
  });

  it("[EXT-010] does not use a server that a person denied, and asks no more", async () => {
    const server = new FakeServer();
    const host = await workspaceHost(server.entry, { answer: "deny" });
    await host.turn("hello");
    await until(async () => String((await listed(host))[0]?.reason).startsWith("was not allowed;"));
    await host.turn("hello again");
    expect(host.questions).toHaveLength(1);
    expect(server.pids()).toEqual([]);
  });

  it("[EXT-010] does not use a server where no person can be asked, until the operator accepts it", async () => {
    const server = new FakeServer();
    const host = await mcpHost(
      {},
      { files: { ".mcp.json": JSON.stringify({ mcpServers: { fake: server.entry } }) } },
    );
    await host.turn("hello");
    expect(host.logs.some(({ message }) => message.includes("no person could be asked"))).toBe(
      true,
    );
    expect(server.pids()).toEqual([]);
    const accepted = await host.request("/api/v1/mcp.accept", {
      ...{ method: "POST", body: JSON.stringify({ server: "fake" }) },
    });
    expect(accepted.status).toBe(200);
    await vi.waitFor(async () => expect((await echo(host)).text).toBe("hello"), 40_000);
  });

  it("[EXT-010] [SAFE-500] reads only how a server is reached from the file, and names what it cannot use", async () => {
    const server = new FakeServer();
    const host = await mcpHost(
      { taken: { command: "absent", enabled: false } },
      {
        answer: () => undefined,
        files: {
          ".mcp.json": JSON.stringify({
            mcpServers: {
              fake: { ...server.entry, approval: "never", start: "eager" },
              taken: { command: "other" },
              unset: { command: "x", args: [`\${OPENCLAW_TEST_UNSET}`] },
              letters: { url: "http://127.0.0.1:1/mcp", headers: { "X-Team": "李雷" } },
            },
          }),
        },
      },
    );
    await host.turn("hello");
    expect(host.questions).toHaveLength(1);
    const reasons = (await listed(host)).map(({ name, reason }) => [name, reason]);
    expect(reasons).toEqual([
      ["fake", expect.stringContaining("waits until a person allows it")],
      ["letters", expect.stringContaining("header X-Team with a wrong value: its character 1")],
      ["taken", expect.stringContaining("is disabled")],
      ["taken", expect.stringContaining("has the name of a server of the configuration")],
      ["unset", expect.stringContaining("uses the variable OPENCLAW_TEST_UNSET, which is not set")],
    ]);
    await host.approve();
    // A destructive tool still needs its approval.
    await vi.waitFor(async () => expect((await echo(host)).text).toBe("hello"), 40_000);
    const pending = host.callTool("fake__drop");
    await until(() => host.questions.length === 2);
    await host.deny();
    expect((await pending).isError).toBe(true);
  });

  it("[EXT-010] names a file that cannot be read", async () => {
    const host = await mcpHost({}, { files: { ".mcp.json": "{ nothing" } });
    await host.turn("hello");
    expect(await listed(host)).toMatchObject([
      { name: ".mcp.json", reason: expect.stringContaining("cannot be read") },
    ]);
  });

  it("[EXT-010] replaces variables with their values or defaults", () => {
    const entry = {
      command: `\${HOME_OF}/bin`,
      args: [`--url=\${URL:-http://a/}`, `$HOME \${EMPTY:-x}`, `\${1}`],
      env: { KEY: `\${MISSING}` },
    };
    expect(expandEntry(entry, { HOME_OF: "/home/me", EMPTY: "" })).toEqual({
      entry: {
        command: "/home/me/bin",
        args: ["--url=http://a/", "$HOME x", `\${1}`],
        env: { KEY: `\${MISSING}` },
      },
      used: ["HOME_OF", "URL", "EMPTY", "MISSING"],
      unset: ["MISSING"],
    });
  });
});
