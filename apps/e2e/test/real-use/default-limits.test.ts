import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { addToken, loadConfiguration, startGateway } from "@openclaw/gateway";
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
  return { chat, named };
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
});
