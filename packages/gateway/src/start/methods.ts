import { variablesInUse } from "@openclaw/configuration";
import { defined } from "@openclaw/foundation";
import { DEFAULT_QUEUE_MODE } from "@openclaw/messaging";
import type { GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import type { GatewayOptions } from "../gateway-options.js";
import type { GatewayFacts } from "../methods/host.js";
import type { MethodDependencies } from "../methods/registry.js";
import type { ConfigurationControl } from "../reload/control.js";
import type { LiveConfiguration } from "../reload/live-configuration.js";
import type { LiveWorkspace } from "../workspaces/live-workspace.js";

/** Dependencies of {@link lazyMethods}, of which the configuration and the options add the rest. */
export type LazyMethodDependencies = Omit<
  MethodDependencies,
  | "allowHosts"
  | "configurationFile"
  | "environment"
  | "changeFiles"
  | "outcomeOf"
  | "readFiles"
  | "previewFiles"
  | "writeFile"
  | "readConfiguration"
  | "changeConfiguration"
  | "changeSettings"
  | "replayOptions"
  | "storeConfiguration"
  | "restart"
  | "doctor"
  | "secretsChanged"
  | "facts"
> & {
  readonly facts: Pick<GatewayFacts, "startedAt" | "ready">;
  readonly workspace: Pick<LiveWorkspace, "dir">;
};

/**
 * Returns a function that returns the methods of a host. Installing and editing are rare, so that their code is loaded
 * with the first call.
 * @param options - version, plugins and configuration file
 * @param control - changes the configuration
 * @param dependencies - host, store and clients
 */
export function lazyMethods(
  options: GatewayOptions,
  configuration: LiveConfiguration,
  control: ConfigurationControl,
  dependencies: LazyMethodDependencies,
): () => Promise<MethodRegistry<GatewayMethods>> {
  const { version, configurationFile, environment } = options;
  const { bundledExtensions, sdkModules, pluginPaths, inlinePlugins } = options;
  let registry: Promise<MethodRegistry<GatewayMethods>> | undefined;
  return () => {
    registry ??= import("../methods/registry.js").then(({ createGatewayMethods }) => {
      return createGatewayMethods({
        ...dependencies,
        ...{ configurationFile, environment },
        facts: {
          ...{ version, ...dependencies.facts },
          get workspaceDir() {
            return dependencies.workspace.dir;
          },
          get queueMode() {
            return configuration.value.session?.queueMode ?? DEFAULT_QUEUE_MODE;
          },
          configuration: () => ({
            files: (configuration.document?.sources ?? []).map(({ file }) => file),
            variables: variablesInUse(environment),
            pending: [...control.pending],
            ...defined({ notice: control.notice }),
          }),
        },
        replayOptions: () => ({
          ...{ version, environment, bundledExtensions, sdkModules, pluginPaths, inlinePlugins },
          isTrusted: (folder) => options.isTrusted?.(folder) ?? true,
          configuration: configuration.current,
          state: dependencies.state,
          workspaceDir: dependencies.workspace.dir,
        }),
        allowHosts: () => configuration.value.tools?.http?.allowHosts,
        storeConfiguration: () => configuration.value.store,
        restart: options.onRestart,
        doctor: options.doctor,
        readConfiguration: () => control.readPlugins(),
        changeConfiguration: (changes) => control.changePlugins(changes),
        changeFiles: (changes, baseHash) => control.change(changes, baseHash),
        changeSettings: (changes, source) => control.changeSettings(changes, source),
        outcomeOf: (hash) => control.outcomeOf(hash),
        readFiles: () => control.read(),
        previewFiles: (change, baseHash) => control.preview(change, baseHash),
        writeFile: (text, baseHash) => control.write(text, baseHash),
        secretsChanged: (names) => control.secretsChanged(names),
      });
    });
    return registry;
  };
}
