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
 * The token is that of the state folder; a gateway whose configuration has another one keeps one for commands in its lock.
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
  const token = holder.localToken ?? loadGatewayToken(state.tokenFile);
  const url = `http://${host}:${port}`;
  return { pid, http: { url, token, client: createGatewayClient({ url, token }) } };
}
