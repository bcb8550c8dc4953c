import { systemClock } from "@openclaw/foundation";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createPluginStores, openStore } from "@openclaw/store";
import { expect, it, onTestFinished } from "vitest";
import { OAuthCredentials } from "../../src/oauth/credentials.js";
import type { RegisteredCredential } from "../../src/oauth/dependencies.js";
import { MasterKeys } from "../../src/secrets/master-keys.js";
import { createPluginSecrets } from "../../src/secrets/plugin-secrets.js";

const REDIRECT = "http://127.0.0.1:9876/oauth/callback";
const SERVER = "https://login.example";

/** Opens the credential `mail/box`, whose server answers every request of a token; returns the requests. */
async function opened() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const store = await openStore({ file: ":memory:" });
  onTestFinished(() => store.close());
  const keys = new MasterKeys({ dir: folder.path }, {}, async () => undefined);
  const stores = createPluginStores({
    store,
    secrets: createPluginSecrets(async () => store, keys),
  });
  onTestFinished(() => stores.close());
  const registered: RegisteredCredential[] = [];
  const register = (origin: string) => {
    const endpoints = { authorization: `${origin}/authorize`, token: `${origin}/token` };
    const oauth = { id: "box", clientId: "client", endpoints };
    registered.splice(0, 1, { pluginId: "mail", source: "inline:mail", oauth });
  };
  register(SERVER);
  const requests: string[] = [];
  let hold: Promise<void> | undefined;
  const clock = { now: 0 };
  const credentials = new OAuthCredentials({
    plugins: () => ({ current: { oauthCredentials: registered } }),
    stores,
    events: { publish: () => undefined },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    timers: systemClock,
    publicUrl: () => undefined,
    now: () => clock.now,
    async fetch(url) {
      requests.push(url);
      await hold;
      const body = { access_token: `access-${requests.length}`, token_type: "bearer" };
      return Response.json({ ...body, refresh_token: "refresh", expires_in: 3600 });
    },
  });
  const logIn = async () => {
    const { url } = await credentials.logins.start("box", REDIRECT);
    const state = new URL(url).searchParams.get("state") ?? "";
    return credentials.logins.complete(new URLSearchParams({ state, code: "code" }));
  };
  const holdRequests = (until: Promise<void>) => {
    hold = until;
  };
  return { store, stores, registered, register, requests, credentials, clock, logIn, holdRequests };
}

it("[HOST-019] does not send stored tokens to another server", async () => {
  const { credentials, clock, register, requests, logIn } = await opened();
  await logIn();
  expect(await credentials.tokens.get("mail/box")).toBe("access-1");
  register("https://evil.example");
  clock.now = 3600_000;
  await expect(credentials.tokens.get("mail/box")).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
  expect(requests).toEqual([`${SERVER}/token`]);
});

it("[WASM-032] [HOST-019] refreshes a token that the service rejected, once for all who were rejected", async () => {
  const { credentials, requests, logIn } = await opened();
  await logIn();
  const { tokens } = credentials;
  const renewed = await Promise.all([1, 2, 3].map(() => tokens.get("mail/box", "access-1")));
  expect(renewed).toEqual(["access-2", "access-2", "access-2"]);
  // Another caller was rejected with the same token later: the newer one is stored.
  expect(await tokens.get("mail/box", "access-1")).toBe("access-2");
  expect(requests).toHaveLength(2);
});

it("[HOST-019] deletes tokens with the data of the plugin, also when a refresh ends later", async () => {
  const { store, stores, credentials, clock, registered, logIn, holdRequests, requests } =
    await opened();
  await logIn();
  expect(await store.secrets.list()).toHaveLength(1);
  clock.now = 3600_000;
  let release: () => void = () => {};
  holdRequests(
    new Promise((resolve) => {
      release = resolve;
    }),
  );
  const refresh = credentials.tokens.get("mail/box");
  await expect.poll(() => requests.length).toBe(2);
  registered.splice(0);
  await stores.remove("mail");
  release();
  await refresh;
  expect(await store.secrets.list()).toEqual([]);
});

it("[HOST-018] rejects a second callback while the first one is exchanged", async () => {
  const { credentials, requests } = await opened();
  const { url } = await credentials.logins.start("box", REDIRECT);
  const state = new URL(url).searchParams.get("state") ?? "";
  const callback = () => credentials.logins.complete(new URLSearchParams({ state, code: "code" }));
  const [first, second] = await Promise.allSettled([callback(), callback()]);
  expect(first).toMatchObject({ status: "fulfilled", value: { status: "completed" } });
  expect(second).toMatchObject({ status: "rejected", reason: { code: "OAUTH_STATE_INVALID" } });
  expect(requests).toHaveLength(1);
});
