import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { discoverPlugins, partsOf, readPluginFolder } from "../../src/index.js";

function folderWith(files: Readonly<Record<string, string | object>>) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === "string" ? content : JSON.stringify(content),
      ]),
    ),
  );
  return folder.path;
}

function read(files: Readonly<Record<string, string | object>>) {
  const root = folderWith(files);
  const found = readPluginFolder(root);
  const { bundle, manifest } = found ?? {};
  const parts = bundle && manifest ? partsOf(bundle, root, manifest.id) : [];
  return {
    ...{ root, bundle, manifest, messages: found?.diagnostics.map(({ message }) => message) ?? [] },
    parts: parts.map(({ kind, name, status }) => `${status} ${kind} ${name}`),
    reasons: parts,
  };
}

const SKILL = "---\nname: greet\ndescription: Greets.\n---\nHello.";
const PORTABLE = "https://agent-plugins.org/schemas/1.0.0";

describe("reader of bundles", () => {
  it("[EXT-530] reads a Claude Code plugin with its folders and the places that its manifest adds", () => {
    const { bundle, manifest, parts } = read({
      ".claude-plugin/plugin.json": {
        name: "Helper Tools",
        version: "1.2.0",
        commands: ["./extra/deploy.md"],
        mcpServers: { inline: { command: "node", args: ["$" + "{CLAUDE_PLUGIN_ROOT}/s.js"] } },
      },
      "skills/greet/SKILL.md": SKILL,
      "commands/go.md": "Go.",
      "commands/git/Commit Now.md": "Commit.",
      "extra/deploy.md": "Deploy.",
      "agents/reviewer.md": "---\nname: reviewer\ndescription: Reviews.\n---\nYou review.",
      ".mcp.json": { mcpServers: { remote: { type: "http", url: "https://example.com/mcp" } } },
      "s.js": "",
    });
    expect(bundle).toMatchObject({ format: "claude", name: "Helper Tools", skills: ["skills"] });
    expect(manifest).toMatchObject({ id: "helper-tools", version: "1.2.0", skills: ["skills"] });
    expect(manifest?.permissions).toMatchObject({
      commands: ["helper-tools"],
      network: { hosts: ["example.com"] },
    });
    expect(parts).toEqual([
      ...["works skill greet", "mapped command git-commit-now", "mapped command go"],
      ...["mapped command deploy", "mapped agent reviewer"],
      ...["works MCP server remote", "works MCP server inline"],
    ]);
  });

  it.each([
    [".codex-plugin/plugin.json", "codex"],
    [".cursor-plugin/plugin.json", "cursor"],
  ])("[EXT-530] reads a plugin with the marker %s", (marker, format) => {
    const { bundle, parts } = read({ [marker]: { name: "p" }, "skills/greet/SKILL.md": SKILL });
    expect(bundle).toMatchObject({ format, name: "p" });
    expect(parts).toEqual(["works skill greet"]);
  });

  it("[EXT-530] reads a Gemini CLI extension with commands in TOML and its context", () => {
    const { bundle, parts } = read({
      "gemini-extension.json": { name: "g", version: "1.0.0", mcpServers: { a: { command: "a" } } },
      "GEMINI.md": "Be kind.",
      "commands/fs/count.toml": 'prompt = "Count {{args}}"',
    });
    expect(bundle?.format).toBe("gemini");
    expect(parts).toEqual([
      ...["mapped command fs-count", "works MCP server a", "mapped context GEMINI.md"],
    ]);
  });

  it("[EXT-530] takes the own manifest first, then the marker, then plugin.json, then bare folders", () => {
    const bare = { "skills/greet/SKILL.md": SKILL };
    const portable = {
      ...bare,
      "plugin.json": { $schema: `${PORTABLE}/plugin.schema.json`, name: "p" },
    };
    const marked = { ...portable, ".claude-plugin/plugin.json": { name: "c" } };
    const own = { ...marked, "openclaw.plugin.json": { id: "own", skills: ["skills"] } };
    expect(read(own)).toMatchObject({ bundle: undefined, manifest: { id: "own" } });
    expect(read(marked)).toMatchObject({ bundle: { format: "claude" }, manifest: { id: "c" } });
    expect(read(portable).bundle).toMatchObject({ format: "agent-plugins", name: "p" });
    expect(read(bare).bundle).toMatchObject({ format: "claude", skills: ["skills"] });
    expect(read({ "readme.md": "x" })).toMatchObject({ bundle: undefined, manifest: undefined });
  });

  it("[EXT-530] reads the Agent Plugins format: one wrong server costs that server, an unknown field nothing", () => {
    const server = { type: "stdio", command: "./bin/run", args: ["$" + "{PLUGIN_DATA}/x"] };
    const { bundle, reasons } = read({
      "plugin.json": {
        ...{ $schema: `${PORTABLE}/plugin.schema.json`, name: "acme.tools", color: "red" },
        extensions: { "com.example.client": {} },
      },
      "mcp.json": {
        $schema: `${PORTABLE}/mcp.schema.json`,
        mcpServers: {
          ...{ good: server, remote: { type: "streamable-http", url: "https://h.example/mcp" } },
          shell: { type: "stdio", command: "rm -rf x" },
          up: { type: "stdio", command: "node", cwd: "./a/../../b" },
          plain: { type: "sse", url: "http://h.example/sse" },
          mixed: { type: "stdio", command: "node", url: "https://h.example" },
          untyped: { command: "node" },
        },
      },
    });
    expect(bundle?.mcpServers).toEqual({
      good: server,
      remote: { type: "http", url: "https://h.example/mcp" },
    });
    const lost = reasons.filter(({ status }) => status === "unsupported");
    expect(lost.map(({ name }) => name)).toEqual([
      ...["color", "com.example.client", "shell", "up", "plain", "mixed", "untyped"],
    ]);
    for (const { reason } of lost) expect(reason).toMatch(/\w/);
  });

  it.each([
    [
      "another version",
      { $schema: `${PORTABLE.replace("1.0.0", "2.0.0")}/plugin.schema.json`, name: "a" },
    ],
    ["a wrong name", { $schema: `${PORTABLE}/plugin.schema.json`, name: "has--double" }],
    ["a wrong field", { $schema: `${PORTABLE}/plugin.schema.json`, name: "a", keywords: "x" }],
  ])("[EXT-530] rejects a manifest of the Agent Plugins format with %s", (_what, manifest) => {
    const found = read({ "plugin.json": manifest, "skills/greet/SKILL.md": SKILL });
    expect(found).toMatchObject({ bundle: undefined, manifest: undefined });
    expect(found.messages).toEqual(
      [expect.stringContaining("plugin.json has ")].map(() =>
        expect.stringMatching(/plugin\.json (?:has|is for)/),
      ),
    );
  });

  it("[EXT-530] reads no file outside the bundle, also through a link, and no broken file stops the rest", () => {
    const outside = folderWith({ "secret.md": "x", "mcp.json": { mcpServers: { x: {} } } });
    const root = folderWith({
      ".claude-plugin/plugin.json": {
        name: "p",
        commands: "../../etc",
        hooks: "./hooks/broken.json",
      },
      "hooks/broken.json": "{",
      "commands/ok.md": "x",
    });
    symlinkSync(join(outside, "secret.md"), join(root, "commands", "leak.md"));
    symlinkSync(join(outside, "mcp.json"), join(root, ".mcp.json"));
    const { bundle } = readPluginFolder(root) ?? {};
    expect(bundle?.commands.map(({ name }) => name)).toEqual(["ok"]);
    expect(bundle?.mcpServers).toEqual({});
    expect(bundle?.unsupported.map(({ name }) => name)).toEqual(
      ["hooks/broken.json", "../../etc"].toSorted((a, b) => (a < b ? 1 : -1)),
    );
  });

  it("[EXT-534] [EXT-540] lists the programs of hooks, and names handlers without an effect", () => {
    const handler = (fields: object) => ({ hooks: [fields] });
    const { bundle, manifest, parts } = read({
      "hooks/hooks.json": {
        hooks: {
          PreToolUse: [
            { matcher: "Bash", ...handler({ type: "command", command: "sh ./check.sh" }) },
            handler({ type: "mcp_tool", server: "s" }),
            handler({ type: "command" }),
            { matcher: 5, ...handler({ type: "command", command: "x" }) },
            { matcher: "Bash" },
          ],
          Stop: [
            handler({ type: "http", url: "https://hooks.example/stop" }),
            handler({ type: "mcp_tool", server: "s", tool: "t" }),
            handler({ type: "agent", prompt: "Is it done?" }),
          ],
          Notification: [handler({ type: "command", command: "x" })],
          Unheard: {},
        },
      },
      "check.sh": "exit 0",
    });
    expect(bundle?.hooks.map(({ name, matcher }) => [name, matcher])).toEqual([
      ["PreToolUse-1", "Bash"],
      ["Stop-1", undefined],
      ["Stop-2", undefined],
      ["Stop-3", undefined],
    ]);
    expect(manifest?.permissions).toMatchObject({
      exec: [
        expect.stringMatching(/^hook PreToolUse \(Bash\): sh \.\/check\.sh \[sha256:/),
        expect.stringMatching(/^hook Stop: calls the tool t of MCP server s \[sha256:/),
        expect.stringMatching(/^hook Stop: runs an agent: Is it done\? \[sha256:/),
      ],
      network: { hosts: ["hooks.example"] },
    });
    expect(parts.filter((part) => part.startsWith("unsupported"))).toEqual([
      "unsupported hook PreToolUse-2",
      "unsupported hook PreToolUse-3",
      "unsupported hook PreToolUse-4",
      "unsupported hook PreToolUse",
      "unsupported hook Notification-1",
      "unsupported hook Unheard",
    ]);
  });

  it("[EXT-534] lists programs with a digest that changes with the definition and with the script", () => {
    const files = (script: string, args: readonly string[]) => ({
      ".claude-plugin/plugin.json": { name: "p" },
      ".mcp.json": {
        mcpServers: {
          s: { command: "node", args: ["./run.js", ...args], env: { T: "$" + "{TOKEN}" } },
        },
      },
      "run.js": script,
    });
    const lines = (script: string, args: readonly string[] = []) => {
      const { exec, secrets } = read(files(script, args)).manifest?.permissions ?? {};
      expect(secrets).toEqual(["TOKEN"]);
      return exec?.[0];
    };
    const first = lines("1");
    expect(first).toMatch(/^MCP server s: node \.\/run\.js \[sha256:[0-9a-f]{16}\]$/);
    expect(lines("1")).toBe(first);
    expect(lines("2")).not.toBe(first);
    expect(lines("1", ["*"])).toMatch(/﹡ \[/);
    // A large script is part of it too, and a long command says that it goes on.
    const large = "//".repeat(3 * 1024 * 1024);
    expect(lines(`${large}1`)).not.toBe(lines(`${large}2`));
    expect(lines("1", ["a".repeat(400)])).toMatch(/a… \(\d+ more characters\) \[sha256:/);
  });

  it("[EXT-549] reads .claude of a trusted workspace as a plugin that is off until it is enabled", async () => {
    const root = folderWith({
      ".claude/settings.json": {
        permissions: { allow: ["Bash"] },
        hooks: { Stop: [{ hooks: [{ type: "command", command: "date" }] }] },
      },
      ".claude/settings.local.json": {
        hooks: { Stop: [{ hooks: [{ type: "command", command: "id" }] }] },
      },
      ".claude/commands/go.md": "Go.",
      ".claude/agents/reviewer.md": "---\nname: reviewer\n---\nYou review.",
      ".claude/skills/greet/SKILL.md": SKILL,
    });
    const sources = { workspaceDir: root };
    const [found] = discoverPlugins(sources).candidates;
    expect(found).toMatchObject({ id: "workspace-claude", origin: "workspace", named: false });
    expect(found?.bundle?.hooks.map(({ handler }) => handler.command)).toEqual(["date", "id"]);
    expect(found?.bundle).toMatchObject({
      skills: [],
      commands: [{ name: "go" }],
      agents: [{ name: "reviewer" }],
    });
    expect(found?.diagnostics).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("settings.json permissions") }),
    );
    expect(discoverPlugins({ ...sources, isWorkspaceTrusted: () => false }).candidates).toEqual([]);
    expect(discoverPlugins({ workspaceDir: folderWith({ ".claude/notes.md": "" }) })).toEqual({
      candidates: [],
      diagnostics: [],
    });
  });
});
