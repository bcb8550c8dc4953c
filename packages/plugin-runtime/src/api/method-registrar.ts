import type { HostDeclarations } from "@openclaw/plugin-sdk/services";
import { type GatewayMethodInput, readGatewayMethod } from "../registration/gateway-method.js";
import type { Registrar } from "../registration/registrar.js";

/**
 * Registers a method of the gateway's protocol, and reports a scope that the host does not accept (PLUG-035).
 * @param registrar - adds the registration
 * @param args - arguments of the plugin
 * @throws PluginDisposedError, PluginRegistrationError, PluginPermissionError
 */
export function registerGatewayMethod(
  registrar: Registrar,
  { names }: Pick<HostDeclarations, "names">,
  { method, handler, options }: GatewayMethodInput,
): void {
  const { instance } = registrar;
  const place = { hostMethods: names?.gatewayMethods ?? [], ended: instance.signal };
  registrar.add("registerGatewayMethod", "gatewayHandlers", () => {
    const item = readGatewayMethod(instance.origin, { method, handler, options }, place);
    const asked = options?.scope ?? item.scope;
    if (asked !== item.scope) {
      instance.diagnose({
        level: "warn",
        code: "scope-raised",
        message: `gateway method "${item.method}" of plugin "${instance.id}" asks for the scope ${asked}, but its family belongs to the host: callers need ${item.scope}`,
        hint: "name the method after the plugin, for example <plugin id>.<method>",
      });
    }
    return item;
  });
}
