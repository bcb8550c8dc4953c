import { checkPluginConfig } from "@openclaw/plugin-discovery";
import type { GatewayScope } from "@openclaw/plugin-sdk/http";
import type { SessionAction, SessionControls } from "@openclaw/plugin-sdk/plugin-entry";
import type { HostServices } from "@openclaw/plugin-sdk/services";
import { expectFunction, expectName, expectObject, type NameRule } from "../registration/check.js";
import { GATEWAY_SCOPES } from "../registration/gateway-method.js";
import type { Registrar } from "../registration/registrar.js";
import { registerGatewayMethod } from "./method-registrar.js";
import { tellUnserved } from "./older-registrars.js";

const MEMBER = "session.controls.registerSessionAction";

const ACTION: NameRule = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  expected: "a letter or digit and up to 63 of A-Z a-z 0-9 . _ -",
};

/**
 * Creates `api.session.controls`. An action is a method of the gateway, `<plugin id>.action.<id>`.
 * @param registrar - adds the registrations
 */
export function createSessionControls(
  registrar: Registrar,
  host: Pick<HostServices, "names" | "fullSessionKey">,
): SessionControls {
  return {
    registerSessionAction(action) {
      const id = registrar.read(MEMBER, () => checkedId(registrar, action));
      if (id === undefined) return;
      const { pluginId } = registrar.instance.origin;
      registerGatewayMethod(registrar, host, {
        method: `${pluginId}.action.${id}`,
        handler: async ({ params, signal, respond }) => {
          const { sessionKey, payload } = params as { sessionKey?: string; payload?: unknown };
          const problems = await problemsOf(action, payload);
          if (problems.length > 0) {
            const message = `the payload is wrong at ${problems.join("; ")}`;
            respond(false, undefined, { code: "INVALID_REQUEST", message });
            return undefined;
          }
          const call = { pluginId, actionId: id, payload, signal };
          if (sessionKey === undefined) return action.handler(call);
          return action.handler({
            ...call,
            sessionKey: host.fullSessionKey?.(sessionKey) ?? sessionKey,
          });
        },
        options: { scope: widest(action.requiredScopes) },
      });
    },
    ...registerControlUiDescriptor(registrar),
  };
}

/** Only in JavaScript: older plugins register parts of a console, which this host does not show. */
function registerControlUiDescriptor(registrar: Registrar): object {
  return {
    registerControlUiDescriptor: () =>
      tellUnserved(
        registrar,
        "session.controls.registerControlUiDescriptor",
        "the console of this host shows pages of registerPanel only",
      ),
  };
}

function checkedId({ instance: { origin } }: Registrar, action: SessionAction): string {
  const call = { origin, member: MEMBER };
  expectObject(call, "action", action);
  const id = expectName(call, "id", action.id, ACTION);
  expectFunction(call, `handler of action "${id}"`, action.handler);
  return id;
}

async function problemsOf({ schema }: SessionAction, payload: unknown): Promise<readonly string[]> {
  if (schema === undefined) return [];
  // The check takes objects, and a payload may be any JSON value.
  const wrapper = { type: "object", required: ["payload"], properties: { payload: schema } };
  const checked = await checkPluginConfig({ payload }, wrapper);
  return "problems" in checked ? checked.problems : [];
}

/** Scopes of older versions have names that this host does not know; those need the administrator. */
function widest(scopes: readonly string[] = ["operator.write"]): GatewayScope {
  const names: readonly string[] = GATEWAY_SCOPES;
  const places = scopes.map((scope) => names.indexOf(scope));
  const widestPlace = places.includes(-1) ? -1 : Math.max(...places);
  return GATEWAY_SCOPES[widestPlace] ?? "operator.admin";
}
