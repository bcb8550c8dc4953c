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
    async accessToken(id) {
      const member = "runtime.oauth.accessToken";
      instance.assertAlive(member);
      return accessToken(instance.id, expectText({ origin: instance.origin, member }, "id", id));
    },
  };
}
