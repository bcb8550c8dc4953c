import { createGatewayClient, type GatewayClient } from "@openclaw/client";
import {
  ConfigurationError,
  findLastGood,
  type LoadedConfiguration,
  loadConfiguration,
  loadGatewayToken,
  readLockHolder,
  stateFolderAt,
} from "@openclaw/gateway";
import { EXTENSION_CHECKS, loadOperatorConfiguration } from "../configuration.js";
import { configurationFileOf, stateDirOf } from "../installation.js";

/** Gateway process that uses the state folder. */
export interface RunningGateway {
  readonly pid: number;
  /** URL, token and client; absent while the process serves no HTTP. */
  readonly http?:
    | { readonly url: string; readonly token: string; readonly client: GatewayClient }
    | undefined;
}

/**
 * Finds the gateway that uses the state folder, so that a command describes and changes that gateway (GW-008, GW-026).
 * The token is that of the configuration, else that of the state folder; while the files are not valid, the gateway
 * runs with the last good configuration.
 * @param environment - environment variables of the command
 * @returns undefined when none is running
 * @throws ConfigurationError, StateFolderError
 */
export async function findRunningGateway(
  environment: NodeJS.ProcessEnv,
): Promise<RunningGateway | undefined> {
  const state = stateFolderAt(stateDirOf(environment));
  const holder = await readLockHolder(state.lockFile);
  if (holder === undefined) return undefined;
  const { pid, port, host = "127.0.0.1" } = holder;
  if (port === undefined) return { pid };
  const { value } = await configurationInForce(environment);
  const token = value.gateway?.auth?.token ?? loadGatewayToken(state.tokenFile);
  const url = `http://${host}:${port}`;
  return { pid, http: { url, token, client: createGatewayClient({ url, token }) } };
}

async function configurationInForce(environment: NodeJS.ProcessEnv): Promise<LoadedConfiguration> {
  try {
    return await loadOperatorConfiguration(environment);
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    const state = stateFolderAt(stateDirOf(environment));
    const kept = findLastGood(state, configurationFileOf(environment));
    if (kept === undefined) throw error;
    return loadConfiguration(kept.file, { checks: EXTENSION_CHECKS, environment });
  }
}
