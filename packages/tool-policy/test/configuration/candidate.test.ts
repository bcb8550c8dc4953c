import { describe, expect, it } from "vitest";
import { candidateConfig, type ToolPolicyConfig } from "../../src/index.js";

const tried: ToolPolicyConfig = {
  tools: { deny: ["exec"], mode: "monitor", candidate: { allow: ["read"] } },
  agents: { main: { tools: { deny: ["write"] } } },
};

describe("candidateConfig", () => {
  it("[POL-035] replaces the rules of tools, and keeps those of agents and groups", () => {
    const candidate = candidateConfig(tried, () => undefined);
    expect(candidate?.config).toEqual({ tools: { allow: ["read"] }, agents: tried.agents });
  });

  it("locates values and names keys as the file has them", () => {
    const located: unknown[] = [];
    const candidate = candidateConfig(tried, (path) => {
      located.push(path);
      return undefined;
    });
    candidate?.locate(["tools", "allow", 0]);
    candidate?.locate(["agents", "main"]);
    candidate?.locate([]);
    expect(located).toEqual([["tools", "candidate", "allow", 0], ["agents", "main"], [""]]);
    expect(
      ["tools.allow[0]", "tools", "toolset", "agents.main"].map(candidate?.keyOf ?? String),
    ).toEqual(["tools.candidate.allow[0]", "tools.candidate", "toolset", "agents.main"]);
  });

  it.each([
    ["no tools", {}],
    ["no mode", { tools: { candidate: { deny: ["exec"] } } }],
    ["no candidate", { tools: { mode: "monitor" } }],
  ] satisfies [string, ToolPolicyConfig][])("is absent with %s", (_case, config) => {
    expect(candidateConfig(config, () => undefined)).toBeUndefined();
  });
});
