import { once } from "node:events";
import { connect } from "node:net";
import { createGatewayClient } from "@openclaw/client";
import { addToken, listTokens, removeToken } from "@openclaw/configuration";
import { exitCodeOf } from "@openclaw/foundation/errors";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { loadGatewayToken } from "../../src/state/token.js";
import { startTestGateway } from "../support/gateway.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

type Folder = ReturnType<typeof temporaryFolder>;

async function started(folder: Folder): Promise<Gateway & { readonly url: string }> {
  const gateway = await startTestGateway(folder, { port: 0 });
  onTestFinished(() => gateway.stop("command"));
  return { ...gateway, url: gateway.url ?? "" };
}

function configure(folder: Folder, gateway: object): void {
  folder.write({ "openclaw.json": JSON.stringify({ gateway }) });
}

async function answers(port: number, host: string): Promise<boolean> {
  const socket = connect({ port, host });
  onTestFinished(() => void socket.destroy());
  // The event `error` rejects.
  return once(socket, "connect").then(
    () => true,
    () => false,
  );
}

describe("access of a gateway", () => {
  it("[GW-014] serves a named token its scopes, until it is revoked", async () => {
    using folder = temporaryFolder();
    const file = `${folder.path}/openclaw.json`;
    folder.write({ "openclaw.json": "{ // kept\n}\n" });
    const { token, entry } = await addToken(file, { name: "ci", scopes: ["operator.read"] });
    expect(token).toMatch(/^ci\.[\w-]{43}$/);
    expect(JSON.stringify(await listTokens(file))).not.toContain(token);
    expect(await listTokens(file)).toEqual([entry]);

    const gateway = await started(folder);
    const client = createGatewayClient({ url: gateway.url, token });
    expect(await client.call("plugins.list", {})).toMatchObject({ plugins: [] });
    await expect(client.call("plugins.reload", {})).rejects.toMatchObject({
      ...{ code: "MISSING_SCOPE", kind: "forbidden" },
      message: expect.stringContaining('token "ci" does not have'),
    });
    const ticket = await client.call("auth.ticket", {});
    expect(ticket).toEqual({ ticket: expect.stringMatching(/^[\w-]{43}$/), expiresInMs: 60_000 });
    const stream = await fetch(`${gateway.url}/api/v1/events?ticket=${ticket.ticket}`);
    expect(stream.status).not.toBe(401);
    await stream.body?.cancel();

    expect(await removeToken(file, "ci")).toBe(true);
    expect(await removeToken(file, "ci")).toBe(false);
    expect(await listTokens(file)).toEqual([]);
  });

  it("[UI-037] exchanges a ticket for a session with the rights that its token still has", async () => {
    using folder = temporaryFolder();
    const file = `${folder.path}/openclaw.json`;
    folder.write({ "openclaw.json": "{}" });
    const { token } = await addToken(file, { name: "ci", scopes: ["operator.read"] });
    const gateway = await started(folder);
    const client = createGatewayClient({ url: gateway.url, token });
    const { ticket } = await client.call("auth.ticket", {});
    const exchange = () =>
      fetch(`${gateway.url}/api/v1/auth/session?ticket=${ticket}`, { method: "POST", body: "{}" });
    const { token: session } = JSON.parse(await (await exchange()).text());
    expect((await exchange()).status).toBe(401);
    const inBrowser = createGatewayClient({ url: gateway.url, token: session });
    expect(await inBrowser.call("plugins.list", {})).toMatchObject({ plugins: [] });
    await expect(inBrowser.call("plugins.reload", {})).rejects.toMatchObject({
      code: "MISSING_SCOPE",
    });
    // Neither directly nor with a ticket of its own does a session begin another one.
    await expect(inBrowser.call("auth.session", {})).rejects.toMatchObject({
      code: "SESSION_EXTENSION",
    });
    const own = await inBrowser.call("auth.ticket", {});
    const extended = await fetch(`${gateway.url}/api/v1/auth/session?ticket=${own.ticket}`, {
      ...{ method: "POST", body: "{}" },
    });
    expect(extended.status).toBe(403);
    await expect(
      createGatewayClient({ url: gateway.url, token: `${session}x` }).call("plugins.list", {}),
    ).rejects.toMatchObject({ code: "GATEWAY_UNAUTHORIZED" });
  });

  it("[GW-016] has the limits of the configuration, and none for its own token if that is configured", async () => {
    using folder = temporaryFolder();
    configure(folder, { limits: { requestsPerMinute: 2 }, auth: { requestsPerMinute: 0 } });
    const file = `${folder.path}/openclaw.json`;
    const { token } = await addToken(file, { name: "ci", scopes: ["operator.read"] });
    const gateway = await started(folder);
    const own = createGatewayClient({
      url: gateway.url,
      token: loadGatewayToken(gateway.state.tokenFile),
    });
    for (let count = 0; count < 5; count += 1) await own.call("plugins.list", {});
    const named = createGatewayClient({ url: gateway.url, token });
    for (let count = 0; count < 2; count += 1) await named.call("plugins.list", {});
    await expect(named.call("plugins.list", {})).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  it("[GW-013] listens on 127.0.0.1 alone by default, and on one address alone if it is configured", async () => {
    using folder = temporaryFolder();
    const first = await started(folder);
    const { hostname, port } = new URL(first.url);
    expect(hostname).toBe("127.0.0.1");
    expect(first.networkNotice).toBeUndefined();
    expect(await answers(Number(port), "127.0.0.2")).toBe(false);
    using other = temporaryFolder();
    configure(other, { bind: "127.0.0.2" });
    const second = await started(other);
    expect(new URL(second.url).hostname).toBe("127.0.0.2");
    expect(await answers(Number(new URL(second.url).port), "127.0.0.1")).toBe(false);
    expect((await fetch(`${second.url}/healthz`)).status).toBe(200);
  });

  it("[GW-013] tells the operator that other machines can reach it", async () => {
    using folder = temporaryFolder();
    configure(folder, { bind: "lan" });
    const gateway = await started(folder);
    const { port } = new URL(gateway.url);
    expect(gateway.networkNotice).toBe(`other machines can reach 0.0.0.0:${port} (gateway.bind)`);
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.2:${port}/healthz`)).status).toBe(200);
  });

  it.each([
    ["shorter than 24 characters", "short"],
    ["empty", ""],
  ])("[GW-013] refuses to listen beyond loopback with a token that is %s", async (_, token) => {
    using folder = temporaryFolder();
    configure(folder, { bind: "lan" });
    folder.write({ "state/gateway.token": token });
    const failure = await startTestGateway(folder, { port: 0 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "LISTEN_ADDRESS_UNUSABLE",
      message: expect.stringContaining("24 characters"),
    });
    expect(exitCodeOf(failure)).toBe(78);
  });

  it("names an address that the machine does not have, and exits with 78", async () => {
    using folder = temporaryFolder();
    configure(folder, { bind: "192.0.2.1" });
    const failure = await startTestGateway(folder, { port: 0 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: expect.stringContaining("correct gateway.bind"),
    });
    expect(exitCodeOf(failure)).toBe(78);
  });

  it.each([
    [{ bind: "localhost" }, "gateway.bind"],
    [{ bind: "999.1.1.1" }, 'must be "loopback", "lan" or an IP address'],
    [{ port: 6000 }, "browsers and Node do not connect to port 6000"],
    [{ trustedProxies: ["10.0.0.0/99"] }, "gateway.trustedProxies[0]"],
    [{ trustedHosts: ["*"] }, "gateway.trustedHosts.0"],
    [{ allowedOrigins: ["*"] }, "gateway.allowedOrigins.0"],
    [{ allowedOrigins: ["https://a.example/path"] }, "gateway.allowedOrigins.0"],
    [{ auth: { token: "short" } }, "gateway.auth.token"],
    [{ auth: { tokens: [{ name: "Gateway", hash: "x", scopes: [] }] } }, "tokens.0.name"],
    [{ auth: { tokens: [{ name: "a", hash: "plain", scopes: ["operator.read"] }] } }, "hash"],
    [{ limits: { connections: 0 } }, "gateway.limits.connections"],
  ])("rejects the configuration %j", async (gateway, problem) => {
    using folder = temporaryFolder();
    configure(folder, gateway);
    const failure = await startTestGateway(folder).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(problem),
    });
  });

  it("rejects two tokens of one name, and an expiry that is not a date", async () => {
    using folder = temporaryFolder();
    const file = `${folder.path}/openclaw.json`;
    const { entry } = await addToken(file, { name: "ci", scopes: ["operator.read"] });
    await expect(addToken(file, { name: "ci", scopes: ["operator.read"] })).rejects.toThrow(
      /name "ci" is used by another token/,
    );
    configure(folder, { auth: { tokens: [{ ...entry, expiresAt: "2027-99-31T12:00:00Z" }] } });
    await expect(startTestGateway(folder)).rejects.toThrow(/is not a date/);
  });
});
