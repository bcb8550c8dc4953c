import type { PluginsConfiguration } from "@openclaw/plugin-discovery";
import type { OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk";
import {
  createPluginRuntime,
  type PluginRuntime,
  type PluginRuntimeOptions,
} from "../../src/index.js";

/** A line that the host or a plugin logged. */
export interface LoggedLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A runtime and what was logged through it. */
export interface TestHost {
  readonly runtime: PluginRuntime;
  readonly lines: readonly LoggedLine[];
}

/**
 * Makes a runtime whose plugins are given as objects.
 * @param plugins - the `plugins` section of the configuration
 * @param options - anything else the runtime takes
 */
export function createTestHost(
  inline: readonly PluginDefinition[],
  plugins: PluginsConfiguration = {},
  options: Partial<PluginRuntimeOptions> = {},
): TestHost {
  const lines: LoggedLine[] = [];
  const write =
    (level: LoggedLine["level"]) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      lines.push({ level, message, fields });
    };
  const logger = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
  return {
    runtime: createPluginRuntime({ config: { plugins }, logger, inline, ...options }),
    lines,
  };
}

/**
 * Creates a plugin that consists of its `register`.
 * @param register - its registrations
 */
export function plugin(
  register: (api: OpenClawPluginApi) => void | Promise<void>,
  id = "guard",
): PluginDefinition {
  return { id, register };
}

/**
 * An `api` as a plugin without types sees it: any name, handler and options.
 * @param api - the typed one
 */
export function untyped(api: OpenClawPluginApi) {
  const { on, registerHook, lifecycle } = api as unknown as {
    on: Door;
    registerHook: Door;
    lifecycle: { on: Door };
  };
  return { on, registerHook, lifecycleOn: lifecycle.on };
}

type Door = (names: unknown, handler?: unknown, options?: unknown) => (() => void) & Disposable;
