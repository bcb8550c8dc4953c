import {
  CONNECTION_LIMITS,
  type ConnectParams,
  type ConnectResult,
  connectParamsSchema,
  gatewayEvents,
  includesScope,
  type MethodCaller,
  type MethodScope,
  PROTOCOL_VERSIONS,
} from "@openclaw/protocol";
import {
  InvalidRequestError,
  MissingScopeError,
  parameterIssues,
  validatorOf,
} from "@openclaw/protocol/registry";
import type { MethodCalls } from "../calls/method-calls.js";
import { UnsupportedProtocolError } from "../errors.js";
import type { ConnectionAccess } from "./access.js";
import type { DeviceHandshake } from "./device-handshake.js";

/** Scope of connections whose user decides approval requests. */
const APPROVER_SCOPE = "operator.approvals";

const connectParams = validatorOf(connectParamsSchema);

/** A client that may use its connection. */
export interface AcceptedClient {
  readonly caller: MethodCaller;
  readonly params: ConnectParams;
  /** Reply to `connect`, without what is known when the connection is opened. */
  readonly reply: Omit<ConnectResult, "connId" | "snapshot">;
}

/** Client that connects. */
export interface ConnectingClient {
  /** IP address. */
  readonly address: string;
  /** Challenge of its connection. */
  readonly device: Pick<DeviceHandshake, "authenticate" | "deviceId">;
}

/** Dependencies of {@link acceptClient}. */
export interface HandshakeDependencies {
  readonly access: Pick<ConnectionAccess, "authenticate" | "limits">;
  readonly calls: Pick<MethodCalls, "names">;
}

/**
 * Checks the parameters of `connect` (GW-020).
 * @param params - parsed JSON
 * @param client - address and challenge of the connection
 * @param dependencies - access and methods
 * @throws InvalidRequestError, UnsupportedProtocolError, MissingScopeError, and what the access check throws
 */
export async function acceptClient(
  params: unknown,
  client: ConnectingClient,
  { access, calls }: HandshakeDependencies,
): Promise<AcceptedClient> {
  if (!connectParams().Check(params)) {
    throw new InvalidRequestError("connect", parameterIssues(connectParamsSchema, params));
  }
  const protocol = commonVersion(params);
  const caller = await authenticate(params, client, access);
  const { id, scopes } = caller;
  if (params.approver === true && !includesScope(scopes, APPROVER_SCOPE)) {
    throw new MissingScopeError("connect with approver", APPROVER_SCOPE, id);
  }
  const { maxBufferedBytes, tickIntervalMs } = CONNECTION_LIMITS;
  return {
    caller,
    params,
    reply: {
      protocol,
      scopes: [...scopes],
      methods: [...(await calls.names(scopes))],
      events: eventsFor(scopes),
      policy: { maxPayloadBytes: access.limits.frameBytes, maxBufferedBytes, tickIntervalMs },
    },
  };
}

/** Returns the holder of the token, or the device that proved its key. */
async function authenticate(
  { auth: { token, device: proof } }: ConnectParams,
  { address, device }: ConnectingClient,
  access: Pick<ConnectionAccess, "authenticate">,
): Promise<MethodCaller> {
  if (token !== undefined && (proof !== undefined || device.deviceId !== undefined)) {
    const message = "must not have a token, because the connection is that of a device";
    throw new InvalidRequestError("connect", [{ path: "/auth", message }]);
  }
  return proof === undefined
    ? access.authenticate(token, { address, via: "websocket" })
    : device.authenticate(proof);
}

/** Returns the newest version that both speak. */
function commonVersion({ minProtocol: min, maxProtocol: max }: ConnectParams): number {
  const version = Math.min(max, PROTOCOL_VERSIONS.max);
  if (version < Math.max(min, PROTOCOL_VERSIONS.min)) {
    throw new UnsupportedProtocolError({ min, max }, PROTOCOL_VERSIONS);
  }
  return version;
}

/** Events of plugins; their names and scopes are known when they are sent (GW-030). */
const PLUGIN_EVENTS = "plugin.*";

/** Returns the events that connections with these scopes receive; streamed completions have a separate one. */
function eventsFor(scopes: readonly MethodScope[]): string[] {
  const ofHost = Object.values(gatewayEvents)
    .filter(({ name, scope }) => name !== "approval" && includesScope(scopes, scope))
    .map(({ name }) => name);
  return [...ofHost, PLUGIN_EVENTS];
}
