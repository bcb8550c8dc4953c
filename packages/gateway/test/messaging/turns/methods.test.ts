import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { interruptSession } from "@openclaw/messaging";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadGatewayToken } from "../../../src/state/token.js";
import { startTestGateway } from "../../support/gateway.js";
import { createTestHost, gate, message, SESSION } from "../../support/host.js";

/** A host whose model is at work on a message, for ever. */
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

describe("the method chat.abort", () => {
  it("[TURN-053] ends the turn of a session that is named in short, and answers the same when nothing runs any more", async () => {
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

  it("[TURN-053] leaves a turn alone that is not the one it was asked to end", async () => {
    const { host, reply } = await busyHost();
    const [running] = host.turnQueues.of(SESSION);
    expect(await interruptSession(SESSION, host, "another-run")).toBe(false);
    expect(await interruptSession("agent:main:other", host)).toBe(false);
    expect(await interruptSession(SESSION, host, running?.turn.runId)).toBe(true);
    expect(await reply).toMatchObject({ status: "interrupted" });
  });
});
