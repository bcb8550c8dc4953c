import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type HookScenario, inGateway } from "./scenario.js";

const HOST = "127.0.0.1";
const hostContext = {
  callDepth: 0,
  workspaceDir: expect.stringMatching(/workspace$/),
  config: expect.any(Object),
};
const startAndStop = inGateway(async () => undefined);

/** Scenarios for the hooks of start, stop and installation. */
export const lifecycleScenarios = {
  gateway_pre_start: {
    play: startAndStop,
    event: { port: 0, host: HOST, reason: "boot" },
    context: hostContext,
  },
  gateway_start: {
    play: startAndStop,
    event: { port: expect.toSatisfy((port: number) => port > 0), host: HOST, generation: 1 },
    context: {
      ...hostContext,
      getCron: expect.any(Function),
      port: expect.toSatisfy((port: number) => port > 0),
      abortSignal: expect.any(AbortSignal),
    },
  },
  gateway_pre_stop: {
    play: startAndStop,
    event: { reason: "command", deadlineMs: 5000 },
    context: hostContext,
  },
  gateway_stop: {
    play: startAndStop,
    event: { reason: "command" },
    context: hostContext,
  },
  cron_changed: {
    play: inGateway(async (gateway) => {
      const methods = await gateway.methods();
      const routine = { name: "tidy", prompt: "tidy up", manual: true };
      await methods.call("cron.add", routine);
    }),
    event: { action: "added", jobId: expect.any(String), job: { name: "tidy", state: {} } },
    context: { ...hostContext, getCron: expect.any(Function) },
  },
  heartbeat_prompt_contribution: {
    play: inGateway(async (gateway, folder) => {
      writeFileSync(join(folder, "workspace", "HEARTBEAT.md"), "- [ ] look at the inbox\n");
      const methods = await gateway.methods();
      await methods.call("heartbeat.run", {});
    }),
    event: {
      agentId: "main",
      sessionKey: expect.stringMatching(/^agent:main:cron:/),
      heartbeatName: "heartbeat",
      prompt: expect.stringContaining("- [ ] look at the inbox"),
    },
    context: { trigger: "heartbeat", heartbeatName: "heartbeat", senderIsOwner: true },
  },
  before_install: {
    play: inGateway(async (gateway, folder) => {
      writeGuest(join(folder, "guest"));
      const methods = await gateway.methods();
      await methods.call("plugins.install", { specifier: "./guest", cwd: folder });
    }),
    event: {
      targetType: "plugin",
      targetName: "guest",
      sourcePath: expect.stringContaining("staging"),
      sourcePathKind: "directory",
      request: { kind: "plugin-dir", mode: "install" },
      builtinScan: { status: "ok", scannedFiles: 1, critical: 0, findings: [] },
      plugin: { pluginId: "guest", version: "1.0.0", contentType: "code" },
    },
    context: {
      targetType: "plugin",
      requestKind: "plugin-dir",
      callDepth: 0,
      config: expect.any(Object),
    },
  },
} satisfies Record<string, HookScenario>;

function writeGuest(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const manifest = { id: "guest", version: "1.0.0", entry: "index.mjs" };
  writeFileSync(join(folder, "openclaw.plugin.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "index.mjs"), "export function register() {}\n");
}
