import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { OpenClawConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { startTestGateway } from "../support/gateway.js";

const SESSION = "agent:main:main";
const SECRET = "a-secret-of-24-characters!";

/** Starts a gateway whose configuration the test replaces. */
async function start(initial: OpenClawConfiguration = {}) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ "openclaw.json": JSON.stringify(initial) });
  const gateway = await startTestGateway(folder, { port: 0 });
  onTestFinished(() => gateway.stop("command"));
  const reload = async (configuration: object) => {
    writeFileSync(join(folder.path, "openclaw.json"), JSON.stringify(configuration));
    // The watch of the file may have applied it by now.
    const { outcome, pending } = await gateway.reloadConfiguration();
    expect(["applied", "unchanged"]).toContain(outcome);
    expect(pending).toEqual([]);
  };
  return { gateway, reload, folder };
}

function say({ receive }: Gateway, text: string, conversationId = "c1") {
  const sender = { channel: "terminal", senderId: "boss", senderIsOwner: true };
  return receive({ ...sender, conversationId, text, sessionKey: SESSION });
}

/** Serves `here` on loopback without TLS, which only an exempt host may do. */
async function page(): Promise<string> {
  const server = createServer((_, response) => response.end("here"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("keys that are live", () => {
  it("[GW-662] use a changed approval need at the next call, and give it up again", async () => {
    const { gateway, reload } = await start();
    expect(gateway.approvals.need("read", "never")).toBe("never");
    await reload({ tools: { approval: { read: "always" } } });
    expect(gateway.approvals.need("read", "never")).toBe("always");
    await reload({});
    expect(gateway.approvals.need("read", "never")).toBe("never");
  });

  it("[GW-662] let a changed list of approvers decide", async () => {
    const { gateway, reload } = await start();
    const actor = { channel: "slack", senderId: "U1", isOwner: false };
    const { approvals } = gateway;
    const requester = { channel: "slack", senderId: "U2", accountId: "default" };
    const request = { requester };
    expect(approvals.mayAnswer(actor, request)).toBe(false);
    await reload({ approvals: { approvers: ["slack:U1"] } });
    expect(approvals.mayAnswer(actor, request)).toBe(true);
    await reload({ approvals: { approvers: [] } });
    expect(approvals.mayAnswer(actor, request)).toBe(false);
  });

  it("[GW-662] reach a host from the time when it is exempt, and no longer when it is not, also over an open connection", async () => {
    const { gateway, reload } = await start({ tools: { approval: { http: "never" } } });
    await say(gateway, "hello");
    const host = await page();
    const methods = await gateway.methods();
    const request = async () => {
      const params = { url: `http://${host}/`, method: "GET" };
      const result = await methods.call("tools.invoke", {
        ...{ sessionKey: SESSION, tool: "http", params },
      });
      return JSON.stringify(result.content);
    };
    const approval = { http: "never" } as const;
    expect(await request()).toContain("tools.http.allowHosts");
    await reload({ tools: { approval, http: { allowHosts: [host] } } });
    expect(await request()).toContain("here");
    await reload({ tools: { approval } });
    expect(await request()).toContain("tools.http.allowHosts");
  });

  it("[GW-662] serve a webhook from the time when it is configured", async () => {
    const { gateway, reload } = await start();
    const send = async (token: string) => {
      const response = await fetch(`${gateway.url}/hooks/build`, {
        ...{ method: "POST", body: "{}", headers: { authorization: `Bearer ${token}` } },
      });
      await response.text();
      return response.status;
    };
    expect(await send(SECRET)).toBe(404);
    await reload({ webhooks: { build: { token: SECRET, text: "built" } } });
    expect(await send(SECRET)).toBe(202);
    await reload({ webhooks: { build: { token: `${SECRET}2`, text: "built" } } });
    expect(await send(SECRET)).toBe(401);
    await reload({});
    expect(await send(SECRET)).toBe(404);
  });

  it("[GW-662] answer an unknown command, or pass it to the model, as configured now", async () => {
    const { gateway, reload } = await start();
    const reply = async () => (await say(gateway, "/notacommand")).status;
    const before = await reply();
    await reload({ gateway: { unknownCommands: "model" } });
    expect(await reply()).not.toBe(before);
  });

  it("[GW-270] let clients use an agent from the time when it is added, and no longer when it is removed", async () => {
    const { gateway, reload, folder } = await start();
    const token = readFileSync(join(folder.path, "state/gateway.token"), "utf8").trim();
    const post = async (path: string, body: object) => {
      const own = { authorization: `Bearer ${token}`, "idempotency-key": randomUUID() };
      const headers = { ...own, "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      const response = await fetch(`${gateway.url}${path}`, init);
      await response.text();
      return response.status;
    };
    const messages = [{ role: "user", content: "hello" }];
    const statuses = () =>
      Promise.all([
        post("/api/v1/chat/send", { sessionKey: "agent:clerk:main", text: "hello" }),
        post("/api/v1/sessions/create", { sessionKey: "agent:clerk:desk", agentId: "clerk" }),
        post("/v1/chat/completions", { model: "openclaw/clerk", messages }),
      ]);
    expect(await statuses()).toEqual([400, 400, 404]);
    await reload({ agents: { clerk: {} } });
    expect(await statuses()).toEqual([200, 200, 200]);
    await reload({});
    expect(await statuses()).toEqual([400, 400, 404]);
  });
});
