import { join } from "node:path";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import type { BridgeDependencies } from "./account.js";
import { BridgeChannel } from "./channel.js";
import { discord } from "./presets/discord.js";
import type { BridgeSettings, Preset } from "./presets/preset.js";
import { slack } from "./presets/slack.js";
import { teams } from "./presets/teams.js";
import { whatsapp } from "./presets/whatsapp.js";
import { configuredPlatform } from "./settings.js";
import { handleWebhook, WEBHOOK_PATH } from "./webhook.js";

const PRESETS: readonly Preset[] = [discord, slack, teams, whatsapp];
/** Folder in the state folder in which operators install adapters. */
const ADAPTERS = "chat-adapters";

/** Options of {@link createChatBridge}. */
export interface ChatBridgeOptions {
  /** Options for every adapter that a configuration file cannot express, such as a transport of files. */
  readonly adapterOptions?: Readonly<Record<string, unknown>>;
}

/**
 * Creates the plugin that turns adapters of the Chat SDK into channels: a preset for each known platform, and every
 * section of `channels` that names the package of an adapter.
 * @param options - options for adapters
 */
export function createChatBridge({ adapterOptions = {} }: ChatBridgeOptions = {}) {
  return definePluginEntry({
    id: "chat-bridge",
    name: "Chat bridge",
    description:
      "Channels for Discord, Microsoft Teams, Slack, WhatsApp and any other platform with an adapter of the Chat SDK.",
    register(api) {
      const dependencies: BridgeDependencies = {
        kv: api.store.kv,
        now: () => Date.now(),
        folders: foldersOf(api),
        adapterOptions,
      };
      const channels = new Map<string, BridgeChannel>();
      for (const preset of [...PRESETS, ...configured(api.config.channels)]) {
        const channel = new BridgeChannel(preset, dependencies);
        channels.set(channel.name, channel);
        api.registerChannel(channel);
      }
      api.registerHttpRoute({
        path: WEBHOOK_PATH,
        match: "prefix",
        auth: "plugin",
        methods: ["GET", "POST"],
        fetch: (request) => handleWebhook(request, channels),
      });
    },
  });
}

function configured(sections: unknown): readonly Preset[] {
  if (!isSettings(sections)) return [];
  return Object.entries(sections).flatMap(([channel, section]) => {
    if (PRESETS.some((preset) => preset.channel === channel)) return [];
    const hasAdapter = isSettings(section) && typeof section.adapter === "string";
    return hasAdapter ? [configuredPlatform(channel, section)] : [];
  });
}

/** An adapter is found next to this package, or where the operator installed it. */
function foldersOf({ runtime, rootDir }: Pick<OpenClawPluginApi, "runtime" | "rootDir">) {
  const stateDir = runtime.state?.resolveStateDir?.();
  const own = [import.meta.dirname, rootDir];
  return stateDir === undefined ? own : [...own, join(stateDir, ADAPTERS)];
}

function isSettings(value: unknown): value is BridgeSettings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
