import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startOAuthServer } from "@openclaw/platform-fakes";
import type { TestHost } from "@openclaw/plugin-testkit";
import { hostImportsOf } from "@openclaw/wasm-host/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { ComponentFolder, method } from "./support/fixture.js";

const REDIRECT = "http://127.0.0.1:9876/oauth/callback";

/** Starts a service that accepts the given tokens; returns its host and the credentials that it received. */
async function service(accepted: () => readonly string[]) {
  const received: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    received.push(authorization);
    const isAccepted = accepted().some((token) => authorization === `Bearer ${token}`);
    response.writeHead(isAccepted ? 200 : 401).end(isAccepted ? "inbox of alice" : "who?");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // The address of a server on a port is an object.
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, received };
}

/** A tool that returns the body of a response to a request. */
function requester(url: string) {
  return {
    imports: hostImportsOf(["http-request"]),
    fields: `(data (i32.const 512) "GET{}${url}")`,
    execute: `(call $http-request (i32.const 512) (i32.const 3) (i32.const 517)
        (i32.const ${url.length}) (i32.const 515) (i32.const 2)
        (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 128))
      (if (result i32) (i32.load8_u (i32.const 128))
        (then (call $fail (i32.load (i32.const 132)) (i32.load (i32.const 136))))
        (else (call $ok (i32.load (i32.const 144)) (i32.load (i32.const 148)))))`,
  };
}

const http = {
  allowlist: [{ host: "127.0.0.1" }],
  credentials: {
    mail: { secret_name: "mail_token", location: { type: "bearer" }, host_patterns: ["127.0.0.1"] },
  },
};

async function logIn(host: TestHost, login: (url: string) => Promise<string>): Promise<void> {
  const { body } = await method(host, "logins/start", { name: "wasm/mail", redirectUri: REDIRECT });
  const { search } = new URL(await login(body.url));
  const ended = await method(host, "logins/complete", { query: search });
  expect(ended.body).toMatchObject({ status: "completed" });
}

describe("logins of components", () => {
  it("[WASM-012] [WASM-032] [SDK-066] sends the token of the login, refreshes it once after 401, and asks for a new login", async () => {
    const oauth = await startOAuthServer({ clientSecret: "client-secret" });
    onTestFinished(() => oauth.close());
    let accepted = () => oauth.tokens.map(({ accessToken }) => accessToken);
    const mail = await service(() => accepted());
    const folder = new ComponentFolder();
    await folder.add("mail", requester(`${mail.origin}/inbox`), {
      http,
      auth: {
        secret_name: "mail_token",
        display_name: "Mail",
        oauth: {
          authorization_url: oauth.endpoints.authorization,
          token_url: oauth.endpoints.token,
          client_id: "client",
          client_secret_env: "MAIL_CLIENT_SECRET",
          scopes: ["mail.read"],
          extra_params: { access_type: "offline" },
        },
      },
    });
    const config = { tools: { http: { allowHosts: [oauth.host, mail.host] } } };
    const host = await folder.host({ config }, { MAIL_CLIENT_SECRET: "client-secret" });
    const listed = await method(host, "wasm.list");
    expect(listed.body.components[0].permissions).toContain(
      `login at ${oauth.host} for mail_token: mail.read, sends the variables MAIL_CLIENT_SECRET`,
    );
    expect((await host.callTool("mail")).text).toBe(
      "LoginRequired: mail needs a login; the operator runs `openclaw secrets login wasm/mail`",
    );
    expect(mail.received).toEqual([]);
    expect((await method(host, "logins/list")).body.credentials).toEqual([
      expect.objectContaining({ name: "wasm/mail", label: "Mail", status: "needs-login" }),
    ]);

    await logIn(host, (url) => oauth.login(url));
    expect(oauth.pages[0]).toMatchObject({ scope: "mail.read", clientId: "client" });
    expect((await host.callTool("mail")).text).toBe("inbox of alice");
    expect(mail.received).toHaveLength(1);

    // The service ends the token early: it is refreshed once, and the new one is used from then on.
    accepted = () => oauth.tokens.slice(1).map(({ accessToken }) => accessToken);
    expect((await host.callTool("mail")).text).toBe("inbox of alice");
    expect((await host.callTool("mail")).text).toBe("inbox of alice");
    expect(oauth.tokens.map(({ grantType }) => grantType)).toEqual([
      "authorization_code",
      "refresh_token",
    ]);
    expect(mail.received).toHaveLength(4);

    // The server rejects the refresh: a person has to log in again.
    oauth.withdraw();
    accepted = () => [];
    expect((await host.callTool("mail")).text).toBe("who?");
    expect((await host.callTool("mail")).text).toContain("LoginRequired");
    expect(mail.received).toHaveLength(5);

    await method(host, "wasm.remove", { name: "mail" });
    expect((await method(host, "logins/list")).body.credentials).toEqual([]);
  });

  it("[WASM-012] names the variable that a login needs, and uses a stored secret instead", async () => {
    const mail = await service(() => ["stored"]);
    const folder = new ComponentFolder();
    await folder.add("mail", requester(`${mail.origin}/inbox`), {
      http,
      auth: {
        secret_name: "mail_token",
        oauth: {
          authorization_url: "https://login.example/authorize",
          token_url: "https://login.example/token",
          client_id_env: "MAIL_CLIENT_ID",
        },
        validation_endpoint: { url: `${mail.origin}/me` },
      },
    });
    const host = await folder.host({ config: { tools: { http: { allowHosts: [mail.host] } } } });
    expect(JSON.stringify(host.logs)).toContain("the environment has no MAIL_CLIENT_ID");
    const set = (value: string) => method(host, "wasm.secret", { name: "mail_token", value });
    expect((await set("wrong")).body.checks).toEqual([
      { component: "mail", isAccepted: false, message: `${mail.host} rejected (401)` },
    ]);
    expect((await set("stored")).body.checks).toMatchObject([{ isAccepted: true }]);
    expect((await host.callTool("mail")).text).toBe("inbox of alice");
  });

  it("[WASM-012] rejects a login that names another variable of the environment", async () => {
    const folder = new ComponentFolder();
    const oauth = {
      authorization_url: "https://login.example/authorize",
      token_url: "https://login.example/token",
    };
    for (const [name, more] of [
      ["key", { client_id_env: "OPENAI_API_KEY" }],
      ["none", {}],
      ["field", { client_id: "a", access_token_field: "authed_user.access_token" }],
      ["url", { client_id: "a", token_url: "token" }],
    ] as const) {
      await folder.add(name, {}, { auth: { secret_name: "a", oauth: { ...oauth, ...more } } });
    }
    const host = await folder.host();
    const { problems } = (await method(host, "wasm.list")).body;
    const text = JSON.stringify(problems);
    expect(problems).toHaveLength(4);
    expect(text).toContain("must end with CLIENT_ID or CLIENT_SECRET");
    expect(text).toContain("is needed, or client_id_env");
    expect(text).toContain("only access_token is supported");
    expect(text).toContain("auth.oauth.token_url");
  });
});
