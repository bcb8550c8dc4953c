import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenClawConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it, onTestFinished } from "vitest";
import { loadGatewayToken } from "../../../src/state/token.js";
import { startTestGateway } from "../../support/gateway.js";

/** Starts a gateway that listens until the end of the test. */
async function listening(gateway: OpenClawConfiguration["gateway"]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, "openclaw.json"), JSON.stringify({ gateway }));
  const started = await startTestGateway(folder, { port: 0 });
  onTestFinished(async () => {
    await started.stop("command");
    folder[Symbol.dispose]();
  });
  const token = loadGatewayToken(started.state.tokenFile);
  return {
    gateway: started,
    scrape: (headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
      fetch(`${started.url}/metrics`, { headers }),
  };
}

it("[GW-031] [GW-050] serves the metrics of its turns to a caller with the token", async () => {
  const { gateway, scrape } = await listening({});
  expect((await scrape({})).status).toBe(401);
  await gateway.receive({
    channel: "terminal",
    conversationId: "terminal",
    senderId: "operator",
    senderIsOwner: true,
    text: "hello",
  });
  const response = await scrape();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const lines = (await response.text()).split("\n");
  expect(lines).toContain('openclaw_turns_total{outcome="completed"} 1');
  expect(lines).toContain("openclaw_connections 0");
  expect(lines).toContain("openclaw_queue_depth 0");
});

it("[GW-031] serves them without a token when the configuration allows it", async () => {
  const { scrape } = await listening({ metrics: { public: true } });
  expect((await scrape({})).status).toBe(200);
});
