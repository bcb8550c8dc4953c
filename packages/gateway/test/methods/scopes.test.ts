import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { gatewayMethods, type MethodCaller } from "@openclaw/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { loadGatewayToken } from "../../src/state/token.js";
import { startTestGateway } from "../support/gateway.js";
import { message } from "../support/host.js";
import { WireClient } from "../support/wire-client.js";

const folder = temporaryFolder();
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startTestGateway(folder, { port: 0 });
});

afterAll(async () => {
  await gateway.stop("command");
  folder[Symbol.dispose]();
});

/** Calls a method as a client with one scope. */
async function callWith(scope: MethodCaller["scopes"][number], method: string, params: unknown) {
  const caller: MethodCaller = { id: "some", scopes: [scope], via: "http" };
  const { signal } = new AbortController();
  return (await gateway.methods()).dispatch(method, params, { caller, signal });
}

describe("methods of policy, approvals, secrets, pairing, memory, jobs and routines", () => {
  it.each([
    ["policy.explain", "operator.read"],
    ["policy.whatIf", "operator.admin"],
    ["approvals.list", "operator.approvals"],
    ["approvals.get", "operator.approvals"],
    ["approvals.resolve", "operator.approvals"],
    ["approvals.history", "operator.approvals"],
    ["secrets.list", "operator.admin"],
    ["secrets.set", "operator.admin"],
    ["secrets.delete", "operator.admin"],
    ["pairing.list", "operator.admin"],
    ["pairing.approve", "operator.admin"],
    ["pairing.revoke", "operator.admin"],
    ["memory.search", "operator.read"],
    ["memory.read", "operator.read"],
    ["memory.write", "operator.write"],
    ["memory.tree", "operator.read"],
    ["memory.connections", "operator.read"],
    ["memory.connect", "operator.write"],
    ["memory.disconnect", "operator.write"],
    ["memory.spaces", "operator.read"],
    ["memory.space", "operator.read"],
    ["memory.createSpace", "operator.write"],
    ["memory.deleteSpace", "operator.write"],
    ["memory.assign", "operator.write"],
    ["memory.profile", "operator.read"],
    ["memory.setFact", "operator.write"],
    ["memory.deleteFact", "operator.write"],
    ["jobs.list", "operator.read"],
    ["jobs.get", "operator.read"],
    ["jobs.events", "operator.read"],
    ["cron.list", "operator.read"],
    ["cron.runs", "operator.read"],
    ["cron.agenda", "operator.read"],
    ["host.storage", "operator.read"],
    ["backups.list", "operator.admin"],
    ["backups.create", "operator.admin"],
    ["backups.read", "operator.admin"],
    ["backups.remove", "operator.admin"],
    ["jobs.cancel", "operator.write"],
    ["jobs.restart", "operator.write"],
    ["cron.add", "operator.write"],
    ["cron.update", "operator.write"],
    ["cron.remove", "operator.write"],
    ["cron.run", "operator.write"],
  ] as const)(
    "[GW-028] %s has schemas, and is forbidden without the scope %s",
    async (name, scope) => {
      const { params, result } = gatewayMethods[name];
      expect(params).toSatisfy((schema: object) => "properties" in schema || "anyOf" in schema);
      expect(result).toSatisfy((schema: object) => "properties" in schema || "anyOf" in schema);
      const other = scope === "operator.read" ? "operator.approvals" : "operator.read";
      await expect(callWith(other, name, {})).rejects.toMatchObject({
        code: "MISSING_SCOPE",
        details: { missingScope: scope },
      });
      await expect(callWith(scope, name, { nonesuch: 1 })).rejects.toMatchObject({
        code: "INVALID_REQUEST",
      });
    },
  );

  it("[POL-036] explain the same over HTTP, WebSocket and in process, and compare with progress for operators with every right", async () => {
    const { url = "", state } = gateway;
    const token = loadGatewayToken(state.tokenFile);
    const client = createGatewayClient({ url, token });
    const methods = await gateway.methods();
    const explained = await methods.call("policy.explain", { tool: "exec", channel: "telegram" });
    expect(explained).toMatchObject({
      allowed: expect.any(Boolean),
      decisionId: expect.stringMatching(/^pd_/),
      policyHash: expect.any(String),
      layers: { length: 7 },
    });
    const query = { tool: "exec", channel: "telegram" };
    expect(await client.call("policy.explain", query)).toEqual(explained);
    const socket = new WireClient(url);
    onTestFinished(() => socket.close());
    await socket.connect(token);
    expect(await socket.call("policy.explain", query)).toEqual(explained);

    await gateway.receive(message("run `true`"));
    const configuration = { file: "strict.json", text: '{"tools":{"deny":["exec"]}}' };
    const compared = await socket.call("policy.whatIf", { configuration, jobId: "mine" });
    expect(compared).toMatchObject({ calls: 1, allowToDeny: 1 });
    const progress = socket.events.filter(({ event }) => event === "policy.progress");
    expect(progress.map(({ payload }) => payload)).toEqual([
      { jobId: "mine", compared: 0, total: 1 },
      { jobId: "mine", compared: 1, total: 1 },
    ]);
    expect(await client.call("policy.whatIf", { configuration })).toMatchObject({ calls: 1 });
    for (const scope of ["operator.read", "operator.write", "operator.approvals"] as const) {
      await expect(callWith(scope, "policy.whatIf", { configuration })).rejects.toMatchObject({
        code: "MISSING_SCOPE",
        details: { missingScope: "operator.admin" },
      });
    }
  });

  it("[GW-028] answer in the form of their schemas", async () => {
    // Results are compared with the schemas when tests run.
    expect(await callWith("operator.approvals", "approvals.list", {})).toEqual({ approvals: [] });
    expect(await callWith("operator.approvals", "approvals.history", {})).toEqual({
      ...{ approvals: [], total: 0, tools: [], deciders: [] },
    });
    const asked = { tool: "exec" };
    expect(await callWith("operator.read", "policy.explain", asked)).toBeTypeOf("object");
  });
});
