import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import type { PluginsConfiguration } from "@openclaw/plugin-discovery";
import { describe, expect, it, onTestFinished } from "vitest";
import type { PluginRuntimeOptions } from "../../src/index.js";
import { createTestHost } from "../support/host.js";

const SETTINGS = `---
name: recorder
description: "Records the commands of users"
metadata:
  { "openclaw": { "emoji": "x", "events": ["command", "agent:bootstrap"] } }
---
# Recorder
`;

const HANDLER = `const seen = (globalThis.openclawHookSeen ??= []);
export default async (event) => {
  seen.push([event.type, event.action, event.sessionKey, event.context.commandSource]);
  event.messages.push("recorded " + event.action);
};
export const second = () => seen.push("second");
`;

/** A hook folder by its files. */
type HookFiles = Readonly<Record<string, string>>;

/** Creates a state folder and a workspace with hook folders, and a runtime for them. */
function hostWith(
  hooks: {
    readonly state?: Readonly<Record<string, HookFiles>>;
    readonly workspace?: Readonly<Record<string, HookFiles>>;
  },
  config: PluginsConfiguration = {},
  options: Partial<PluginRuntimeOptions> = {},
) {
  const root = temporaryFolder("hook-folders");
  onTestFinished(() => root[Symbol.dispose]());
  const write = (folder: string, named: Readonly<Record<string, HookFiles>> = {}) => {
    for (const [name, files] of Object.entries(named)) {
      mkdirSync(join(root.path, folder, "hooks", name), { recursive: true });
      for (const [file, text] of Object.entries(files)) {
        writeFileSync(join(root.path, folder, "hooks", name, file), text);
      }
    }
  };
  write("state", hooks.state);
  write("workspace", hooks.workspace);
  const places = { stateDir: join(root.path, "state"), workspaceDir: join(root.path, "workspace") };
  const host = createTestHost([], config, { ...places, ...options });
  return { ...host, root: root.path };
}

const RECORDER = { "HOOK.md": SETTINGS, "handler.mjs": HANDLER };

const command = {
  type: "command",
  action: "new",
  sessionKey: "agent:main:main",
  context: { commandSource: "cli" },
} as const;

describe("hook folders of the operator", () => {
  it("[PLUG-110] of the state folder handle the events of their HOOK.md", async () => {
    onTestFinished(() => void Reflect.deleteProperty(globalThis, "openclawHookSeen"));
    const { runtime } = hostWith({ state: { recorder: RECORDER } });
    const { plugins, hooks, diagnostics } = await runtime.load();
    expect(diagnostics).toEqual([]);
    expect(plugins).toMatchObject([
      {
        id: "hooks/recorder",
        name: "recorder",
        description: "Records the commands of users",
        status: "loaded",
      },
    ]);
    expect(hooks).toMatchObject([{ name: "recorder", events: ["command", "agent:bootstrap"] }]);
    expect(await runtime.fireEvent(command)).toEqual(["recorded new"]);
    await runtime.fireEvent({ ...command, type: "agent", action: "bootstrap" });
    expect(await runtime.fireEvent({ ...command, type: "session" })).toEqual([]);
    expect(Reflect.get(globalThis, "openclawHookSeen")).toEqual([
      ["command", "new", "agent:main:main", "cli"],
      ["agent", "bootstrap", "agent:main:main", "cli"],
    ]);
    await runtime.dispose();
  });

  it("[PLUG-110] of the workspace are off until they are enabled, and not read without trust", async () => {
    const off = hostWith({ workspace: { recorder: RECORDER } });
    expect((await off.runtime.load()).plugins).toMatchObject([
      { id: "hooks/recorder", status: "disabled", reason: "workspace-default" },
    ]);
    const enabled = { entries: { "hooks/recorder": { enabled: true } } };
    const on = hostWith({ workspace: { recorder: RECORDER } }, enabled);
    expect((await on.runtime.load()).plugins).toMatchObject([{ status: "loaded" }]);
    const strange = hostWith({ workspace: { recorder: RECORDER } }, enabled, {
      isWorkspaceTrusted: () => false,
    });
    expect((await strange.runtime.load()).plugins).toEqual([]);
  });

  it("[PLUG-110] use the export that HOOK.md names, and settings below an older name", async () => {
    onTestFinished(() => void Reflect.deleteProperty(globalThis, "openclawHookSeen"));
    const settings =
      '---\nmetadata: { clawdbot: { events: ["command:new"], export: second, requires: { bins: [x] } } }\n---\n';
    const { runtime } = hostWith({
      state: { other: { "HOOK.md": settings, "handler.mjs": HANDLER } },
    });
    const { diagnostics } = await runtime.load();
    expect(diagnostics).toMatchObject([
      { level: "info", code: "manifest-not-used", message: expect.stringContaining("requires") },
    ]);
    await runtime.fireEvent(command);
    expect(Reflect.get(globalThis, "openclawHookSeen")).toEqual(["second"]);
    await runtime.dispose();
  });

  it.each([
    ["no front matter", { "HOOK.md": "# text" }, "has no front matter", "manifest-invalid"],
    ["no events", { "HOOK.md": "---\nname: a\n---\n" }, "found nothing", "manifest-invalid"],
    ["no YAML", { "HOOK.md": "---\n{ a: [\n---\n" }, "that is not YAML", "manifest-invalid"],
    ["a long file", { "HOOK.md": "x".repeat(70_000) }, "larger than 65536", "manifest-invalid"],
    ["no handler", { "HOOK.md": SETTINGS }, "handler.js does not exist", "entry-missing"],
    [
      "another export",
      { "HOOK.md": SETTINGS, "handler.mjs": "export const a = 1;" },
      'exports a (number), expected the handler as "default"',
      "export-invalid",
    ],
  ])("[PLUG-110] with %s are listed as broken", async (_title, files, message, code) => {
    const { runtime } = hostWith({ state: { broken: files } });
    const { plugins, diagnostics } = await runtime.load();
    expect(plugins).toMatchObject([{ id: "hooks/broken", status: "error" }]);
    expect(diagnostics).toMatchObject([
      { level: "error", code, message: expect.stringContaining(message), pluginId: "hooks/broken" },
    ]);
  });

  it("[PLUG-110] that every user may write to are not run", async () => {
    const { runtime, root } = hostWith({ state: { recorder: RECORDER } });
    chmodSync(join(root, "state/hooks/recorder"), 0o777);
    const { plugins, diagnostics } = await runtime.load();
    expect(plugins).toMatchObject([{ status: "error" }]);
    expect(diagnostics).toMatchObject([{ code: "folder-unsafe" }]);
  });
});
