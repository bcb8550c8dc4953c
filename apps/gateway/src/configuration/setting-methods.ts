import { openStoredSettings } from "@openclaw/gateway";
import type { CallMethod, settingMethods } from "@openclaw/protocol";
import { EXTENSION_CHECKS, loadEarlySections } from "../configuration.js";
import { findRunningGateway } from "../host/running-gateway.js";
import { configurationFileOf, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { operatorEntryCheck } from "./inspection.js";

/**
 * Gives a command the methods of the settings in the database: those of the running gateway, which has the database, else
 * those of the state folder, without starting a host.
 * @param work - function of the command that calls them, and is told whether a gateway is running
 */
export async function withSettingMethods<Result>(
  { environment }: Pick<CommandContext, "environment">,
  work: (call: CallMethod<typeof settingMethods>, isRunning: boolean) => Promise<Result>,
): Promise<Result> {
  const stateDir = stateDirOf(environment);
  const running = await findRunningGateway(environment);
  if (running?.http !== undefined) return work(running.http.client.call, true);
  const { store } = await loadEarlySections(environment);
  const stored = await openStoredSettings({
    ...{ stateDir, store, environment, checks: EXTENSION_CHECKS },
    configurationFile: configurationFileOf(environment),
    checkEntries: operatorEntryCheck(environment),
  });
  try {
    return await work((method, parameters) => stored.methods.call(method, parameters), false);
  } finally {
    await stored.close();
  }
}
