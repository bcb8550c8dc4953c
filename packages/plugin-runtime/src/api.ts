import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { HookDoors } from "./hook-doors.js";
import type { HookDoor } from "./hook-name.js";
import type { PluginInstance } from "./plugin-instance.js";
import { readProvider } from "./provider-registration.js";
import { readTool } from "./tool-registration.js";

/**
 * Makes the `api` of one plugin in one generation. Every method refuses once the generation has ended.
 * @param instance - the plugin
 * @param doors - the ways to register a handler
 * @param config - the host's configuration as the plugin may see it, frozen
 */
export function createPluginApi(
  instance: PluginInstance,
  doors: HookDoors,
  config: Readonly<Record<string, unknown>>,
): OpenClawPluginApi {
  const { id, name, version, description, source, rootDir } = instance.identity;
  const open = (door: HookDoor) => (names: unknown, handler: unknown, options?: unknown) =>
    doors.open(door, names, handler, options);
  return {
    id,
    name,
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    source,
    rootDir,
    config,
    pluginConfig: instance.grants.config,
    logger: instance.logger,
    lifecycle: {
      signal: instance.signal,
      on: open("lifecycle.on"),
      onDispose(callback) {
        instance.assertUsable("lifecycle.onDispose");
        instance.onDispose(callback);
      },
    },
    on: open("on"),
    registerHook: open("registerHook"),
    registerTool(tool, options) {
      instance.assertUsable("registerTool");
      instance.register("tools", readTool(instance.origin, tool, options));
    },
    registerProvider(provider) {
      instance.assertUsable("registerProvider");
      instance.register("providers", readProvider(instance.origin, provider));
    },
    resolvePath(input) {
      if (input === "~" || input.startsWith("~/")) return join(homedir(), input.slice(1));
      return resolve(rootDir, input);
    },
  };
}
