import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import {
  type OAuthServer,
  type OAuthServerOptions,
  startOAuthServer,
} from "@openclaw/platform-fakes";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { OAuthCredential } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestClock, createTestHost, type TestHost } from "@openclaw/plugin-testkit";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";

const MINUTE = 60_000;
const REDIRECT = "http://127.0.0.1:9876/oauth/callback";

interface StartedLogin {
  readonly loginId: string;
  readonly url: string;
  readonly redirectUri: string;
}

interface Scene {
  readonly server: OAuthServer;
  readonly host: TestHost;
  /** File of the database. */
  readonly database: string;
  accessToken(): Promise<string>;
  call(method: string, params: object): Promise<{ status: number; body: unknown }>;
  /** Starts a login; returns its result. */
  start(params?: object): Promise<StartedLogin>;
  /** Opens a callback as a browser, without a token of the gateway. */
  open(url: string, init?: RequestInit): Promise<Response>;
  /** Logs in from start to end. */
  logIn(): Promise<void>;
}

async function scene({
  server: serverOptions = {},
  credential = (server) => ({ issuer: server.issuer }),
  gateway = {},
}: {
  readonly server?: OAuthServerOptions;
  readonly credential?: (server: OAuthServer) => Partial<OAuthCredential>;
  readonly gateway?: object;
} = {}): Promise<Scene> {
  const server = await startOAuthServer(serverOptions);
  onTestFinished(() => server.close());
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const clock = createTestClock();
  const database = join(folder.path, "openclaw.db");
  const store = await openStore({ file: database, now: () => clock.now() });
  onTestFinished(() => store.close());
  const given: { api?: OpenClawPluginApi } = {};
  const host = await createTestHost({
    store,
    clock,
    config: { gateway, tools: { http: { allowHosts: [server.host] } } },
    plugin: {
      id: "mail",
      name: "Mail",
      register(api) {
        given.api = api;
        api.registerOAuthCredential({
          id: "box",
          clientId: "client",
          scopes: ["mail.read", "mail.send"],
          ...credential(server),
        });
      },
    },
  });
  onTestFinished(() => host.dispose());
  const call: Scene["call"] = async (method, params) => {
    const response = await host.request(`/api/v1/${method.replace(".", "/")}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": randomUUID() },
      body: JSON.stringify(params),
    });
    return { status: response.status, body: await response.json() };
  };
  const start: Scene["start"] = async (params = { redirectUri: REDIRECT }) => {
    const { status, body } = await call("logins.start", { name: "mail/box", ...params });
    expect([status, JSON.stringify(body)]).toEqual([200, expect.any(String)]);
    return body as StartedLogin;
  };
  const open: Scene["open"] = (url, init) => {
    const { pathname, search } = new URL(url);
    return host.request(`${pathname}${search}`, { ...init, authenticated: false });
  };
  return {
    ...{ server, host, database, call, start, open },
    accessToken: async () => {
      const token = await given.api?.runtime.oauth?.accessToken("box");
      if (token === undefined) throw new Error("the host has no OAuth");
      return token;
    },
    async logIn() {
      const response = await open(await server.login((await start()).url));
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining("Login complete"),
      ]);
    },
  };
}

describe("login at another service", () => {
  it("[HOST-018] has a state of 32 characters and PKCE S256 with a verifier of 32 bytes", async () => {
    const { server, start, open, accessToken } = await scene();
    const first = new URL((await start()).url);
    const second = await start();
    const states = [first, new URL(second.url)].map((url) => url.searchParams.get("state"));
    expect(states[0]).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(states[1]).not.toBe(states[0]);
    expect(first.searchParams.get("code_challenge_method")).toBe("S256");
    await open(await server.login(second.url));
    const [{ challenge, scope } = { challenge: "" }] = server.pages;
    const [{ verifier = "", accessToken: issued } = {}] = server.tokens;
    expect(Buffer.from(verifier, "base64url")).toHaveLength(32);
    expect(createHash("sha256").update(verifier).digest("base64url")).toBe(challenge);
    expect(scope).toBe("mail.read mail.send");
    expect(await accessToken()).toBe(issued);
  });

  it("[HOST-018] rejects a wrong, missing or repeated state with a page, and requests no token", async () => {
    const { server, start, open } = await scene();
    const { url } = await start();
    const callback = new URL(await server.login(url));
    for (const state of ["A".repeat(32), undefined]) {
      const wrong = new URL(callback);
      wrong.searchParams.delete("state");
      if (state !== undefined) wrong.searchParams.set("state", state);
      const response = await open(wrong.href);
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining("this login was not started here"),
      ]);
    }
    expect(server.tokens).toEqual([]);
    expect((await open(callback.href)).status).toBe(200);
    expect((await open(callback.href)).status).toBe(400);
    expect(server.tokens).toHaveLength(1);
  });

  it("[HOST-018] uses a state once, also when the login is denied", async () => {
    const { server, start, open, call } = await scene();
    const { url, loginId } = await start();
    const denied = await open(await server.login(url, "deny"));
    expect([denied.status, await denied.text()]).toEqual([
      400,
      expect.stringContaining("access_denied"),
    ]);
    const { body } = await call("logins.status", { loginId });
    expect(body).toMatchObject({ status: "failed" });
    expect((await open(await server.login(url))).status).toBe(400);
    expect(server.tokens).toEqual([]);
  });

  it("[HOST-018] does not use up a state for a request that only asks for headers", async () => {
    const { server, start, open } = await scene();
    const callback = await server.login((await start()).url);
    expect((await open(callback, { method: "HEAD" })).status).toBe(405);
    expect((await open(callback)).status).toBe(200);
  });

  it("[HOST-018] rejects a state after 10 minutes", async () => {
    const { server, host, start, open, call } = await scene();
    const early = await server.login((await start()).url);
    await host.advance(10 * MINUTE - 1);
    expect((await open(early)).status).toBe(200);
    const { url, loginId } = await start();
    const late = await server.login(url);
    await host.advance(10 * MINUTE);
    expect((await open(late)).status).toBe(400);
    const { body } = await call("logins.status", { loginId });
    expect(body).toMatchObject({ status: "expired" });
    expect(server.tokens).toHaveLength(1);
  });

  it("[HOST-018] cancels a login when a newer one of the credential starts", async () => {
    const { server, start, open } = await scene();
    const older = await server.login((await start()).url);
    const newer = await server.login((await start()).url);
    expect((await open(older)).status).toBe(400);
    expect((await open(newer)).status).toBe(200);
  });

  it("[HOST-018] returns to gateway.publicUrl, or to a listener on the loopback interface only", async () => {
    const publicUrl = "https://gateway.example";
    const redirectUris = [`${publicUrl}/oauth/callback`];
    const { server, start, open, call } = await scene({
      server: { redirectUris },
      gateway: { publicUrl },
    });
    const { url, redirectUri } = await start({});
    expect(redirectUri).toBe(redirectUris[0]);
    const callback = await server.login(url);
    expect(callback).toContain(`${redirectUri}?`);
    expect((await open(callback, { headers: { host: "gateway.example" } })).status).toBe(200);
    for (const other of ["https://evil.example/oauth/callback", "http://127.0.0.1:1/other"]) {
      const rejected = await call("logins.start", { name: "box", redirectUri: other });
      expect(rejected.status).toBe(400);
      expect(JSON.stringify(rejected.body)).toContain("OAUTH_LOGIN_INVALID");
    }
    expect((await call("logins.start", { name: "mail/bax" })).status).toBe(404);
  });

  it.each([
    ["metadata of OAuth", {}, (server: OAuthServer) => ({ issuer: server.issuer })],
    [
      "metadata of OpenID",
      { metadata: "openid" },
      (server: OAuthServer) => ({ issuer: server.issuer }),
    ],
    [
      "endpoints and a secret",
      { metadata: "none", clientSecret: "s3cret:x" },
      ({ endpoints }: OAuthServer) => ({ endpoints, clientSecret: "s3cret:x" }),
    ],
    [
      "endpoints and a secret in the body",
      { metadata: "none", clientSecret: "s3cret:x" },
      ({ endpoints }: OAuthServer) => ({
        endpoints,
        clientSecret: "s3cret:x",
        clientAuthentication: "post" as const,
      }),
    ],
  ] as const)("[HOST-018] logs in with %s", async (_, server, credential) => {
    const { logIn, accessToken } = await scene({ server, credential });
    await logIn();
    expect(await accessToken()).toMatch(/^access-/);
  });

  it("[HOST-018] shows text of the server without markup", async () => {
    const { start, open } = await scene();
    const state = new URL((await start()).url).searchParams.get("state");
    const error = encodeURIComponent("<script>alert(1)</script>");
    const response = await open(`${REDIRECT}?state=${state}&error=${error}`);
    const text = await response.text();
    expect(text).not.toContain("<script>");
    expect(text).not.toContain("alert(1)");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("[HOST-018] fails when the server does not answer within 15 s", async () => {
    const { server, host, start, open } = await scene();
    const callback = await server.login((await start()).url);
    const reached = server.hang();
    const opened = open(callback);
    await reached;
    const settled = vi.fn();
    void opened.then(settled);
    await host.advance(14_999);
    expect(settled).not.toHaveBeenCalled();
    await host.advance(1);
    const response = await opened;
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("did not answer within 15 s"),
    ]);
  });
});

describe("tokens of a login", () => {
  it("[HOST-019] are stored encrypted, and deleted and revoked at the logout", async () => {
    const { server, host, database, logIn, accessToken, call } = await scene();
    await logIn();
    const token = await accessToken();
    const files = [database, `${database}-wal`].map((file) => readFileSync(file, "latin1")).join();
    expect(files).toContain("oauth.box");
    expect(files).not.toContain(token);
    expect(files).not.toContain("refresh-");
    expect(JSON.stringify(host.logs)).not.toContain(token);
    const { body } = await call("logins.list", {});
    expect(JSON.stringify(body)).toContain("logged-in");
    expect(JSON.stringify(body)).not.toContain(token);
    const removed = await call("logins.remove", { name: "box" });
    expect(JSON.stringify(removed.body)).toContain('"revoked":true');
    expect(server.revoked).toEqual([expect.stringMatching(/^refresh-/)]);
    await expect(accessToken()).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
  });

  it("[HOST-019] are refreshed when less than 60 s remain, and the refresh token is replaced", async () => {
    const { server, host, logIn, accessToken } = await scene();
    await logIn();
    const first = await accessToken();
    await host.advance(3600_000 - 60_000);
    expect(await accessToken()).toBe(first);
    expect(server.tokens).toHaveLength(1);
    await host.advance(1);
    const second = await accessToken();
    expect(second).toBe(server.tokens[1]?.accessToken);
    await host.advance(3600_000);
    expect(await accessToken()).toBe(server.tokens[2]?.accessToken);
    const used = server.tokens.map(({ refreshToken }) => refreshToken);
    expect(new Set(used).size).toBe(3);
  });

  it("[HOST-019] are refreshed once for ten concurrent readers", async () => {
    const { server, host, logIn, accessToken } = await scene();
    await logIn();
    await host.advance(3600_000);
    const tokens = await Promise.all(Array.from({ length: 10 }, () => accessToken()));
    expect(new Set(tokens).size).toBe(1);
    expect(server.tokens).toHaveLength(2);
  });

  it("[HOST-019] need a login after a rejected refresh, which clients are told of, until one is made", async () => {
    const { server, host, logIn, accessToken, call } = await scene();
    await logIn();
    const events = await host.request("/api/v1/events");
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    server.withdraw();
    await host.advance(3600_000);
    const rejected = await Promise.allSettled(Array.from({ length: 3 }, () => accessToken()));
    for (const each of rejected) {
      expect(each).toMatchObject({
        status: "rejected",
        reason: { code: "AUTH_REQUIRED", credential: "mail/box" },
      });
    }
    let text = "";
    while (!text.includes("auth_required")) text += (await reader?.read())?.value ?? "";
    expect(text).toContain("mail/box");
    const { body } = await call("logins.list", {});
    expect(JSON.stringify(body)).toContain("invalid_grant");
    await logIn();
    while (!text.includes("auth_completed")) text += (await reader?.read())?.value ?? "";
    expect(text.split("event: auth_required")).toHaveLength(2);
    expect(await accessToken()).toBe(server.tokens.at(-1)?.accessToken);
    await reader?.cancel();
  });

  it("[HOST-019] count an error with status 200 as a rejected refresh", async () => {
    const { server, host, logIn, accessToken } = await scene();
    await logIn();
    await host.advance(3600_000);
    server.fail("bad_refresh_token", 200);
    await expect(accessToken()).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
    await expect(accessToken()).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
    expect(server.tokens).toHaveLength(1);
  });

  it("[HOST-019] stay in use while they are valid and the server fails; a later call tries again", async () => {
    const { server, host, logIn, accessToken } = await scene();
    await logIn();
    const first = await accessToken();
    await host.advance(3600_000 - 30_000);
    server.fail("temporarily_unavailable", 503);
    expect(await accessToken()).toBe(first);
    await host.advance(30_000);
    server.fail("server_error", 500);
    const failed = await accessToken().catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "OAUTH_REQUEST_FAILED" });
    expect(String(failed)).not.toContain("refresh-");
    expect(await accessToken()).toBe(server.tokens[1]?.accessToken);
  });

  it("[HOST-019] need a login before the first one, which the error names", async () => {
    const { accessToken } = await scene();
    await expect(accessToken()).rejects.toMatchObject({
      code: "AUTH_REQUIRED",
      message: expect.stringContaining("openclaw secrets login mail/box"),
    });
  });
});

describe("registered credential", () => {
  it("[SDK-066] is listed with the plugin, and left out with a diagnostic when it is not valid", async () => {
    const valid = { id: "box", clientId: "client", issuer: "https://login.example" };
    const wrong: readonly [object, string][] = [
      [{ ...valid, id: "Box" }, "id"],
      [{ ...valid, issuer: undefined }, "issuer"],
      [{ ...valid, issuer: "login.example" }, "issuer"],
      [{ ...valid, clientId: "" }, "clientId"],
      [{ ...valid, clientSecret: 12 }, "clientSecret"],
      [{ ...valid, scopes: "mail" }, "scopes"],
      [{ ...valid, authorizationParameters: { state: "x" } }, "authorizationParameters.state"],
    ];
    const host = await createTestHost({
      plugin: {
        id: "mail",
        register(api) {
          api.registerOAuthCredential(valid);
          for (const [each] of wrong) api.registerOAuthCredential(each as OAuthCredential);
        },
      },
    });
    onTestFinished(() => host.dispose());
    expect(host.plugin.oauthCredentials).toEqual(["mail/box"]);
    const told = host.diagnostics.filter(({ code }) => code === "registration-invalid");
    expect(told.map(({ message }) => message)).toEqual(
      wrong.map(([, field]) => expect.stringContaining(field)),
    );
  });
});
