import type { GatewayEvents, GatewayScope } from "@openclaw/plugin-sdk/http";
import type { HostEventPort } from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../instances/instance.js";
import {
  type ApiCall,
  expectName,
  expectOneOf,
  type NameRule,
  wrongArgument,
} from "../registration/check.js";
import { GATEWAY_SCOPES } from "../registration/gateway-method.js";
import { lackOf } from "./missing-capability.js";

const MEMBER = "gatewayEvents.emit";
const DEFAULT_SCOPE: GatewayScope = "operator.read";
/** Maximum size of a payload as JSON, in bytes. */
const MAXIMUM_BYTES = 64 * 1024;

const EVENT: NameRule = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  expected: "a letter or digit and up to 63 of A-Z a-z 0-9 . _ -",
};

/**
 * Creates the `api.gatewayEvents` of one plugin.
 * @param host - sends the events to the clients
 */
export function createGatewayEvents(
  instance: PluginInstance,
  { publishEvent }: HostEventPort,
): GatewayEvents {
  const call = { origin: instance.origin, member: MEMBER };
  return {
    emit(event, payload = null, { scope = DEFAULT_SCOPE } = {}) {
      instance.assertAlive(MEMBER);
      if (publishEvent === undefined) throw lackOf(instance.id, MEMBER);
      const name = expectName(call, "event", event, EVENT);
      publishEvent(instance.id, {
        name: `plugin.${instance.id}.${name}`,
        payload: jsonOf(call, payload),
        scope: expectOneOf(call, `scope of event "${name}"`, scope, GATEWAY_SCOPES),
      });
    },
  };
}

/** Copies the payload, so that later changes of it do not reach a client. */
function jsonOf(call: ApiCall, payload: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(payload);
  } catch {
    text = undefined;
  }
  if (text === undefined) throw wrongArgument(call, "payload", "expected a JSON value");
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAXIMUM_BYTES) return JSON.parse(text);
  const problem = `expected at most ${MAXIMUM_BYTES} bytes of JSON, got ${bytes}; send an id, and let clients read the rest with a method`;
  throw wrongArgument(call, "payload", problem);
}
