import { randomUUID } from "node:crypto";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import { describe, expect, it, vi } from "vitest";
import { loadGatewayToken } from "../../../src/state/token.js";
import { gate } from "../../support/gate.js";
import { startTestGateway } from "../../support/gateway.js";
import { scriptedProvider } from "../../support/scripted-provider.js";
import { WireClient } from "../../support/wire-client.js";
import { EventStreamReader } from "../../support/wire-events.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe("clients of a gateway that stops", () => {
  it("[GW-009] [GW-034] [CHAN-038] receive the replies of turns that end in time, then shutdown, and are closed with 1001", async () => {
    using folder = temporaryFolder();
    const [asked, answer] = [gate(), gate()];
    const model = createScriptedModel(() => {
      asked.pass();
      return { text: "in time", waitFor: answer.passed };
    });
    const gateway = await startTestGateway(folder, {
      port: 0,
      model: "scripted/script",
      inlinePlugins: [
        { id: "script", register: (api) => api.registerProvider(scriptedProvider(model)) },
      ],
    });
    const token = loadGatewayToken(gateway.state.tokenFile);
    const { url = "" } = gateway;
    const client = new WireClient(url);
    await client.connect(token);
    const sse = await EventStreamReader.open(`${url}/api/v1/events`, {
      authorization: `Bearer ${token}`,
    });
    await sse.says(": connected");
    const send = (text: string) =>
      client.request("chat.send", { sessionKey: "main", text, idempotencyKey: randomUUID() });
    expect(await send("hello")).toMatchObject({ ok: true });
    await asked.passed;
    const stopping = gateway.stop("command");
    await vi.waitFor(async () =>
      expect(await send("too late")).toMatchObject({
        ok: false,
        error: { code: "UNAVAILABLE", reason: "MESSAGE_REFUSED", retryable: true },
      }),
    );
    answer.pass();
    expect(await client.closed()).toMatchObject({ code: 1001 });
    const names = client.events.map(({ event }) => event);
    expect(names.slice(names.indexOf("chat.final"))).toEqual(["chat.final", "shutdown"]);
    expect(client.events.at(-1)?.payload).toEqual({ reason: "command" });
    await sse.end();
    expect(sse.events.slice(-2).map(({ event }) => event)).toEqual(["chat.final", "shutdown"]);
    await stopping;
    const late = new WireClient(url);
    expect(await late.closed()).toMatchObject({ code: 1006 });
  });
});
