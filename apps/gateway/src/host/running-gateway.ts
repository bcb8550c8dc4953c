import { createGatewayClient, type GatewayClient } from "@openclaw/client";
import { loadGatewayToken, readLockHolder, stateFolderAt } from "@openclaw/gateway";
import { stateDirOf } from "../installation.js";

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
 * The token is that of the state folder, unless the gateway was started with one of its configuration.
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
  const { pid, port, host = "127.0.0.1", usesTokenFile } = holder;
  if (port === undefined) return { pid };
  const token =
    (usesTokenFile === true ? undefined : await configuredToken(environment)) ??
    loadGatewayToken(state.tokenFile);
  const url = `http://${host}:${port}`;
  return { pid, http: { url, token, client: createGatewayClient({ url, token }) } };
}

/** Loads its code only when it is needed: checking a configuration takes longer than most commands. */
async function configuredToken(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { configurationInForce } = await import("./configuration-in-force.js");
  const { value } = await configurationInForce(environment);
  return value.gateway?.auth?.token;
}
