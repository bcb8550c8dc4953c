import { Type } from "typebox";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { agentDefaultsSchema, toolExecutionSchemas } from "../../src/turn/agent-configuration.js";

const tools = Type.Object(toolExecutionSchemas, { additionalProperties: false });

describe("agents.defaults", () => {
  it.each<[Record<string, unknown>]>([
    [{}],
    [{ model: "demo/echo", instructions: "", maxIterations: 1 }],
    [{ maxIterations: 1000 }],
  ])("accepts %j", (value) => expect(Check(agentDefaultsSchema, value)).toBe(true));

  it.each<[Record<string, unknown>]>([
    [{ model: "" }],
    [{ maxIterations: 0 }],
    [{ maxIterations: 1001 }],
    [{ maxIterations: 1.5 }],
    [{ instructions: 1 }],
    [{ maxIteration: 1 }],
  ])("rejects %j", (value) => expect(Check(agentDefaultsSchema, value)).toBe(false));
});

describe("tools", () => {
  it.each<[Record<string, unknown>]>([
    [{}],
    [{ approval: { exec: "never", write: "unless-granted", edit: "always" } }],
    [{ timeouts: { exec: 1, read: 600_000 } }],
    [{ fs: { roots: ["/srv"] }, http: { allowHosts: ["localhost:8080"] } }],
  ])("accepts %j", (value) => expect(Check(tools, value)).toBe(true));

  it.each<[Record<string, unknown>]>([
    [{ approval: { exec: "sometimes" } }],
    [{ timeouts: { exec: 0 } }],
    [{ timeouts: { exec: 600_001 } }],
    [{ fs: { roots: [""] } }],
    [{ fs: { root: "/srv" } }],
    [{ http: { allowHosts: "localhost" } }],
  ])("rejects %j", (value) => expect(Check(tools, value)).toBe(false));
});
