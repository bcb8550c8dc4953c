import { join } from "node:path";
import { connectGateway } from "@openclaw/client";
import { addToken, loadConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { startGateway } from "@openclaw/gateway";
import { describe, expect, it, onTestFinished } from "vitest";

const OWN_TOKEN = "the-token-of-the-gateway-itself";
const MORE_THAN_A_MINUTE_ALLOWS = 61;

/** Starts a gateway with the demo model, its own token and a named token. */
async function gatewayWith(gateway: object = {}) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const section = { port: 0, ...gateway, auth: { token: OWN_TOKEN, ...Object(gateway).auth } };
  folder.write({ "openclaw.json": JSON.stringify({ gateway: section }) });
  const configurationFile = join(folder.path, "openclaw.json");
  const { token: named } = await addToken(configurationFile, {
    name: "app",
    scopes: ["operator.read", "operator.write"],
  });
  const running = await startGateway({
    version: "1.0.0",
    stateDir: join(folder.path, "state"),
    configuration: await loadConfiguration(configurationFile),
    configurationFile,
    workspaceDir: join(folder.path, "workspace"),
    bundledExtensions: [],
    environment: {},
    port: 0,
  });
  onTestFinished(() => running.stop("command"));
  const post = (token: string, path: string, body: object, headers = {}) =>
    fetch(`${running.url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify(body),
    });
  /** Sends chat messages; an invalid one is counted too, and costs no turn. */
  const chat = async (token: string, count: number) => {
    const answers: Response[] = [];
    for (let sent = 0; sent < count; sent += 1) {
      answers.push(
        await fetch(`${running.url}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: '{"model":"openclaw","messages":[]}',
        }),
      );
    }
    return answers;
  };
  return { chat, post, named, url: running.url };
}

/** Chat messages of each API; an invalid one is counted too. */
const ROUTES = [
  ["/v1/chat/completions", { model: "openclaw", messages: [] }],
  ["/v1/responses", { model: "openclaw", input: "" }],
  ["/v1/messages", { model: "openclaw", messages: [], max_tokens: 9 }],
  ["/api/v1/chat/send", { sessionKey: "agent:main:main", text: "" }],
] as const;

const LIMIT = { limits: { chatSendsPerMinute: 1 } };
const NAMED_SETTING =
  /the token "app" made more than 1 chat message in a minute; try again in \d+ s, or raise gateway\.limits\.chatSendsPerMinute; 0 removes the limit$/;

async function connected(url = "", token = "") {
  const client = { id: "test", version: "1.0.0", mode: "automation" } as const;
  const socket = connectGateway({ url, token, client });
  onTestFinished(() => socket.close());
  await socket.ready({ attempts: 1 });
  return socket;
}

async function messageOf(response: Response | undefined): Promise<string> {
  const { error } = Object(await response?.json());
  return String(error.message);
}

describe("chat messages within a minute", () => {
  it("[GW-221] have no limit for the gateway's own token on loopback", async () => {
    const { chat } = await gatewayWith();
    const statuses = (await chat(OWN_TOKEN, 4 * MORE_THAN_A_MINUTE_ALLOWS)).map(
      ({ status }) => status,
    );
    expect(new Set(statuses)).toEqual(new Set([400]));
  });

  it("[GW-221] have a limit for a named token, and the 429 names the setting", async () => {
    const { chat, named } = await gatewayWith();
    const answers = await chat(named, MORE_THAN_A_MINUTE_ALLOWS);
    const last = answers.at(-1);
    expect(answers.map(({ status }) => status)).toEqual([...Array(60).fill(400), 429]);
    expect(last?.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await messageOf(last)).toMatch(
      /^the token "app" made more than 60 chat messages in a minute; try again in \d+ s, or raise gateway\.limits\.chatSendsPerMinute; 0 removes the limit$/,
    );
  });

  it.each([
    [{ limits: { chatSendsPerMinute: 2 } }, "gateway.limits.chatSendsPerMinute"],
    [{ auth: { chatSendsPerMinute: 2 } }, "gateway.auth.chatSendsPerMinute"],
    [{ auth: { requestsPerMinute: 2 } }, "gateway.auth.requestsPerMinute"],
  ])("[GW-221] have the limit that is configured, also on loopback: %j", async (section, key) => {
    const { chat } = await gatewayWith(section);
    const answers = await chat(OWN_TOKEN, 3);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 429]);
    expect(await messageOf(answers[2])).toContain(`raise ${key}; 0 removes the limit`);
  });

  it("[GW-221] are rejected with the name of the setting by every API, also over WebSocket", async () => {
    const { chat, post, named, url } = await gatewayWith(LIMIT);
    await chat(named, 1);
    for (const [path, body] of ROUTES) {
      const rejected = await post(named, path, body);
      expect({ path, status: rejected.status }).toEqual({ path, status: 429 });
      expect(rejected.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await messageOf(rejected)).toMatch(NAMED_SETTING);
    }
    const socket = await connected(url, named);
    const parameters = { sessionKey: "agent:main:main", text: "hello", idempotencyKey: "one" };
    expect(await socket.invoke("chat.send", parameters).catch(String)).toMatch(NAMED_SETTING);
  });

  it("[GW-221] have no limit for the own token over IPv6 and WebSocket on loopback", async () => {
    const { chat, url } = await gatewayWith({ bind: "::1" });
    const statuses = (await chat(OWN_TOKEN, MORE_THAN_A_MINUTE_ALLOWS)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([400]));
    const socket = await connected(url, OWN_TOKEN);
    for (let sent = 0; sent < MORE_THAN_A_MINUTE_ALLOWS; sent += 1) {
      const failure = await socket.invoke("chat.send", { sessionKey: "" }).catch(String);
      expect(failure).not.toContain("in a minute");
    }
  });

  it("[GW-221] have a limit for the own token of a client behind a trusted proxy", async () => {
    const { post } = await gatewayWith({ trustedProxies: ["127.0.0.1"] });
    const [[path, body]] = ROUTES;
    const statuses: number[] = [];
    for (let sent = 0; sent < MORE_THAN_A_MINUTE_ALLOWS; sent += 1) {
      const headers = { "x-forwarded-for": "203.0.113.9" };
      statuses.push((await post(OWN_TOKEN, path, body, headers)).status);
    }
    expect(statuses).toEqual([...Array(60).fill(400), 429]);
  });
});
