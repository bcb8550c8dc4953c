import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PluginsConfiguration } from "@openclaw/plugin-discovery";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import { onTestFinished } from "vitest";
import type { PluginRuntimeOptions } from "../../src/index.js";
import { createTestHost, type TestHost } from "./host.js";

/** A plugin of files, whose `register` is a function of the test. */
export interface FilePlugin extends PluginManifest {
  /** Source code of its module before `register`. */
  readonly code?: string;
  readonly register: (api: OpenClawPluginApi) => unknown;
}

/** A host with plugins of files in its state folder. */
export interface FileHost extends TestHost {
  readonly stateDir: string;
  /** The folder of a plugin. */
  folder(id: string): string;
}

const registers = new Map<string, FilePlugin["register"]>();
Object.assign(globalThis, {
  registerFilePlugin: (key: string, api: OpenClawPluginApi) => registers.get(key)?.(api),
});

/**
 * Makes a runtime whose plugins are installed in its state folder, with a manifest each.
 * @param plugins - manifests, and what the plugins register
 * @param config - the `plugins` section of the configuration
 * @param options - anything else the runtime takes
 */
export function createFileHost(
  plugins: readonly FilePlugin[],
  config: PluginsConfiguration = {},
  options: Partial<PluginRuntimeOptions> = {},
): FileHost {
  const stateDir = mkdtempSync(join(tmpdir(), "file-host-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  const folder = (id: string) => join(stateDir, "extensions", id);
  for (const { register, code = "", ...manifest } of plugins) {
    const key = `${stateDir} ${manifest.id}`;
    registers.set(key, register);
    mkdirSync(folder(manifest.id), { recursive: true });
    const write = (file: string, text: string) =>
      writeFileSync(join(folder(manifest.id), file), text);
    write("openclaw.plugin.json", JSON.stringify({ entry: "index.mjs", ...manifest }));
    const name = JSON.stringify(key);
    write(
      "index.mjs",
      `${code}\nexport const register = (api) => registerFilePlugin(${name}, api);`,
    );
  }
  return { ...createTestHost([], config, { stateDir, ...options }), stateDir, folder };
}
