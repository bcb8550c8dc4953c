import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { gatewayMethods } from "../../src/methods/table.js";
import { parameterIssues } from "../../src/registry/parameter-issue.js";

const issues = (schema: Parameters<typeof parameterIssues>[0], parameters: unknown) =>
  parameterIssues(schema, parameters).map(({ path, message }) => `${path} ${message}`.trim());

const digest = "0".repeat(64);
const { params: resolve } = gatewayMethods["approvals.resolve"];

describe("parameterIssues", () => {
  it("names the parameter by a JSON Pointer, also within another", () => {
    const { params } = gatewayMethods["policy.test"];
    expect(
      issues(params, {
        files: [
          { file: "a", document: 1 },
          { document: 2, x: 1 },
        ],
      }),
    ).toEqual(["/files/1/file is required", "/files/1/x is not a parameter of this method"]);
    const odd = Type.Object({ "a/b~c": Type.String() });
    expect(issues(odd, {})).toEqual(["/a~1b~0c is required"]);
  });

  it("lists the allowed values of all options of a choice", () => {
    expect(issues(resolve, { id: "1", digest, decision: "maybe" })).toEqual([
      '/decision must be "allow-once", "deny" or "allow-always"',
    ]);
    expect(issues(resolve, { id: "1", digest })).toEqual(["/decision is required"]);
  });

  it("returns the issues of the nearest option of a choice", () => {
    expect(issues(resolve, { id: "1", digest, decision: "allow-always", scope: "world" })).toEqual([
      '/scope must be "session", "agent" or "global"',
    ]);
    const { params } = gatewayMethods["policy.explain"];
    expect(issues(params, { tool: "exec", model: 5, senderIsOwner: "yes" })).toEqual([
      "/model must be string",
      "/senderIsOwner must be boolean",
    ]);
  });

  it("returns at most five", () => {
    const extra = Object.fromEntries("abcdefghijkl".split("").map((key) => [key, 1]));
    expect(issues(gatewayMethods["plugins.install"].params, extra)).toEqual([
      "/specifier is required",
      "/cwd is required",
      ...["/a", "/b", "/c"].map((path) => `${path} is not a parameter of this method`),
    ]);
  });

  it("reports parameters that are not an object", () => {
    expect(issues(gatewayMethods["plugins.list"].params, null)).toEqual(["must be object"]);
  });
});
