import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { McpAuthError } from "../errors.js";
import { answered } from "../methods.js";
import type { ServerDependencies } from "../server/server.js";
import type { McpServers } from "../servers.js";
import type { ServerLogin } from "./login.js";
import { type GatewayUrls, type OAuthTarget, oauthTarget } from "./target.js";

/** Time in milliseconds for the requests of a login, several of which follow each other. */
const REQUESTS_MS = 120_000;
/** Path at which a gateway describes itself to authorization servers, below the routes of the plugin. */
const CLIENT_PATH = "/oauth-client.json";
/** Path at which a browser returns from a login that was started in a conversation. */
const CALLBACK_PATH = "/login/callback";

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
    const target = oauthTarget(settings, dependencies.gatewayUrls);
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
  api.registerHttpRoute({
    path: CALLBACK_PATH,
    // The state of the login is the token.
    auth: "plugin",
    methods: ["GET"],
    async fetch({ method, url }) {
      // A program that only looks at the URL must not use up the state.
      if (method !== "GET") return new Response(null, { status: 405, headers: { allow: "GET" } });
      const query = new URL(url).searchParams;
      for (const server of await servers.all()) {
        const target = oauthTarget(server.settings, dependencies.gatewayUrls);
        const started = target && (await open(target));
        if (started !== undefined && (await started.isOf(query))) {
          return await returned(server.name, started, query);
        }
      }
      return page(400, "No open login has this state. Start the login again.");
    },
  });
  const returned = async (name: string, started: ServerLogin, query: URLSearchParams) => {
    try {
      await started.complete(query);
    } catch (error) {
      if (!OpenClawError.isInstance(error)) throw error;
      return page(400, error.message);
    }
    const server = await servers.server(name);
    // The state of the server has the reason of a failure.
    await server.start({ isForced: true }).catch(() => undefined);
    return page(200, `MCP server ${name} is ready. You can close this page.`);
  };
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

/** The URL of the page contains the code of the login, which no other page and no cache may get. */
function page(status: number, text: string): Response {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  };
  return new Response(text, { status, headers });
}

/**
 * Returns the URLs of this gateway for logins. Authorization servers that read the document at the first need no
 * registration (client ID metadata documents).
 * @param publicUrl - URL of the gateway for browsers
 * @returns no document for a gateway that has no such URL with https
 */
export function gatewayUrlsOf(publicUrl: unknown): GatewayUrls {
  if (typeof publicUrl !== "string") return {};
  const base = `${publicUrl.replace(/\/+$/, "")}/plugins/mcp`;
  const callbackUrl = `${base}${CALLBACK_PATH}`;
  return base.startsWith("https://")
    ? { callbackUrl, clientMetadataUrl: `${base}${CLIENT_PATH}` }
    : { callbackUrl };
}

/**
 * Registers the route of that document.
 * @param urls - URLs of this gateway
 */
export function registerClientMetadata(
  api: OpenClawPluginApi,
  { clientMetadataUrl: url, callbackUrl }: GatewayUrls,
): void {
  if (url === undefined) return;
  const body = JSON.stringify({
    client_id: url,
    client_name: "OpenClaw",
    client_uri: new URL(url).origin,
    // An authorization server accepts any port of these (RFC 8252, section 7.3).
    redirect_uris: [
      ...["http://127.0.0.1/oauth/callback", "http://localhost/oauth/callback"],
      ...(callbackUrl === undefined ? [] : [callbackUrl]),
    ],
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
