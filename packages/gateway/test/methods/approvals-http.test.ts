import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createGatewayClient, type ReplyEvent } from "@openclaw/client";
import { loadConfiguration } from "@openclaw/configuration";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import type { ApprovalSummary } from "@openclaw/protocol";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { GatewayOptions } from "../../src/gateway-options.js";
import { openStoredApprovals } from "../../src/methods/stored/approvals.js";
import { loadGatewayToken } from "../../src/state/token.js";
import { startTestGateway } from "../support/gateway.js";

vi.setConfig({ testTimeout: 60_000 });

const SESSION = "agent:main:main";
const RUN = { text: "run `touch made`", sessionKey: SESSION };

/** Creates a folder that is removed after the test. */
function folderOfTest(): TemporaryFolder {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder;
}

/** Starts a listening gateway with the offline model, which runs what it is told to. */
async function serve(folder: TemporaryFolder, options: Partial<GatewayOptions> = {}) {
  const gateway = await startTestGateway(folder, {
    ...options,
    port: 0,
    environment: { PATH: process.env.PATH },
  });
  onTestFinished(() => gateway.stop("command"));
  const token = loadGatewayToken(gateway.state.tokenFile);
  const { url = "" } = gateway;
  return {
    gateway,
    client: createGatewayClient({ url, token }),
    post: async (method: string, body: unknown, headers = { authorization: `Bearer ${token}` }) => {
      const response = await fetch(`${url}/api/v1/approvals/${method}`, {
        method: "POST",
        headers: { "idempotency-key": randomUUID(), ...headers },
        body: JSON.stringify(body),
      });
      const { error } = (await response.json()) as { error?: { reason: string } };
      return { status: response.status, code: error?.reason };
    },
  };
}

type Server = Awaited<ReturnType<typeof serve>>;

/** Sends a message as a client with an approver, who is shown the requests. */
async function ask(
  { client }: Server,
  onApproval: (approval: ApprovalSummary) => Promise<unknown> | undefined,
) {
  const events: ReplyEvent[] = [];
  for await (const event of client.reply({ ...RUN, canApprove: true })) {
    events.push(event);
    if (event.type === "approval") await onApproval(event.approval);
  }
  return events;
}

describe("approval requests over HTTP", () => {
  it("[APPR-023] lead to grants, which are listed and revoked with effect on the next call", async () => {
    const server = await serve(folderOfTest());
    const { client } = server;
    const states = async () => {
      const seen: string[] = [];
      await ask(server, async ({ id, digest, state }) => {
        seen.push(state);
        if (state !== "pending") return;
        await client.call("approvals.resolve", { id, digest, decision: "allow-always" });
      });
      return seen;
    };
    expect(await states()).toEqual(["pending", "allowed-always"]);
    expect(await states()).toEqual([]);
    const { grants } = await client.call("approvals.grants", {});
    expect(grants).toHaveLength(1);
    const [grant] = grants;
    expect(await client.call("approvals.revoke", { id: grant?.id ?? "" })).toMatchObject({
      revoked: [{ id: grant?.id }],
    });
    expect((await client.call("approvals.grants", {})).grants).toEqual([]);
    expect(await states()).toEqual(["pending", "allowed-always"]);
  });

  it("are shown to a client with an approver, and decided by a method", async () => {
    const folder = folderOfTest();
    const server = await serve(folder);
    const events = await ask(server, ({ id, digest, state, commands }) => {
      if (state !== "pending") return undefined;
      expect(commands).toEqual(["touch made"]);
      return server.client.call("approvals.resolve", { id, digest, decision: "allow-once" });
    });
    const states = events.flatMap((each) =>
      each.type === "approval" ? [each.approval.state] : [],
    );
    expect(states).toEqual(["pending", "allowed-once"]);
    expect(events.at(-1)).toMatchObject({ type: "end" });
    expect(existsSync(join(folder.path, "workspace", "made"))).toBe(true);
    const { approvals } = await server.client.call("approvals.history", {});
    expect(approvals).toMatchObject([
      { tool: "exec", state: "allowed-once", decidedBy: "http:operator", decidedVia: "http" },
    ]);
  });

  it("[APPR-031] are denied at once for a request without an approver", async () => {
    const folder = folderOfTest();
    const server = await serve(folder);
    const events: ReplyEvent[] = [];
    for await (const event of server.client.reply(RUN)) events.push(event);
    expect(events.map(({ type }) => type)).not.toContain("approval");
    expect(existsSync(join(folder.path, "workspace", "made"))).toBe(false);
    expect(await server.client.call("approvals.list", {})).toEqual({ approvals: [] });
    const { entries } = await server.client.call("approvals.audit", {});
    expect(entries).toMatchObject([{ event: "refused", tool: "exec", sessionKey: SESSION }]);
  });

  it("stay pending after an invalid decision, which is rejected with its code", async () => {
    const server = await serve(folderOfTest());
    await ask(server, async ({ id, code, digest, state, severity }) => {
      if (state !== "pending") return;
      expect(severity).toBe("warning");
      const decision = "allow-once";
      const other = "0".repeat(64);
      for (const [body, status, reason] of [
        [{ id, decision, digest: other }, 409, "APPROVAL_MISMATCH"],
        [{ id: "NOSUCH", decision, digest }, 404, "APPROVAL_NOT_FOUND"],
        [{ id, decision }, 400, "INVALID_REQUEST"],
        [{ id, decision: "perhaps", digest }, 400, "INVALID_REQUEST"],
        [{ id, decision, digest, scope: "global" }, 400, "INVALID_REQUEST"],
        [{ id, decision: "allow-always", digest, scope: "world" }, 400, "INVALID_REQUEST"],
      ] as const) {
        expect(await server.post("resolve", body)).toEqual({ status, code: reason });
      }
      const stranger = { authorization: "Bearer another-token-of-the-test" };
      expect(await server.post("resolve", { id, decision, digest }, stranger)).toMatchObject({
        status: 401,
      });
      expect(await server.client.call("approvals.get", { id: code })).toMatchObject({
        state: "pending",
      });
      expect(await server.post("resolve", { id: code, decision: "deny", digest })).toEqual({
        status: 200,
        code: undefined,
      });
      expect(await server.post("resolve", { id, decision, digest })).toEqual({
        status: 409,
        code: "APPROVAL_ALREADY_DECIDED",
      });
    });
    expect(await server.post("revoke", { id: "grt_none" })).toEqual({
      status: 404,
      code: "GRANT_NOT_FOUND",
    });
    expect(await server.client.call("approvals.verify", {})).toMatchObject({ intact: true });
  });

  it("[APPR-032] of an earlier process are decided while no gateway runs; the turn resumes at the next start, and its reply reaches the conversation", async () => {
    const folder = folderOfTest();
    folder.write({ "openclaw.json": '{ approvals: { headless: "wait" } }' });
    const stateDir = join(folder.path, "state");
    {
      const { gateway } = await serve(folder);
      const asked = new Promise<void>((resolve) => {
        gateway.approvals.onRequested(() => resolve());
      });
      void gateway.receive({
        channel: "terminal",
        conversationId: "terminal",
        senderId: "operator",
        senderIsOwner: true,
        sessionKey: SESSION,
        text: RUN.text,
      });
      await asked;
      const configuration = await loadConfiguration(join(folder.path, "openclaw.json"));
      await expect(
        openStoredApprovals({ stateDir, configuration, environment: {} }),
      ).rejects.toMatchObject({ code: "STATE_LOCKED" });
      await gateway.stop("command");
    }
    const configuration = await loadConfiguration(join(folder.path, "openclaw.json"));
    const stored = await openStoredApprovals({ stateDir, configuration, environment: {} });
    const { approvals } = await stored.methods.call("approvals.list", {});
    expect(approvals).toMatchObject([{ tool: "exec", sessionKey: SESSION, state: "pending" }]);
    const [{ id, digest } = { id: "", digest: "" }] = approvals;
    await stored.methods.call("approvals.resolve", { id, digest, decision: "allow-once" });
    await stored.close();
    expect(existsSync(join(folder.path, "workspace", "made"))).toBe(false);

    let show = (_text: string) => {};
    const shown = new Promise<string>((resolve) => {
      show = resolve;
    });
    const { gateway } = await serve(folder, {
      findSurface: ({ channel, to }) => ({
        async send({ text = "" }) {
          show(`${channel} ${to}: ${text}`);
          return {};
        },
      }),
    });
    expect(await shown).toContain("terminal terminal: exec answered");
    expect(existsSync(join(folder.path, "workspace", "made"))).toBe(true);
    const methods = await gateway.methods();
    expect(await methods.call("approvals.get", { id })).toMatchObject({
      decidedBy: "cli:operator",
      consumedAt: expect.any(Number),
    });
  });
});
