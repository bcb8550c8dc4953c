import { describe, expect, it } from "vitest";
import { compilePolicy, type PolicyTool } from "../../src/index.js";
import { configured } from "../support/compiled-policy.js";
import { core, plugin } from "../support/decision-input.js";

const tools: readonly PolicyTool[] = [
  core("exec"),
  plugin("weather_now", "Sky"),
  plugin("weather_week", "sky"),
  plugin("lobster", "lobster", { optional: true }),
];

function hidden(config: unknown, known = tools) {
  return configured(config, {}, known).warnings.filter(
    ({ code }) => code === "POLICY_PLUGIN_HIDDEN",
  );
}

describe("plugins that no agent can use", () => {
  it("[POL-025] give one diagnostic with the layer, the key and the line that would admit them", () => {
    expect(hidden({ tools: { profile: "coding" } })).toEqual([
      {
        code: "POLICY_PLUGIN_HIDDEN",
        severity: "warning",
        key: "tools.profile",
        message: 'profile "coding" hides all tools of plugin "sky" from agent "main"',
        suggestion: 'to admit them: tools.alsoAllow: ["plugin:sky"]',
      },
    ]);
  });

  it("[POL-025] are admitted by that line", () => {
    expect(hidden({ tools: { profile: "coding", alsoAllow: ["plugin:sky"] } })).toEqual([]);
    const config = { tools: { allow: ["exec"] } };
    expect(hidden(config)).toMatchObject([
      {
        key: "tools.allow",
        message: 'the global allow list hides all tools of plugin "sky" from agent "main"',
        suggestion: 'to admit them: tools.allow: ["exec","plugin:sky"]',
      },
    ]);
    expect(hidden({ tools: { allow: ["exec", "plugin:sky"] } })).toEqual([]);
  });

  it("[POL-025] are reported for the agent whose own list hides them", () => {
    const found = hidden({
      agents: { kid: { tools: { profile: "minimal", alsoAllow: ["exec"] } }, free: { tools: {} } },
    });
    expect(found).toMatchObject([
      {
        key: "agents.kid.tools.profile",
        message: expect.stringContaining('from agent "kid"'),
        suggestion: 'to admit them: agents.kid.tools.alsoAllow: ["exec","plugin:sky"]',
      },
    ]);
  });

  it("[POL-025] may need more than one line", () => {
    const [found] = hidden({
      tools: { profile: "coding", allow: ["exec"] },
      agents: { main: { tools: { deny: ["cron"] } }, kid: { tools: {} } },
    });
    expect(found?.suggestion).toBe(
      'to admit them: agents.main.tools.alsoAllow: ["plugin:sky"], tools.allow: ["exec","plugin:sky"]',
    );
    const [stuck] = hidden({ tools: { profile: "coding", allow: ["exec"] } });
    expect(stuck?.suggestion).toBe(
      'to admit them: write "plugin:sky" under tools.profiles.coding.allow, which overrides the built-in rule',
    );
  });

  it("do not include plugins with one usable tool, denied outright, or optional", () => {
    expect(hidden({ tools: { allow: ["exec", "weather_now"] } })).toEqual([]);
    expect(hidden({ tools: { deny: ["weather_*"] } })).toEqual([]);
    expect(
      hidden({ tools: { allow: ["exec"] } }, [plugin("lobster", "l", { optional: true })]),
    ).toEqual([]);
  });

  it("are found behind layers outside any configuration file", () => {
    const { warnings } = compilePolicy([{ layer: "profile", allow: ["exec"], label: "my list" }], {
      tools,
    });
    expect(warnings).toMatchObject([
      { key: "profile.allow", message: expect.stringContaining("my list hides") },
    ]);
    const sealed = compilePolicy([{ layer: "agent", allow: ["exec"], builtIn: true }], { tools });
    expect(sealed.warnings).toMatchObject([
      {
        key: "agent",
        suggestion:
          'to admit them: write "plugin:sky" under the agent layer, which overrides the built-in rule',
      },
    ]);
  });

  it("are found behind a list even when some of their tools are denied outright", () => {
    expect(hidden({ tools: { allow: ["exec"], deny: ["weather_now"] } })).toMatchObject([
      {
        key: "tools.allow",
        suggestion: 'to admit them: tools.allow: ["exec","plugin:sky"]',
      },
    ]);
  });
});
