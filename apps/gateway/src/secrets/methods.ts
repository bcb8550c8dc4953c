import { openStoredSecrets } from "@openclaw/gateway";
import type { CallMethod, secretMethods } from "@openclaw/protocol";
import { loadEarlySections } from "../configuration.js";
import type { CommandAccess } from "../host/methods.js";
import { findRunningGateway } from "../host/running-gateway.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";

/**
 * Gives a command the secret methods: those of the running gateway, which has the database, else those of the
 * state folder, without starting a host.
 * @param work - function of the command that calls them
 * @param access - `reads` for a command that changes nothing
 */
export async function withSecretMethods<Result>(
  { environment }: CommandContext,
  work: (call: CallMethod<typeof secretMethods>) => Promise<Result>,
  access: CommandAccess = "changes",
): Promise<Result> {
  const stateDir = stateDirOf(environment);
  const running = await findRunningGateway(environment);
  if (running?.http !== undefined) return work(running.http.client.call);
  const { store } = await loadEarlySections(environment);
  const stored = await openStoredSecrets({
    ...{ stateDir, store, environment },
    isReading: access === "reads",
  });
  try {
    return await work((method, parameters) => stored.methods.call(method, parameters));
  } finally {
    await stored.close();
  }
}
