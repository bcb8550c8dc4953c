import { join } from "node:path";
import { loadConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { type Gateway, type GatewayOptions, startGateway } from "@openclaw/gateway";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { createTestHost, type TestHost, type TestHostOptions } from "@openclaw/plugin-testkit";

/** Scenario that makes a hook fire, with the expected arguments of its handler. */
export interface HookScenario {
  /**
   * Plays it, from the host's start to its end.
   * @param witness - a plugin of the host
   */
  play(witness: PluginDefinition): Promise<void>;
  /** Number of times that the hook fires; default 1. */
  readonly times?: number;
  /** Part of the event of the first call. */
  readonly event: object;
  /** Part of the context of the first call. */
  readonly context: object;
}

/** Everything of a test host but the witness, which is the plugin under test. */
export type ScenarioHost = Omit<TestHostOptions, "plugin" | "manifest" | "pluginConfig">;

/**
 * Plays a scenario in the host of the test kit, which is the gateway's own without files and listener.
 * @param options - model, configuration and further plugins
 * @param play - actions once the host serves
 */
export function inHost(
  options: ScenarioHost,
  play: (host: TestHost) => Promise<unknown>,
): HookScenario["play"] {
  return async (witness) => {
    await using host = await createTestHost({ ...options, plugin: witness });
    await play(host);
  };
}

/**
 * Plays a scenario in a whole gateway: state folder, lock, store on disk, listener.
 * @param play - actions once the gateway is ready; it is stopped afterwards, as by a command
 */
export function inGateway(
  play: (gateway: Gateway, folder: string) => Promise<unknown>,
): HookScenario["play"] {
  return async (witness) => {
    using folder = temporaryFolder("gateway");
    const gateway = await startGateway(await gatewayOptions(folder.path, witness));
    try {
      await play(gateway, folder.path);
    } finally {
      await gateway.stop("command");
    }
  };
}

async function gatewayOptions(folder: string, plugin: PluginDefinition): Promise<GatewayOptions> {
  const configurationFile = join(folder, "openclaw.json");
  return {
    version: "1.0.0",
    stateDir: join(folder, "state"),
    configuration: await loadConfiguration(configurationFile),
    configurationFile,
    workspaceDir: join(folder, "workspace"),
    bundledExtensions: [],
    inlinePlugins: [plugin],
    model: "demo/echo",
    port: 0,
    environment: {},
  };
}
