import { describe, expect, it } from "vitest";
import { compilePolicy, type PolicyEntry, type PolicyTool } from "../../src/index.js";
import { configured } from "../support/compiled-policy.js";
import { core, OWNER, plugin } from "../support/decision-input.js";

const tools: readonly PolicyTool[] = [
  core("exec"),
  plugin("weather_now", "sky", { aliases: ["forecast"] }),
  plugin("land", "ground"),
];

function warningsFor(...deny: readonly PolicyEntry[]) {
  return compilePolicy([{ layer: "global", deny }], { tools }).warnings.map(
    ({ code, message, suggestion }) => `${code} ${message}; ${suggestion}`,
  );
}

describe("unknown entries", () => {
  it("[POL-022] give one warning each, with the nearest known name", () => {
    expect(warningsFor("wether_now", "group:runtme", "plugin:sly", "qqqqqqqq", "zz*")).toEqual([
      'POLICY_UNKNOWN_ENTRY "wether_now" matches no known tool, group or plugin; did you mean "weather_now"?',
      'POLICY_UNKNOWN_ENTRY "group:runtme" matches no known tool, group or plugin; did you mean "group:runtime"?',
      'POLICY_UNKNOWN_ENTRY "plugin:sly" matches no known tool, group or plugin; did you mean "plugin:sky"?',
      'POLICY_UNKNOWN_ENTRY "qqqqqqqq" matches no known tool, group or plugin; remove it or install what it names',
      'POLICY_UNKNOWN_ENTRY "zz*" matches no known tool, group or plugin; remove it or install what it names',
    ]);
  });

  it("[POL-022] suggest the alphabetically first of two equally near names", () => {
    for (const names of [
      ["tool_a", "tool_b"],
      ["tool_b", "tool_a"],
    ]) {
      const known = names.map(core);
      const { warnings } = compilePolicy([{ layer: "global", deny: ["tool_c"] }], { tools: known });
      expect(warnings).toMatchObject([{ suggestion: 'did you mean "tool_a"?' }]);
    }
  });

  it("[POL-022] do not include tools, aliases, plugins, groups and core tools", () => {
    expect(
      warningsFor(
        "weather_now",
        "Forecast",
        "bash",
        "sky",
        "plugin:ground",
        "w*",
        "group:mcp",
        "cron",
      ),
    ).toEqual([]);
  });

  it("[POL-022] are reported once each by file and key, in layers, nested layers and groups", () => {
    const locate = () => ({ file: "openclaw.yaml", line: 4, column: 9 });
    const policy = configured(
      {
        tools: {
          profile: "coding",
          alsoAllow: ["nothing1"],
          groups: { own: ["nothing2"] },
          byProvider: { openai: { profile: "mine" } },
          profiles: { mine: { allow: ["nothing3"] } },
        },
        agents: { main: { tools: { alsoAllow: ["nothing4"] } } },
        groups: { g: { tools: { toolsBySender: { "*": { deny: ["nothing5"] } } } } },
      },
      { locate },
      tools,
    );
    const unknown = policy.warnings.filter(({ code }) => code === "POLICY_UNKNOWN_ENTRY");
    expect(unknown.map(({ file, line, key }) => `${file}:${line} ${key}`).sort()).toEqual([
      "openclaw.yaml:4 agents.main.tools.alsoAllow",
      'openclaw.yaml:4 groups.g.tools.toolsBySender["*"].deny',
      "openclaw.yaml:4 tools.alsoAllow",
      "openclaw.yaml:4 tools.groups.own",
      "openclaw.yaml:4 tools.profiles.mine.allow",
    ]);
  });

  it("[POL-022] do not change the meaning of other entries", () => {
    const policy = compilePolicy([{ layer: "global", allow: ["exec", "nothing", "group:none"] }], {
      tools,
    });
    expect(policy.warnings).toHaveLength(4);
    expect(policy.decide(core("exec"), OWNER).allowed).toBe(true);
    expect(policy.decide(core("read"), OWNER).allowed).toBe(false);
  });

  it("are not reported when the tools are unknown, and never for built-in lists", () => {
    expect(compilePolicy([{ layer: "global", deny: ["nothing"] }]).warnings).toEqual([]);
    expect(configured({}, {}, tools).warnings).toEqual([]);
  });

  it("are located without a configuration too", () => {
    const groups = [{ name: "own", members: ["nothing"] }];
    const { warnings } = compilePolicy([{ layer: "agent", deny: ["none"] }], { tools, groups });
    expect(warnings.map(({ key }) => key)).toEqual(["agent.deny", "groups.own"]);
  });
});
