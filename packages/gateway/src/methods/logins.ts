import { loginMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { OAuthCredentials } from "../oauth/credentials.js";

/**
 * Creates the methods of logins at other services.
 * @param credentials - OAuth credentials of the host
 */
export function createLoginMethods(
  credentials: OAuthCredentials,
): MethodRegistry<typeof loginMethods> {
  const { logins } = credentials;
  return MethodRegistry.of(loginMethods, {
    "logins.list": async () => ({
      credentials: (await credentials.list()).map((each) => ({ ...each })),
    }),
    "logins.start": ({ name, redirectUri }) => logins.start(name, redirectUri),
    "logins.status": async ({ loginId }) => logins.progress(loginId),
    "logins.complete": ({ query }) => logins.complete(new URLSearchParams(query)),
    "logins.remove": ({ name }) => logins.remove(name),
  });
}
