import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { inspectCompatibility, PluginMissingError } from "../../src/index.js";

async function reportOn(files: Readonly<Record<string, string>>) {
  using folder = temporaryFolder();
  folder.write(files);
  const { parts, ...report } = await inspectCompatibility({ path: folder.path });
  const lines = parts.map(({ kind, name, status }) => `${status} ${kind} ${name}`.trim());
  return { ...report, parts, lines };
}

const manifest = (more: object) => JSON.stringify({ id: "guard", version: "1.2.3", ...more });

describe("report on a plugin", () => {
  it("[EXT-024] lists what works, what is mapped, and what is not supported, each with a reason", async () => {
    const report = await reportOn({
      "clawdbot.plugin.json": manifest({ entry: "index.mjs", skills: ["skills", "gone"] }),
      "skills/one/SKILL.md": "---\nname: one\ndescription: d\n---\n",
      "index.mjs": `export function register(api) {
        const parameters = { type: "object", properties: {} };
        api.registerTool({ name: "look", description: "d", parameters, execute: () => "x" });
        api.registerHttpRoute({ path: "/hook", auth: "gateway", handler: () => {} });
        api.on("agent_end", () => {});
        api.on("no_such_hook", () => {});
        api.registerChannel({ id: "pigeon" });
        api.registerRealtimeVoiceProvider({ id: "voice" });
        api.registerReload({ hotPrefixes: ["tools"] });
        api.registerToolMetadata({ toolName: "look", displayName: "Look" });
      }`,
    });
    expect(report).toMatchObject({ id: "guard", version: "1.2.3", format: "plugin", loads: true });
    expect(report.lines).toEqual(
      expect.arrayContaining([
        "works tool look",
        "works hook agent_end",
        "works HTTP route /plugins/guard/hook",
        "works skills skills",
        "unsupported skills gone",
        "mapped plugin manifest-legacy",
        "unsupported plugin unknown-hook",
        "works channel pigeon",
        "unsupported registration by registerRealtimeVoiceProvider",
        "works reload rules",
        "works metadata of a tool look",
      ]),
    );
    for (const { status, reason } of report.parts) {
      if (status !== "works") expect(reason).toMatch(/\w/);
    }
  });

  it("[EXT-024] names every missing part of a plugin that does not load", async () => {
    const report = await reportOn({
      "openclaw.plugin.json": manifest({ entry: "index.mjs" }),
      "index.mjs": `import "openclaw/plugin-sdk/one-part";
        import { nothing } from "openclaw/plugin-sdk/tools";
        export default { register: () => nothing };`,
    });
    expect(report.loads).toBe(false);
    expect(report.lines).toEqual(
      expect.arrayContaining([
        "unsupported import openclaw/plugin-sdk/one-part",
        "unsupported import nothing of openclaw/plugin-sdk/tools",
      ]),
    );
  });

  it("gives the plugin the slot of its kind", async () => {
    const report = await reportOn({
      "openclaw.plugin.json": manifest({ kind: "memory", entry: "index.mjs" }),
      "index.mjs": 'export const register = (api) => void api.on("agent_end", () => {});',
    });
    expect(report).toMatchObject({ loads: true, lines: ["works hook agent_end"] });
  });

  it("names the setting that a plugin needs", async () => {
    const configSchema = { type: "object", properties: { key: {} }, required: ["key"] };
    const report = await reportOn({
      "openclaw.plugin.json": manifest({ configSchema, entry: "index.mjs" }),
      "index.mjs": "export const register = () => {};",
    });
    expect(report).toMatchObject({ loads: false, lines: ["unsupported plugin settings"] });
    expect(report.parts[0]?.reason).toContain("plugins.entries.guard.config");
    expect(report.parts[0]?.reason).toContain("give them with --plugin-config FILE");
  });

  it("fails for a path that does not exist", async () => {
    await expect(inspectCompatibility({ path: "/nowhere/at/all" })).rejects.toThrow(
      PluginMissingError,
    );
  });
});

describe("report on a bundle of another tool", () => {
  it("[EXT-024] says of each part whether it works, what it is mapped to, or why it has no effect", async () => {
    const report = await reportOn({
      ".claude-plugin/plugin.json": '{ "name": "helper", "version": "0.1.0" }',
      "skills/one/SKILL.md": "x",
      "skills/empty/readme.md": "x",
      "commands/go.md": "x",
      "agents/reviewer.md": "x",
      "hooks/hooks.json": JSON.stringify({
        hooks: { Notification: [{ hooks: [{ type: "command", command: "true" }] }] },
      }),
      ".mcp.json": JSON.stringify({ mcpServers: { files: { command: "node" } } }),
      "output-styles/loud.md": "x",
    });
    expect(report).toMatchObject({ id: "helper", version: "0.1.0", format: "bundle" });
    expect(report.lines).toEqual([
      "works skill one",
      "mapped command go",
      "mapped agent reviewer",
      "works MCP server files",
      "unsupported hook Notification-1",
      "unsupported files output-styles",
    ]);
    for (const { status, reason } of report.parts)
      if (status !== "works") expect(reason).toMatch(/\w/);
  });

  it("[EXT-024] says why a bundle cannot be read", async () => {
    const report = await reportOn({ ".claude-plugin/plugin.json": "{" });
    expect(report.loads).toBe(false);
    expect(report.parts).toEqual([
      expect.objectContaining({ reason: expect.stringContaining("is not valid JSON") }),
    ]);
  });
});
