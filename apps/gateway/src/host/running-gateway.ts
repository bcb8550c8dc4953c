import { createGatewayClient, type GatewayClient } from "@openclaw/client";
import { loadGatewayToken, readLockHolder, stateFolderAt } from "@openclaw/gateway";
import { stateDirOf } from "../installation.js";

/** Gateway that uses the state folder and serves HTTP. */
export interface RunningGateway {
  readonly pid: number;
  readonly url: string;
  readonly token: string;
  /** Client of single calls. */
  readonly client: GatewayClient;
}

/**
 * Returns the gateway that uses the state folder, so that a command describes and changes that gateway (GW-026).
 * @param environment - environment variables
 * @returns undefined when there is none, or its process does not serve HTTP
 */
export async function runningGateway(
  environment: NodeJS.ProcessEnv,
): Promise<RunningGateway | undefined> {
  const state = stateFolderAt(stateDirOf(environment));
  const holder = await readLockHolder(state.lockFile);
  if (holder?.port === undefined) return undefined;
  const url = `http://127.0.0.1:${holder.port}`;
  const token = loadGatewayToken(state.tokenFile);
  return { pid: holder.pid, url, token, client: createGatewayClient({ url, token }) };
}
