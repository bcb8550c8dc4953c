import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { interruptSession } from "@openclaw/messaging";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadGatewayToken } from "../../../src/state/token.js";
import { startTestGateway } from "../../support/gateway.js";
import { createTestHost, gate, message, SESSION } from "../../support/host.js";

/** Creates a host whose model never finishes its reply. */
async function busyHost() {
  const [asked, forever] = [gate(), gate()];
  const host = await createTestHost({
    script: () => {
      asked.pass();
      return { text: "late", waitFor: forever.passed };
    },
  });
  const reply = host.flow.receive(message("begin"), {});
  await asked.passed;
  return { host, reply };
}

describe("chat.abort", () => {
  it("[TURN-053] interrupts the turn of a session given by its short key, and returns false when no turn runs", async () => {
    const folder = temporaryFolder();
    const begun = gate();
    const forever = gate();
    const gateway = await startTestGateway(folder, {
      port: 0,
      inlinePlugins: [
        {
          id: "slow",
          register(api) {
            api.on("agent_turn_prepare", async () => {
              begun.pass();
              await forever.passed;
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
    const client = createGatewayClient({ url, token: loadGatewayToken(state.tokenFile) });
    const reply = gateway.receive(message("begin"));
    await begun.passed;
    expect(await client.call("chat.abort", { sessionKey: "main" })).toEqual({ aborted: true });
    expect(await reply).toMatchObject({ status: "interrupted" });
    for (let again = 0; again < 2; again += 1) {
      expect(await client.call("chat.abort", { sessionKey: "main" })).toEqual({ aborted: false });
    }
  });

  it("[TURN-053] does not interrupt a turn with another run ID", async () => {
    const { host, reply } = await busyHost();
    const [running] = host.turnQueues.of(SESSION);
    expect(await interruptSession(SESSION, host, "another-run")).toBe(false);
    expect(await interruptSession("agent:main:other", host)).toBe(false);
    expect(await interruptSession(SESSION, host, running?.turn.runId)).toBe(true);
    expect(await reply).toMatchObject({ status: "interrupted" });
  });
});
