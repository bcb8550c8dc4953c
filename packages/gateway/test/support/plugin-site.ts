import type { PluginsConfiguration } from "@openclaw/plugin-discovery";
import type { PluginFaults } from "@openclaw/plugin-loader";
import { createPluginRuntime, type PluginRuntime } from "@openclaw/plugin-runtime";
import type { OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk";
import { HOST_PATHS } from "@openclaw/server";
import { onTestFinished } from "vitest";
import { createTestHost, type ServedHost, serve } from "./host.js";

/** Host that serves the HTTP routes of plugins. */
export interface PluginSite extends ServedHost {
  readonly plugins: PluginRuntime;
  /** Fields of the lines that were logged as errors. */
  readonly errors: readonly unknown[];
  /** Requests a path without the token. */
  get(path: string, init?: RequestInit): Promise<Response>;
  /** Returns the messages of the diagnostics with a code. */
  diagnostics(code: string): readonly string[];
}

/** Options of {@link pluginSite}. */
export interface PluginSiteOptions {
  /** Further plugins. */
  readonly others?: readonly PluginDefinition[];
  readonly configuration?: PluginsConfiguration;
  /** Folder of the plugin. */
  readonly folder?: string;
  /** Receives the faults of the plugins. */
  readonly faults?: PluginFaults;
}

/**
 * Creates a host that serves the routes of a plugin `guard` until the end of the test.
 * @param register - registrations of the plugin
 * @param options - further plugins and their configuration
 */
export async function pluginSite(
  register: (api: OpenClawPluginApi) => void,
  { others = [], configuration = {}, folder, faults }: PluginSiteOptions = {},
): Promise<PluginSite> {
  const host = await createTestHost();
  const errors: unknown[] = [];
  const logger = {
    ...host.logger,
    error: (_: string, fields: unknown) => void errors.push(fields),
  };
  const plugins = createPluginRuntime({
    config: { plugins: configuration },
    logger,
    inline: [{ id: "guard", register }, ...others],
    hostServices: { hosts: ["httpRoutes"], names: { httpPaths: HOST_PATHS } },
    ...(folder !== undefined && { workspaceDir: folder }),
    ...(faults && { faults }),
  });
  await plugins.load();
  onTestFinished(() => plugins.dispose());
  const served = await serve(host, { plugins, logger });
  return {
    ...served,
    plugins,
    errors,
    get: (path, init) => fetch(served.url + path, init),
    diagnostics: (code) =>
      plugins.current.diagnostics.filter((each) => each.code === code).map((each) => each.message),
  };
}
