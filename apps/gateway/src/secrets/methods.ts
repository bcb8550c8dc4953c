import { createGatewayClient } from "@openclaw/client";
import {
  loadGatewayToken,
  openStoredSecrets,
  readLockHolder,
  stateFolderAt,
} from "@openclaw/gateway";
import type { CallMethod, secretMethods } from "@openclaw/protocol";
import { loadOperatorConfiguration } from "../configuration.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";

/**
 * Gives a command the secret methods: those of the running gateway, which has the database, else those of the
 * state folder, without starting a host.
 * @param context - environment
 * @param work - function of the command that calls them
 */
export async function withSecretMethods<Result>(
  { environment }: CommandContext,
  work: (call: CallMethod<typeof secretMethods>) => Promise<Result>,
): Promise<Result> {
  const stateDir = stateDirOf(environment);
  const state = stateFolderAt(stateDir);
  const holder = await readLockHolder(state.lockFile);
  if (holder?.port !== undefined) {
    const token = loadGatewayToken(state.tokenFile);
    return work(createGatewayClient({ url: `http://127.0.0.1:${holder.port}`, token }).call);
  }
  const { value } = await loadOperatorConfiguration(environment);
  const stored = await openStoredSecrets({ stateDir, store: value.store, environment });
  try {
    return await work((method, parameters) => stored.methods.call(method, parameters));
  } finally {
    await stored.close();
  }
}
