import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import { openStore } from "@openclaw/store";
import { describe, expect, it, vi } from "vitest";
import { loadGatewayToken } from "../../../src/state/token.js";
import { gate } from "../../support/gate.js";
import { startTestGateway } from "../../support/gateway.js";
import { message } from "../../support/host.js";
import { scriptedProvider } from "../../support/scripted-provider.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe("gateway with more messages than it can process", () => {
  it("[SCALE-040] commits messages up to inbox.maxBacklog, rejects further ones with a time to wait, and still serves approvals, abort and health", async () => {
    using folder = temporaryFolder();
    folder.write({
      "openclaw.json": "{ inbox: { maxBacklog: 5 }, agents: { maxConcurrentTurns: 1 } }",
    });
    const [asked, answer] = [gate(), gate()];
    const model = createScriptedModel(() => {
      asked.pass();
      return { text: "ok", waitFor: answer.passed };
    });
    const gateway = await startTestGateway(folder, {
      port: 0,
      model: "scripted/script",
      inlinePlugins: [
        { id: "script", register: (api) => api.registerProvider(scriptedProvider(model)) },
      ],
    });
    const { url = "", state } = gateway;
    const token = loadGatewayToken(state.tokenFile);
    const { call, readiness } = createGatewayClient({ url, token });
    const stored: string[] = [];
    const replies = [1, 2, 3, 4, 5].map((index) =>
      gateway.receive(message(`message ${index}`, { sessionKey: `agent:main:s${index}` }), {
        onStored: (id) => void stored.push(id),
      }),
    );
    await vi.waitFor(() => expect(stored).toHaveLength(5));
    await asked.passed;

    const send = () =>
      fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "openclaw", messages: [{ role: "user", content: "six" }] }),
      });
    const rejected = await send();
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "1"]);
    await expect(call("chat.send", { sessionKey: "main", text: "six" })).rejects.toMatchObject({
      code: "INBOX_FULL",
      retryAfterMs: 1000,
    });

    expect(await readiness()).toMatchObject({ ready: true });
    expect(await call("approvals.list", {})).toEqual({ approvals: [] });
    const stop = gateway.receive(message("/stop", { sessionKey: "agent:main:s1" }));
    expect(await stop).not.toMatchObject({ status: "failed" });
    const abort = { sessionKey: "agent:main:s1" };
    expect(await call("chat.abort", abort)).toHaveProperty("aborted");

    answer.pass();
    await Promise.all(replies);
    expect((await send()).status).toBe(200);
    await gateway.stop("command");
    const store = await openStore({ file: state.databaseFile });
    expect(await store.messages.inbox.inState("received")).toEqual([]);
    await store.close();
  });
});
