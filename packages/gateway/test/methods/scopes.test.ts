import { temporaryFolder } from "@openclaw/foundation/testing";
import { gatewayMethods, type MethodCaller } from "@openclaw/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { startTestGateway } from "../support/gateway.js";

const folder = temporaryFolder();
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startTestGateway(folder);
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

describe("methods of policy and approvals", () => {
  it.each([
    "policy.explain",
    "policy.whatIf",
    "approvals.list",
    "approvals.get",
    "approvals.resolve",
    "approvals.history",
  ] as const)(
    "[GW-028] %s has schemas and a scope, without which it is forbidden",
    async (name) => {
      const { params, result, scope } = gatewayMethods[name];
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

  it("[GW-028] answer in the form of their schemas", async () => {
    // Results are compared with the schemas when tests run.
    expect(await callWith("operator.approvals", "approvals.list", {})).toEqual({ approvals: [] });
    expect(await callWith("operator.approvals", "approvals.history", {})).toEqual({
      approvals: [],
    });
    const asked = { tool: "exec" };
    expect(await callWith("operator.read", "policy.explain", asked)).toBeTypeOf("object");
  });
});
