import { env } from "node:process";
import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { ComponentCache, WorkerPool } from "@openclaw/wasm-host";
import { Boundaries } from "./boundaries.js";
import { ComponentLibrary } from "./library/library.js";
import { registerMethods } from "./methods.js";
import { type Environment, wasmSettings } from "./settings.js";
import { FuelLog } from "./tools/fuel-log.js";
import { guestLog } from "./tools/log.js";
import { componentTool, type ToolContext } from "./tools/tool.js";

/** Options of {@link createWasmPlugin}. */
export interface WasmPluginOptions {
  /** Variables of the environment; by default those of the process. */
  readonly environment?: Environment;
}

/**
 * Creates the plugin that offers the tools of WebAssembly components to agents.
 * @param options - environment
 */
export function createWasmPlugin({ environment = env }: WasmPluginOptions = {}) {
  return definePluginEntry({
    id: "wasm",
    name: "WebAssembly",
    description: "Tools of WebAssembly components.",
    register(api) {
      let opened: { readonly library: ComponentLibrary; readonly context: ToolContext } | undefined;
      const pool = new WorkerPool();
      const fuel = new FuelLog();
      const open = () => {
        if (opened !== undefined) return opened;
        const settings = wasmSettings(environment, () => {
          const folder = api.runtime.state.resolveStateDir?.();
          if (folder !== undefined) return folder;
          throw new RuntimeCapabilityError(
            "wasm",
            "a state folder",
            "set WASM_TOOLS_DIR and WASM_CACHE_DIR",
          );
        });
        const { limits } = settings;
        const boundaries = new Boundaries(api);
        const library = new ComponentLibrary({
          ...{ folder: settings.tools, kind: "tool", pool, limits },
          cache: new ComponentCache(settings.cache, api.runtime.version),
          warn: (message) => api.logger.warn(message),
        });
        const context: ToolContext = {
          ...{
            pool,
            limits,
            log: guestLog(api.logger, (value) => api.runtime.logging.redact(value)),
            fuel,
          },
          secretExists: async (name) => (await boundaries.secret(name)) !== undefined,
          httpOf: (component) => boundaries.httpOf(component),
          mayInvoke: (component) => boundaries.mayInvoke(component),
        };
        opened = { library, context };
        return opened;
      };
      api.registerCli(
        async (cli) => {
          const { describeWasmCommands } = await import("./commands/commands.js");
          describeWasmCommands(cli);
        },
        {
          descriptors: [
            {
              name: "wasm",
              description: "install, list, inspect and run WebAssembly components",
              hasSubcommands: true,
            },
          ],
        },
      );
      registerMethods(api, () => open().library, fuel);
      api.registerTool(async (turn) => {
        const { library, context } = open();
        const components = await library.components();
        return [...components.values()].map((component) => componentTool(component, turn, context));
      });
      api.registerService({
        id: "wasm",
        // Not awaited: a component that is transpiled delays neither the gateway nor other services.
        start: () => {
          open()
            .library.components()
            .catch((error: unknown) =>
              api.logger.error("the components cannot be loaded", { error }),
            );
        },
        stop: () => pool.close(),
      });
      api.lifecycle.onDispose(() => pool.close());
    },
  });
}
