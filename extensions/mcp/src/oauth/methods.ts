import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { McpAuthError } from "../errors.js";
import { answered } from "../methods.js";
import type { ServerDependencies } from "../server/server.js";
import type { McpServers } from "../servers.js";
import { type OAuthTarget, oauthTarget } from "./target.js";

/** Time in milliseconds for the requests of a login, several of which follow each other. */
const REQUESTS_MS = 120_000;
/** Path at which a gateway describes itself to authorization servers, below the routes of the plugin. */
const CLIENT_PATH = "/oauth-client.json";

/** Result of `mcp.auth.start`. */
export interface StartedLogin {
  readonly server: string;
  /** URL of the login page. */
  readonly url: string;
}

/** Result of `mcp.auth.remove`. */
export interface RemovedLogin {
  readonly server: string;
  readonly removed: boolean;
  readonly revoked: boolean;
}

/**
 * Registers the methods by which a person logs in to HTTP servers (EXT-014).
 * @param api - api of the plugin
 * @param servers - servers of the configuration
 * @param dependencies - network and store
 */
export function registerLoginMethods(
  api: OpenClawPluginApi,
  servers: McpServers,
  dependencies: ServerDependencies,
): void {
  const login = async (name: string) => {
    const { settings } = await servers.server(name);
    const target = oauthTarget(settings, dependencies.clientMetadataUrl);
    if (target === undefined) throw withoutLogin(name, settings.target.kind);
    return { server: target.name, login: await open(target) };
  };
  const open = async (target: OAuthTarget) => {
    const { ServerLogin } = await import("./login.js");
    return new ServerLogin(target, dependencies.oauth, dependencies.fetch);
  };
  const options = { scope: "operator.admin", timeoutMs: REQUESTS_MS } as const;
  api.registerGatewayMethod(
    "mcp.auth.start",
    answered(async ({ params }): Promise<StartedLogin> => {
      const { server, login: started } = await login(String(params.server));
      return { server, url: await started.start(String(params.redirectUri)) };
    }),
    options,
  );
  api.registerGatewayMethod(
    "mcp.auth.complete",
    answered(async ({ params }) => {
      const { server, login: started } = await login(String(params.server));
      await started.complete(new URLSearchParams(String(params.query)));
      return { server };
    }),
    options,
  );
  api.registerGatewayMethod(
    "mcp.auth.remove",
    answered(async ({ params }): Promise<RemovedLogin> => {
      const { server, login: started } = await login(String(params.server));
      const outcome = await started.remove();
      (await servers.server(server)).reconnect();
      return { server, ...outcome };
    }),
    options,
  );
}

function withoutLogin(name: string, kind: "stdio" | "http"): McpAuthError {
  return kind === "stdio"
    ? new McpAuthError(
        name,
        "it is a program, and only servers over HTTP have logins",
        "set its env",
      )
    : new McpAuthError(
        name,
        "its entry has the header Authorization",
        `remove mcpServers.${name}.headers.Authorization to log in`,
      );
}

/**
 * Returns the URL of the document that describes this gateway to authorization servers, which then need no registration
 * (client ID metadata documents).
 * @param publicUrl - URL of the gateway for browsers
 * @returns undefined for a gateway that has no such URL with https
 */
export function clientMetadataUrlOf(publicUrl: unknown): string | undefined {
  if (typeof publicUrl !== "string" || !publicUrl.startsWith("https://")) return undefined;
  return `${publicUrl.replace(/\/+$/, "")}/plugins/mcp${CLIENT_PATH}`;
}

/**
 * Registers the route of that document.
 * @param api - api of the plugin
 * @param url - URL of the document
 */
export function registerClientMetadata(api: OpenClawPluginApi, url: string): void {
  const body = JSON.stringify({
    client_id: url,
    client_name: "OpenClaw",
    client_uri: new URL(url).origin,
    // An authorization server accepts any port of these (RFC 8252, section 7.3).
    redirect_uris: ["http://127.0.0.1/oauth/callback", "http://localhost/oauth/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  });
  api.registerHttpRoute({
    path: CLIENT_PATH,
    auth: "plugin",
    methods: ["GET"],
    fetch: () => new Response(body, { headers: { "content-type": "application/json" } }),
  });
}
