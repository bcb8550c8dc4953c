import {
  checkConfiguration,
  type OpenClawConfiguration,
  parseConfigurationDocument,
} from "@openclaw/configuration";
import type { PluginToolRegistration } from "@openclaw/plugin-runtime";
import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import { PolicyConfigError, type PolicyContext } from "@openclaw/tool-policy";
import { describe, expect, it } from "vitest";
import { hostPolicy } from "../../src/host/policy.js";

const tool = (name: string): AnyAgentTool => ({
  name,
  label: name,
  description: `The tool ${name}.`,
  parameters: { type: "object" },
  execute: async () => ({ content: [] }),
});
const search: PluginToolRegistration = {
  pluginId: "web",
  source: "inline:web",
  tool: () => [tool("search"), tool("find")],
  names: ["search", "find"],
  learn: () => undefined,
  optional: false,
};
const context: PolicyContext = {
  agentId: "main",
  channel: "terminal",
  senderIsOwner: true,
  sandboxed: false,
  subagentDepth: 0,
};

function policyOf(
  text: string,
  { value, origin = "global" }: { value?: OpenClawConfiguration; origin?: string } = {},
) {
  const document = parseConfigurationDocument(text, "openclaw.json");
  const { value: checked = {} } = checkConfiguration(document);
  const configuration = {
    value: value ?? checked,
    file: "openclaw.json",
    warnings: [],
    locate: (path: readonly (string | number)[]) => document.place(path),
  };
  return hostPolicy(configuration, ["read"], [search], [{ id: "web", origin }]);
}

describe("hostPolicy", () => {
  it("knows the core tools and the plugins' tools, by name and by plugin", () => {
    const policy = policyOf('{ tools: { deny: ["plugin:web"] } }');
    const own = { name: "read", origin: "core" as const, optional: false, aliases: [] };
    const theirs = { ...own, name: "find", origin: "plugin" as const, pluginId: "web" };
    expect(policy.decide(own, context).allowed).toBe(true);
    const denied = policy.decide(theirs, context);
    expect(denied.allowed).toBe(false);
    expect(JSON.stringify(denied)).toContain('"line":1');
  });

  it("[POL-025] reports a plugin whose tools a list hides, unless the plugin comes with the host", () => {
    const text = '{ tools: { profile: "minimal" } }';
    const codes = (origin: string) => policyOf(text, { origin }).warnings.map(({ code }) => code);
    expect(codes("global")).toEqual(["POLICY_PLUGIN_HIDDEN"]);
    expect(codes("bundled")).toEqual([]);
  });

  it("throws for rules that do not compile", () => {
    const broken = { tools: { approval: {}, allow: ["a"], alsoAllow: ["b"] } };
    const make = () =>
      policyOf("{\n  tools: { allow: ['a'], alsoAllow: ['b'] } }", { value: broken });
    expect(make).toThrow(PolicyConfigError);
    expect(make).toThrow(/openclaw\.json:2/);
  });
});
