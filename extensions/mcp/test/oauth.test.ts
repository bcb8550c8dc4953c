import { type OAuthServerOptions, startOAuthServer } from "@openclaw/platform-fakes";
import { describe, expect, it, onTestFinished } from "vitest";
import { mcpHost, until } from "./support/fixture.js";
import { httpServer } from "./support/http-server.js";

const REDIRECT = "http://127.0.0.1:54321/oauth/callback";

interface Options extends OAuthServerOptions {
  /** Further fields of the entry. */
  readonly entry?: object;
  /** Sections of the configuration. */
  readonly config?: Record<string, object>;
  /** Scope that a call needs. */
  readonly callScope?: string;
  /** Metadata of the resource; with the authorization server when absent. */
  readonly resource?: object;
  /** URL to which the metadata of the resource is redirected. */
  readonly redirect?: string;
  /** Further hosts that may be reached. */
  readonly allowed?: readonly string[];
}

/** Starts a host with a server that is protected by an authorization server. */
async function protectedHost({
  entry,
  config,
  callScope,
  resource,
  redirect,
  allowed = [],
  ...options
}: Options = {}) {
  const oauth = await startOAuthServer({ registersClients: true, ...options });
  onTestFinished(() => oauth.close());
  const granted = new Map<string, string>();
  const mcp = await httpServer({
    guard: ({ path, headers, body }) => {
      if (path === "/.well-known/oauth-protected-resource/mcp") {
        if (redirect !== undefined)
          return { status: 302, body: "", headers: { location: redirect } };
        const found = { resource: mcp.url, authorization_servers: [oauth.issuer] };
        return { body: JSON.stringify({ ...found, ...resource }) };
      }
      if (path !== "/mcp") return { status: 404, body: "{}" };
      const token = headers.authorization?.replace("Bearer ", "");
      const known = oauth.tokens.find(({ accessToken }) => accessToken === token);
      const metadata = `resource_metadata="${mcp.server.origin}/.well-known/oauth-protected-resource/mcp"`;
      const refuse = (status: number, more: string) => ({
        ...{ status, body: "{}" },
        headers: { "www-authenticate": `Bearer ${metadata}${more}` },
      });
      if (known === undefined || granted.get("withdrawn") === token) {
        return refuse(401, ', scope="read"');
      }
      const isCall = (body as { method?: string } | undefined)?.method === "tools/call";
      const scopes = oauth.pages.at(-1)?.scope?.split(" ") ?? [];
      if (isCall && callScope !== undefined && !scopes.includes(callScope)) {
        return refuse(403, `, error="insufficient_scope", scope="${callScope}"`);
      }
      return undefined;
    },
  });
  const allowHosts = [new URL(mcp.server.origin).host, oauth.host, ...allowed];
  const host = await mcpHost(
    { remote: { url: mcp.url, ...entry } },
    { config: { tools: { http: { allowHosts } }, ...config } },
  );
  const call = async (method: string, params: object) => {
    const body = JSON.stringify(params);
    const answer = await host.request(`/api/v1/${method}`, { method: "POST", body });
    return (await answer.json()) as Record<string, unknown> & { error?: { message: string } };
  };
  const start = () => call("mcp.auth.start", { server: "remote", redirectUri: REDIRECT });
  const complete = (back: string) =>
    call("mcp.auth.complete", { server: "remote", query: new URL(back).search.slice(1) });
  const logIn = async () => {
    const { url, error } = await start();
    if (typeof url !== "string") throw new Error(error?.message);
    return await complete(await oauth.login(url));
  };
  const reason = async () => {
    const { servers } = await call("mcp.list", {});
    return (servers as { reason?: string }[])[0]?.reason;
  };
  const withdraw = (token: string | undefined) => granted.set("withdrawn", token ?? "");
  const echo = () => host.callTool("remote__echo", { text: "hello" });
  return { host, oauth, mcp, call, start, complete, logIn, reason, echo, withdraw };
}

describe("a server that needs a login", () => {
  it("[EXT-014] [HOST-020] [EXT-910] is used after a login with PKCE, resource and state, over a restart of the connection", async () => {
    const { oauth, mcp, call, logIn, reason, echo } = await protectedHost();
    await until(async () => (await reason()) !== undefined);
    expect(await reason()).toMatch(/needs a login \(HTTP 401\): run `openclaw mcp auth remote`/);
    expect(await call("mcp.list", {})).toMatchObject({ servers: [{ state: "refused" }] });
    // A connection registers no client and opens no page.
    expect([oauth.registrations, oauth.pages]).toEqual([[], []]);

    expect(await logIn()).toEqual({ server: "remote" });
    expect(await call("mcp.test", { server: "remote" })).toMatchObject({ state: "ready" });
    expect((await echo()).text).toBe("hello");
    expect(oauth.registrations).toMatchObject([
      { client_name: "OpenClaw", redirect_uris: [REDIRECT], application_type: "native" },
    ]);
    expect(oauth.pages).toMatchObject([{ scope: "read", resource: mcp.url }]);
    expect(oauth.tokens).toMatchObject([{ grantType: "authorization_code", resource: mcp.url }]);
  });

  it("[EXT-014] refreshes a token before it ends, once for several calls, and after HTTP 401", async () => {
    const { oauth, mcp, call, logIn, echo, withdraw } = await protectedHost({ expiresIn: 30 });
    await logIn();
    oauth.expiresIn = 3600;
    await call("mcp.test", { server: "remote" });
    expect((await Promise.all([echo(), echo(), echo()])).map(({ text }) => text)).toEqual([
      ...["hello", "hello", "hello"],
    ]);
    expect(oauth.tokens.map(({ grantType }) => grantType)).toEqual([
      ...["authorization_code", "refresh_token"],
    ]);
    expect(oauth.tokens[1]?.resource).toBe(mcp.url);
    withdraw(oauth.tokens[1]?.accessToken);
    expect((await echo()).text).toBe("hello");
    expect(oauth.tokens).toHaveLength(3);
  });

  it("[EXT-014] [EXT-911] asks for a new login when the refresh token has ended, and keeps it when the server fails", async () => {
    const { oauth, call, logIn, reason, echo, withdraw } = await protectedHost();
    await logIn();
    await call("mcp.test", { server: "remote" });
    withdraw(oauth.tokens[0]?.accessToken);
    oauth.fail("temporarily_unavailable", 503);
    expect((await echo()).text).toContain("could not refresh its login (temporarily_unavailable)");
    expect((await echo()).text).toBe("hello");

    withdraw(oauth.tokens[1]?.accessToken);
    oauth.withdraw();
    expect((await echo()).text).toMatch(/login that has expired or was withdrawn.*mcp auth remote/);
    await call("mcp.test", { server: "remote" });
    expect(await reason()).toMatch(/needs a login/);
    await logIn();
    await call("mcp.test", { server: "remote" });
    expect((await echo()).text).toBe("hello");
  });

  it("[EXT-014] asks for the scopes of a call at the next login", async () => {
    const { oauth, call, logIn, echo } = await protectedHost({ callScope: "write" });
    await logIn();
    await call("mcp.test", { server: "remote" });
    expect((await echo()).text).toMatch(/needs more permissions \(write\): run `openclaw mcp auth/);
    await logIn();
    expect(oauth.pages.at(-1)?.scope?.split(" ").sort()).toEqual(["read", "write"]);
    expect((await echo()).text).toBe("hello");
  });

  it("[EXT-014] is known by its metadata document where the authorization server reads it", async () => {
    const url = "https://gateway.example/plugins/mcp/oauth-client.json";
    const { host, oauth, logIn } = await protectedHost({
      clientId: url,
      publishes: { client_id_metadata_document_supported: true },
      config: { gateway: { publicUrl: "https://gateway.example/" } },
    });
    await logIn();
    expect(oauth.pages).toMatchObject([{ clientId: url }]);
    expect(oauth.registrations).toEqual([]);
    const document = await host.request("/plugins/mcp/oauth-client.json");
    expect(await document.json()).toMatchObject({ client_id: url, application_type: "native" });
  });

  it("[EXT-014] uses the client of the operator, only at its authorization server", async () => {
    const { oauth, logIn } = await protectedHost({
      ...{ clientId: "own", clientSecret: "hidden", registersClients: false },
      entry: { oauth: { clientId: "own", clientSecret: "hidden", scopes: ["extra"] } },
    });
    await logIn();
    expect(oauth.pages).toMatchObject([{ clientId: "own", scope: "extra read" }]);
    expect(oauth.tokens).toHaveLength(1);
  });

  it("[EXT-014] removes a login and revokes its tokens", async () => {
    const { oauth, call, logIn, echo } = await protectedHost();
    await logIn();
    await call("mcp.test", { server: "remote" });
    const outcome = await call("mcp.auth.remove", { server: "remote" });
    expect(outcome).toEqual({ server: "remote", removed: true, revoked: true });
    expect(oauth.revoked).toHaveLength(1);
    expect((await echo()).text).toMatch(/needs a login/);
  });
});

describe("a login that cannot be completed", () => {
  it("[EXT-911] accepts a state once, and no other", async () => {
    const { oauth, start, complete } = await protectedHost();
    const { url } = await start();
    const back = await oauth.login(String(url));
    const other = new URL(back);
    other.searchParams.set("state", "another");
    expect((await complete(other.href)).error?.message).toContain("has this state");
    expect(await complete(back)).toEqual({ server: "remote" });
    expect((await complete(back)).error?.message).toContain("has this state");
    expect(oauth.tokens).toHaveLength(1);
  });

  it("[EXT-911] sends no code to another issuer than the one that was asked", async () => {
    const { oauth, logIn } = await protectedHost({ answersAs: "https://attacker.example" });
    const failed = await logIn();
    expect(failed.error?.message).toMatch(/another authorization server than the one/);
    expect(oauth.tokens).toEqual([]);
  });

  it("[EXT-911] says that a person did not allow it", async () => {
    const { oauth, start, complete } = await protectedHost();
    const { url } = await start();
    const denied = await complete(await oauth.login(String(url), "deny"));
    expect(denied.error?.message).toContain("the login was not granted: access_denied");
    expect(oauth.tokens).toEqual([]);
  });

  it("[EXT-911] says what to do when the authorization server registers no clients", async () => {
    const { start } = await protectedHost({ registersClients: false });
    expect((await start()).error?.message).toMatch(
      /does not register clients by itself; register one there, and set mcpServers.remote.oauth.clientId/,
    );
  });

  it.each([
    ["metadata of the server", { resource: { authorization_servers: ["http://169.254.169.254"] } }],
    ["token endpoint", { publishes: { token_endpoint: "http://127.0.0.1:1/token" } }],
  ])("[EXT-911] [SAFE-050] reaches no internal address: %s", async (_, options) => {
    const { logIn, oauth } = await protectedHost(options);
    const outcome = await logIn().catch((error: Error) => ({ error }));
    expect(outcome.error?.message).toMatch(/tools\.http\.allowHosts/);
    expect(oauth.tokens).toEqual([]);
  });

  it("[EXT-911] follows no redirect of the metadata", async () => {
    const { server, url } = await httpServer();
    const { start, oauth } = await protectedHost({ redirect: url, registersClients: false });
    expect((await start()).error?.message).toContain("does not register clients by itself");
    expect([server.requests, oauth.pages]).toEqual([[], []]);
  });

  it("[EXT-911] sends no code to where a request for a token is redirected", async () => {
    const other = await httpServer();
    const headers = { location: other.url };
    const tokens = await httpServer({ guard: () => ({ status: 307, body: "", headers }) });
    const { logIn, oauth } = await protectedHost({
      ...{ publishes: { token_endpoint: tokens.url } },
      allowed: [tokens.server, other.server].map(({ origin }) => new URL(origin).host),
    });
    expect((await logIn()).error?.message).toContain("the authorization server failed");
    expect(tokens.server.requests).toHaveLength(1);
    expect([other.server.requests, oauth.tokens]).toEqual([[], []]);
  });

  it("[HOST-020] offers no login for programs and for servers whose entry has the header", async () => {
    const { call } = await protectedHost({ entry: { headers: { Authorization: "Bearer a" } } });
    const parameters = { server: "remote", redirectUri: REDIRECT };
    const own = await call("mcp.auth.start", parameters);
    expect(own.error?.message).toContain("its entry has the header Authorization");
    const host = await mcpHost({ program: { command: "a" } });
    const body = JSON.stringify({ ...parameters, server: "program" });
    const answer = await host.request("/api/v1/mcp.auth.start", { method: "POST", body });
    expect(await answer.text()).toContain("only servers over HTTP have logins");
  });

  it("[TURN-067] [EXT-014] takes the browser back itself from a login of a conversation", async () => {
    const redirectUri = "http://127.0.0.1:54321/plugins/mcp/login/callback";
    const { host, oauth, call, echo } = await protectedHost({ redirectUris: [redirectUri] });
    const { url } = await call("mcp.auth.start", { server: "remote", redirectUri });
    const { search } = new URL(await oauth.login(String(url)));
    const open = async (query: string, method = "GET") => {
      const answer = await host.request(`/plugins/mcp/login/callback${query}`, { method });
      return { status: answer.status, text: await answer.text() };
    };
    expect(await open("?state=other&code=1")).toMatchObject({
      ...{ status: 400, text: expect.stringContaining("No open login has this state") },
    });
    expect(await open(search, "HEAD")).toMatchObject({ status: 405 });
    expect(oauth.tokens).toEqual([]);
    expect(await open(search)).toEqual({
      ...{ status: 200, text: "MCP server remote is ready. You can close this page." },
    });
    expect((await echo()).text).toBe("hello");
    expect(await open(search)).toMatchObject({ status: 400 });
    expect(oauth.tokens).toHaveLength(1);
  });

  it("[EXT-911] sends the browser to this machine only", async () => {
    const { call } = await protectedHost();
    const parameters = { server: "remote", redirectUri: "https://attacker.example/oauth/callback" };
    const failed = await call("mcp.auth.start", parameters);
    expect(failed.error?.message).toContain("must be http://127.0.0.1:PORT/oauth/callback");
  });
});
