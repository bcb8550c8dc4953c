import { authMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Tickets } from "@openclaw/server";
import { ListenerMissingError } from "../errors.js";

/** Dependencies of {@link createAuthMethods}. */
export interface AuthMethodDependencies {
  /** Returns the tickets of the listener; undefined without one. */
  tickets(): Pick<Tickets, "create"> | undefined;
}

/**
 * Creates the authentication methods.
 * @param dependencies - tickets of the listener
 */
export function createAuthMethods({
  tickets,
}: AuthMethodDependencies): MethodRegistry<typeof authMethods> {
  return MethodRegistry.of(authMethods, {
    async "auth.ticket"(_, { caller }) {
      const issued = tickets();
      if (issued === undefined) throw new ListenerMissingError("a ticket");
      return issued.create(caller);
    },
  });
}
