import { errorMessage } from "@openclaw/foundation";
import { checkExportedConfig } from "@openclaw/plugin-discovery";
import { emptyPluginConfigSchema } from "@openclaw/plugin-sdk/plugin-entry";
import { readPluginExport } from "../../loading/module-export.js";
import {
  loadModule,
  ModuleLoadFailure,
  prepareModuleLoading,
} from "../../loading/module-loader.js";
import { PluginIsolationError } from "../errors.js";
import { type ChildStart, crossedError } from "../message.js";
import { createIsolatedApi } from "./api.js";
import { PluginCalls } from "./calls.js";
import { HostPort } from "./host-port.js";

/** The other side of an isolated plugin: loads its code, and runs what the host calls. */
let calls: PluginCalls | undefined;

const port = new HostPort((message) => {
  switch (message.kind) {
    case "start":
      return void begin(message.start).catch((error: unknown) =>
        port.send({ kind: "failed", error: crossedError(error) }),
      );
    case "call":
      return void calls?.run(message);
    case "abort":
      return calls?.abort(message.id, message.reason);
  }
});

async function begin(start: ChildStart): Promise<void> {
  const { id, source } = start;
  prepareModuleLoading({ sdkModules: new Map(start.sdkModules) });
  const { namespace } = await loadModule(source, start, false).catch((error: unknown) => {
    throw error instanceof ModuleLoadFailure ? error.cause : error;
  });
  const exported = readPluginExport(namespace);
  if (exported === undefined) {
    throw new PluginIsolationError(id, "register", `${source} exports no register function`);
  }
  const { configSchema } = exported;
  const isEmpty =
    configSchema === emptyPluginConfigSchema || configSchema === emptyPluginConfigSchema();
  const checked =
    isEmpty && start.hasConfigSchema
      ? { config: start.pluginConfig }
      : await checkExportedConfig(start.pluginConfig, configSchema);
  if ("problems" in checked) {
    throw new Error(`plugins.entries.${id}.config is wrong at ${checked.problems.join("; ")}`);
  }
  const isolated = createIsolatedApi(start, checked.config, port);
  calls = new PluginCalls({
    port,
    functions: isolated.functions,
    logger: isolated.logger,
    serviceContext: (data, signal) => ({
      ...data,
      ...{ signal, logger: isolated.logger },
      gatewayEvents: isolated.api.gatewayEvents,
      repeat() {
        throw new PluginIsolationError(id, "registerService", "repeat is not offered to it");
      },
    }),
  });
  await exported.register(isolated.api);
  isolated.settle();
  port.send({ kind: "registered", calls: isolated.calls });
}

// A mistake in a callback of its own ends only this plugin, and the host says which.
process.on("unhandledRejection", (error) => {
  throw error instanceof Error ? error : new Error(errorMessage(error));
});
