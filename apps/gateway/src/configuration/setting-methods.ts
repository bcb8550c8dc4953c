import { existsSync } from "node:fs";
import { type LoadedConfiguration, openStoredSettings, stateFolderAt } from "@openclaw/gateway";
import { withSettings } from "@openclaw/gateway/configuration";
import type { CallMethod, settingMethods } from "@openclaw/protocol";
import { EXTENSION_CHECKS, loadOperatorConfiguration } from "../configuration.js";
import { findRunningGateway } from "../host/running-gateway.js";
import { configurationFileOf, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { operatorEntryCheck } from "./inspection.js";

/**
 * Gives a command the methods of the settings in the database: those of the running gateway, which has the database, else
 * those of the state folder, without starting a host.
 * @param context - environment
 * @param work - function of the command that calls them, and is told whether a gateway is running
 */
export async function withSettingMethods<Result>(
  { environment }: Pick<CommandContext, "environment">,
  work: (call: CallMethod<typeof settingMethods>, isRunning: boolean) => Promise<Result>,
): Promise<Result> {
  const stateDir = stateDirOf(environment);
  const running = await findRunningGateway(environment);
  if (running?.http !== undefined) return work(running.http.client.call, true);
  const { value } = await loadOperatorConfiguration(environment);
  const stored = await openStoredSettings({
    ...{ stateDir, store: value.store, environment, checks: EXTENSION_CHECKS },
    configurationFile: configurationFileOf(environment),
    checkEntries: operatorEntryCheck(environment),
  });
  try {
    return await work((method, parameters) => stored.methods.call(method, parameters), false);
  } finally {
    await stored.close();
  }
}

/**
 * Reads the operator's configuration with the settings of the database, which take precedence over the file (HOST-007).
 * @param context - environment
 * @throws ConfigurationError, and the errors of the database
 */
export async function loadWithSettings({
  environment,
}: Pick<CommandContext, "environment">): Promise<LoadedConfiguration> {
  const configuration = await loadOperatorConfiguration(environment);
  const state = stateFolderAt(stateDirOf(environment));
  const hasDatabase =
    configuration.value.store?.url !== undefined || existsSync(state.databaseFile);
  // A command that reads must not create a database.
  if (!hasDatabase) return configuration;
  const { settings } = await withSettingMethods({ environment }, (call) =>
    call("settings.list", {}),
  );
  const stored = settings.map(({ path, value, source }) => ({
    path,
    source,
    value: JSON.parse(JSON.stringify(value)),
  }));
  return await withSettings(configuration, stored, { checks: EXTENSION_CHECKS, environment });
}
