import type { HostOAuthPort, RuntimeOAuth } from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../instances/instance.js";
import { expectText } from "../registration/check.js";

/**
 * Creates `runtime.oauth`.
 * @param accessToken - returns tokens of credentials of the plugin
 */
export function createRuntimeOAuth(
  instance: PluginInstance,
  accessToken: NonNullable<HostOAuthPort["accessToken"]>,
): RuntimeOAuth {
  return {
    async accessToken(id, { rejected } = {}) {
      const member = "runtime.oauth.accessToken";
      instance.assertAlive(member);
      const call = { origin: instance.origin, member };
      const name = expectText(call, "id", id);
      if (rejected === undefined) return accessToken(instance.id, name);
      return accessToken(instance.id, name, expectText(call, "rejected", rejected));
    },
  };
}
