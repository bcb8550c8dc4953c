import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { loadGatewayToken } from "../../../src/state/token.js";
import { startTestGateway } from "../../support/gateway.js";
import { WireClient } from "../../support/wire-client.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

it("[GW-029] the log is followed by the connections that ask for it, from their level, until they end it", async () => {
  const folder = temporaryFolder();
  folder.write({ "openclaw.json": "{}" });
  const gateway = await startTestGateway(folder, {
    port: 0,
    inlinePlugins: [
      {
        id: "talker",
        register(api) {
          api.registerGatewayMethod("talker.say", ({ params }) => {
            api.logger.info(`quiet ${params.text}`);
            api.logger.warn(`loud ${params.text}`, { password: "open sesame" });
            return {};
          });
        },
      },
    ],
  });
  onTestFinished(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  const { url = "", state } = gateway;
  const token = loadGatewayToken(state.tokenFile);
  const connected = async () => {
    const client = new WireClient(url);
    onTestFinished(() => client.close());
    await client.connect(token);
    return client;
  };
  const [follower, other] = [await connected(), await connected()];
  await follower.call("logs.tail", { follow: true, level: "warn" });
  await other.call("talker.say", { text: "one" });
  const line = await follower.event("log", ({ payload }) => payload.msg.startsWith("loud"));
  expect(line.payload).toMatchObject({
    level: "warn",
    msg: "loud one",
    fields: { subsystem: "plugins" },
  });
  expect(JSON.stringify(line.payload)).not.toContain("sesame");

  await follower.call("logs.tail", { follow: false });
  await other.call("talker.say", { text: "two" });
  await follower.call("logs.tail", {});
  const messages = (client: WireClient) =>
    client.frames.flatMap((frame) =>
      frame.type === "event" && frame.event === "log" ? [Object(frame.payload).msg] : [],
    );
  expect(messages(follower)).toEqual(["loud one"]);
  expect(messages(other)).toEqual([]);

  const response = await fetch(`${url}/api/v1/logs/tail?follow=true`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await response.json()).toMatchObject({ error: { reason: "CONNECTION_NEEDED" } });
});
