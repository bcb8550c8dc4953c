import { describe, expect, it, onTestFinished, vi } from "vitest";
import { FakeServer, mcpHost, until } from "./support/fixture.js";

describe("tools of a stdio server", () => {
  it("[EXT-010] [EXT-011] [HOST-033] offers tools as server__tool and runs them on the one path", async () => {
    const server = new FakeServer();
    const host = await mcpHost({ "my files": server.entry });
    const result = await host.callTool("my_files__echo", { text: "hello" });
    expect(result.text).toBe("hello");
    expect(result.isError).toBe(false);
    expect(server.pids()).toHaveLength(1);
  });

  it("[EXT-011] checks structured content against the output schema", async () => {
    const host = await mcpHost({ fake: new FakeServer().entry });
    const result = await host.callTool("fake__sum", { a: 1, b: 2 });
    expect(result.text).toBe('{"sum":3}');
    expect(result.details).toMatchObject({ structuredContent: { sum: 3 } });

    const wrong = await mcpHost({ fake: new FakeServer("wrong sum").entry });
    const refused = await wrong.callTool("fake__sum", { a: 1, b: 2 });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/output schema|structured content/i);
  });

  it("[EXT-523] passes text and images to the model, and keeps other content as files of their parts", async () => {
    const host = await mcpHost({ fake: new FakeServer().entry });
    const { content } = await host.callTool("fake__media");
    expect(content.map((part) => part.type)).toEqual([
      ...["text", "image", "text", "text", "text", "text"],
    ]);
    expect(content).toContainEqual(expect.objectContaining({ text: "content of b" }));
    expect(JSON.stringify(content)).toContain("[resource a file:///a.txt (text/plain)]");
    const files = content.flatMap((part) => (part.type === "text" ? (part.file ?? []) : []));
    expect(files).toEqual([
      { mimeType: "audio/wav", data: "UklGRg==" },
      { mimeType: "text/plain", uri: "file:///b.txt" },
      { mimeType: "application/x-c", data: "AAEC", uri: "file:///c.bin" },
    ]);
  });

  it("[EXT-010] gives a program the variables of its entry and none that hold secrets", async () => {
    vi.stubEnv("SECRET_TOKEN_OF_THE_HOST", "secret-of-the-host");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { entry } = new FakeServer();
    const env = { ...entry.env, OWN_SETTING: "mine" };
    const host = await mcpHost({ fake: { ...entry, env } });
    const { text } = await host.callTool("fake__env");
    expect(text).toContain('"OWN_SETTING":"mine"');
    expect(text).not.toContain("secret-of-the-host");
  });

  it("[EXT-011] [APPR-005] asks for calls of tools that are or may be destructive", async () => {
    const { entry } = new FakeServer();
    const host = await mcpHost({ fake: entry });
    for (const name of ["fake__drop", "fake__plain"]) {
      expect((await host.callTool(name)).isError).toBe(true);
    }
    const trusted = await mcpHost({ fake: { ...entry, approval: "never" } });
    expect((await trusted.callTool("fake__drop")).text).toBe("ran drop");
    const strict = await mcpHost({ fake: { ...entry, approval: "always" } });
    expect((await strict.callTool("fake__echo", { text: "a" })).isError).toBe(true);
  });

  it("[EXT-011] names all tools of a server by the name of the server in policies", async () => {
    const { entry } = new FakeServer();
    const config = { tools: { deny: ["fake"] } };
    const host = await mcpHost({ fake: entry, other: entry }, { config });
    expect((await host.callTool("fake__echo", { text: "a" })).isError).toBe(true);
    expect((await host.callTool("other__echo", { text: "a" })).text).toBe("a");
    const none = await mcpHost({ fake: entry }, { config: { tools: { deny: ["group:mcp"] } } });
    expect((await none.callTool("fake__echo", { text: "a" })).isError).toBe(true);
  });

  it("[HOOKCAT:before_tool_call] [TURN-031] [SDK-522] passes MCP tools through the hooks, and hides the entries from other plugins", async () => {
    const kinds: unknown[] = [];
    const seen: unknown[] = [];
    const host = await mcpHost(
      { fake: new FakeServer().entry },
      {
        neighbours: [
          {
            id: "guard",
            register(api) {
              seen.push(api.config.mcpServers);
              api.on("before_tool_call", ({ toolKind }) => {
                kinds.push(toolKind);
                return { block: true, blockReason: "not today" };
              });
            },
          },
        ],
      },
    );
    const blocked = await host.callTool("fake__echo", { text: "a" });
    expect(blocked.text).toContain("not today");
    expect(kinds).toEqual(["mcp"]);
    expect(seen).toEqual([{ fake: "[redacted]" }]);
  });

  it("[EXT-523] uses and leaves out tools as the entry says", async () => {
    const { entry } = new FakeServer();
    const tools = { allow: ["echo", "env"], deny: ["env"] };
    const host = await mcpHost({ fake: { ...entry, tools } });
    expect((await host.callTool("fake__echo", { text: "a" })).text).toBe("a");
    for (const name of ["fake__env", "fake__sum"]) {
      expect((await host.callTool(name)).text).toMatch(/not|unknown/i);
    }
  });

  it("[EXT-011] shows the progress of a call, and cancels an interrupted call there", async () => {
    const server = new FakeServer();
    const host = await mcpHost(
      { fake: { ...server.entry, approval: "never" } },
      { model: [{ toolCalls: [{ toolName: "fake__slow" }] }, { text: "done" }] },
    );
    const turn = host.turn("go");
    await until(() => server.notes.includes("reported progress"));
    // The host reads what is in the pipe.
    for (let round = 0; round < 3; round += 1) await new Promise(setImmediate);
    await host.receive({ text: "/stop" });
    const { events } = await turn;
    expect(events).toContainEqual(
      expect.objectContaining({ type: "tool-update", text: "1 of 4: working" }),
    );
    await until(() => server.notes.some((line) => line.startsWith("cancelled ")));
    expect((await host.callTool("fake__echo", { text: "after it" })).text).toBe("after it");
  });
});
