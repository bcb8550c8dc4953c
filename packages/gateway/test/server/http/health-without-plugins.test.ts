import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it, onTestFinished } from "vitest";
import { loadGatewayToken } from "../../../src/state/token.js";
import { startTestGateway } from "../../support/gateway.js";

it("[GW-031] health, readiness and metrics answer although every callback of a plugin hangs", async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ "openclaw.json": JSON.stringify({ channels: { stuck: {} } }) });
  const called: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hang = (name: string) => async () => {
    called.push(name);
    await released;
  };
  const gateway = await startTestGateway(folder, {
    port: 0,
    inlinePlugins: [
      {
        id: "stuck",
        register(api) {
          api.on("gateway_start", hang("gateway_start"));
          api.registerChannel({
            name: "stuck",
            async *start() {
              await hang("start")();
              yield* [];
            },
            respond: async () => ({}),
            healthCheck: hang("health"),
          });
        },
      },
    ],
  });
  onTestFinished(async () => {
    release();
    await gateway.stop("command");
  });
  await expect.poll(() => called).toContain("gateway_start");

  const { url = "", state } = gateway;
  const headers = { authorization: `Bearer ${loadGatewayToken(state.tokenFile)}` };
  const [health, ready, metrics, hidden] = await Promise.all([
    fetch(`${url}/healthz`),
    fetch(`${url}/readyz`, { headers }),
    fetch(`${url}/metrics`, { headers }),
    fetch(`${url}/metrics`),
  ]);
  expect([health.status, ready.status, metrics.status, hidden.status]).toEqual([
    ...[200, 200, 200, 401],
  ]);
  const { checks } = (await ready.json()) as { checks: { name: string }[] };
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["store", "plugins", "channels", "models"]),
  );
  expect(called).not.toContain("health");
});
