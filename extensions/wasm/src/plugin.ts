import { env } from "node:process";
import { setTimeout } from "node:timers/promises";
import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { ComponentCache, WorkerPool } from "@openclaw/wasm-host";
import { Boundaries } from "./boundaries.js";
import { ChannelFiles } from "./channels/files.js";
import { ChannelRegistrations } from "./channels/registrations.js";
import { checkCredential } from "./credential-check.js";
import { ComponentLibraries } from "./library/libraries.js";
import { ComponentLibrary, type LibraryContext } from "./library/library.js";
import { ComponentLogins } from "./logins.js";
import { registerMethods } from "./methods.js";
import { type Environment, wasmSettings } from "./settings.js";
import { FuelLog } from "./tools/fuel-log.js";
import { guestLog } from "./tools/log.js";
import { componentTool, type ToolContext } from "./tools/tool.js";

/** Options of {@link createWasmPlugin}. */
export interface WasmPluginOptions {
  /** Variables of the environment; by default those of the process. */
  readonly environment?: Environment;
  /** Waits between two callbacks of polling; by default with a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface OpenComponents {
  readonly library: ComponentLibraries;
  readonly context: ToolContext;
}

/**
 * Creates the plugin that offers the tools of WebAssembly components to agents.
 * @param options - environment
 */
export function createWasmPlugin({
  environment = env,
  wait = (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }),
}: WasmPluginOptions = {}) {
  return definePluginEntry({
    id: "wasm",
    name: "WebAssembly",
    description: "Tools of WebAssembly components.",
    register(api) {
      let opened: OpenComponents | undefined;
      const pool = new WorkerPool();
      const fuel = new FuelLog();
      const log = guestLog(api.logger, (value) => api.runtime.logging.redact(value));
      const files = new ChannelFiles(() => {
        const folder = api.runtime.agent.resolveAgentWorkspaceDir?.();
        if (folder !== undefined) return folder;
        throw new RuntimeCapabilityError("wasm", "a workspace", "use a host with agents");
      });
      const channels = new ChannelRegistrations(api, () => {
        const { limits, httpOf, secretExists } = open().context;
        return {
          ...{ pool, limits, log, httpOf, secretExists, wait },
          readFile: (prefix, path) => files.read(prefix, path),
          writeFile: (prefix, path, content) => files.write(prefix, path, content),
        };
      });
      const open = (): OpenComponents => {
        if (opened !== undefined) return opened;
        const settings = wasmSettings(environment, () => {
          const folder = api.runtime.state.resolveStateDir?.();
          if (folder !== undefined) return folder;
          throw new RuntimeCapabilityError(
            "wasm",
            "a state folder",
            "set WASM_TOOLS_DIR, WASM_CHANNELS_DIR and WASM_CACHE_DIR",
          );
        });
        const { limits } = settings;
        const logins = new ComponentLogins(api, environment);
        const boundaries = new Boundaries(api, logins);
        const shared: Omit<LibraryContext, "folder" | "kind"> = {
          ...{ pool, limits },
          cache: new ComponentCache(settings.cache, api.runtime.version),
          warn: (message) => api.logger.warn(message),
        };
        const library = new ComponentLibraries(
          {
            tool: new ComponentLibrary({ ...shared, folder: settings.tools, kind: "tool" }),
            channel: new ComponentLibrary({
              ...{ ...shared, folder: settings.channels, kind: "channel" },
            }),
          },
          ({ tools, channels: loaded }) => {
            logins.apply([...tools.values(), ...loaded.values()]);
            channels.apply(loaded);
          },
        );
        const context: ToolContext = {
          ...{ pool, limits, log, fuel },
          secretExists: (component, name) => boundaries.secretExists(component, name),
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
      registerMethods(
        api,
        () => open().library,
        fuel,
        (component) => checkCredential(component, open().context.httpOf(component)),
      );
      api.registerHttpRoute({
        ...{ path: "/wasm-channels/health", auth: "gateway", methods: ["GET"] },
        fetch: () => Response.json({ channels: channels.reports }),
      });
      api.registerTool(async (turn) => {
        const { library, context } = open();
        const components = await library.tools();
        return [...components.values()].map((component) => componentTool(component, turn, context));
      });
      api.registerService({
        id: "wasm",
        // Not awaited: a component that is transpiled delays neither the gateway nor other services.
        start: () => {
          open()
            .library.start()
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
