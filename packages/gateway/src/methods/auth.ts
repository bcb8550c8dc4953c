import { authMethods } from "@openclaw/protocol";
import { isDeviceCaller } from "@openclaw/protocol/device";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { GatewayAccess } from "@openclaw/server";
import { DeviceTicketError } from "../devices/errors.js";
import { ListenerMissingError, SessionExtensionError } from "../errors.js";

/** Dependencies of {@link createAuthMethods}. */
export interface AuthMethodDependencies {
  /** Returns the tickets and sessions of the listener; undefined without one. */
  access(): Pick<GatewayAccess, "tickets" | "sessions"> | undefined;
}

/**
 * Creates the authentication methods.
 * @param dependencies - tickets and sessions of the listener
 */
export function createAuthMethods({
  access,
}: AuthMethodDependencies): MethodRegistry<typeof authMethods> {
  return MethodRegistry.of(authMethods, {
    async "auth.ticket"(_, { caller }) {
      // The connections that a ticket opens would outlive a revocation of the device.
      if (isDeviceCaller(caller.id)) throw new DeviceTicketError();
      const issuer = access();
      if (issuer === undefined) throw new ListenerMissingError("a ticket");
      return await issuer.tickets.create(caller);
    },
    async "auth.session"(_, { caller }) {
      if (isDeviceCaller(caller.id)) throw new DeviceTicketError();
      if (caller.isSession === true) throw new SessionExtensionError();
      const issuer = access();
      if (issuer === undefined) throw new ListenerMissingError("a session");
      return issuer.sessions.create(caller);
    },
  });
}
