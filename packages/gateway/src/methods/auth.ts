import { authMethods } from "@openclaw/protocol";
import { isDeviceCaller } from "@openclaw/protocol/device";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Tickets } from "@openclaw/server";
import { DeviceTicketError } from "../devices/errors.js";
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
      // The connections that a ticket opens would outlive a revocation of the device.
      if (isDeviceCaller(caller.id)) throw new DeviceTicketError();
      const issued = tickets();
      if (issued === undefined) throw new ListenerMissingError("a ticket");
      return issued.create(caller);
    },
  });
}
