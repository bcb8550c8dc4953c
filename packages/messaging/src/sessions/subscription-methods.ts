import { type MethodConnection, subscriptionMethods } from "@openclaw/protocol";
import { ConnectionNeededError, MethodRegistry } from "@openclaw/protocol/registry";

/** Dependencies of {@link createSubscriptionMethods}. */
export interface SubscriptionMethodDependencies {
  /**
   * Returns the full key of a session.
   * @param sessionKey - full or short key
   */
  fullKey(sessionKey: string): string;
}

/**
 * Creates the methods with which a connection chooses the sessions whose events it receives.
 * @param dependencies - session keys
 */
export function createSubscriptionMethods({
  fullKey,
}: SubscriptionMethodDependencies): MethodRegistry<typeof subscriptionMethods> {
  return MethodRegistry.of(subscriptionMethods, {
    "sessions.subscribe": async (parameters, { connection }) => {
      const sessionKey = fullKey(parameters.sessionKey);
      requireConnection("sessions.subscribe", connection).subscribe(sessionKey);
      return { sessionKey };
    },
    "sessions.unsubscribe": async (parameters, { connection }) => {
      const sessionKey = fullKey(parameters.sessionKey);
      requireConnection("sessions.unsubscribe", connection).unsubscribe(sessionKey);
      return { sessionKey };
    },
  });
}

function requireConnection(
  method: string,
  connection: MethodConnection | undefined,
): MethodConnection {
  if (connection === undefined) throw new ConnectionNeededError(method);
  return connection;
}
