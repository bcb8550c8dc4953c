import { describe, expect, it } from "vitest";
import { layersFromConfig } from "../../src/index.js";
import { configured, problemsOf } from "../support/compiled-policy.js";
import { core, OWNER, plugin } from "../support/decision-input.js";

function admitted(config: unknown, names: readonly string[], context = OWNER): readonly string[] {
  const policy = configured(config);
  return names.filter((name) => policy.decide(core(name), context).allowed);
}

const NAMES = [
  "session_status",
  "time",
  "read",
  "exec",
  "http",
  "memory_get",
  "cron",
  "message",
  "sessions_list",
  "tool_list",
];

describe("profiles", () => {
  it("[POL-008] include those that ship with the product", () => {
    const of = (profile: string) => admitted({ tools: { profile } }, NAMES);
    expect(of("minimal")).toEqual(["session_status", "time"]);
    expect(of("coding")).toEqual(NAMES.filter((name) => !["message", "tool_list"].includes(name)));
    expect(of("Messaging")).toEqual(["session_status", "time", "message", "sessions_list"]);
    expect(of("full")).toEqual(NAMES);
  });

  it("[POL-008] always decide", () => {
    expect(configured({}).explain(core("exec"), OWNER).layers[0]).toEqual({
      layer: "profile",
      verdict: "silent",
      note: "no profile rules",
    });
  });

  it("[POL-008] of an agent take precedence over the root's", () => {
    const config = {
      tools: { profile: "full" },
      agents: { Kid: { tools: { profile: "minimal" } }, plain: { tools: { deny: ["time"] } } },
    };
    expect(admitted(config, ["time", "exec"], OWNER)).toEqual(["time", "exec"]);
    expect(admitted(config, ["time", "exec"], { ...OWNER, agentId: "kid" })).toEqual(["time"]);
    expect(admitted(config, ["time", "exec"], { ...OWNER, agentId: "plain" })).toEqual(["exec"]);
  });

  it("[POL-008] of the user accept allow, deny and alsoAllow", () => {
    const config = {
      tools: {
        profile: "Office",
        profiles: {
          office: { allow: ["group:fs", "time"], deny: ["edit"] },
          loose: { deny: ["exec"], alsoAllow: ["tool_list"] },
        },
      },
    };
    expect(admitted(config, ["read", "edit", "time", "exec"])).toEqual(["read", "time"]);
    const policy = configured(config);
    expect(policy.decide(core("edit"), OWNER).decidedBy).toMatchObject({
      layer: "profile",
      source: { key: "tools.profiles.office.deny" },
    });
    expect(admitted(config, ["read", "exec"], { ...OWNER, profile: "loose" })).toEqual(["read"]);
  });

  it("[POL-008] of the user replace built-in ones of the same name, with a notice", () => {
    const config = { tools: { profile: "minimal", profiles: { Minimal: { allow: ["exec"] } } } };
    expect(admitted(config, ["time", "exec"])).toEqual(["exec"]);
    expect(layersFromConfig(config).warnings).toEqual([
      {
        code: "POLICY_PROFILE_REPLACED",
        severity: "notice",
        key: "tools.profiles.Minimal",
        message: 'this profile replaces the built-in profile "minimal"',
        suggestion: "choose another name to keep both",
      },
    ]);
  });

  it("of a context take precedence over every configured one, and must be defined", () => {
    const config = {
      tools: { profile: "full" },
      agents: { main: { tools: { profile: "coding" } } },
    };
    expect(admitted(config, ["time", "exec"], { ...OWNER, profile: "MINIMAL" })).toEqual(["time"]);
    expect(admitted(config, ["time", "exec"], { ...OWNER, profile: "unheard" })).toEqual([]);
    const explanation = configured(config).explain(core("time"), { ...OWNER, profile: "unheard" });
    expect(explanation.layers[0]).toMatchObject({
      verdict: "deny",
      note: "a profile that is not defined",
    });
  });

  it("[POL-037] report POLICY_UNKNOWN_PROFILE with the nearest name", () => {
    const { errors } = layersFromConfig({
      tools: { profile: "codng", byProvider: { openai: { profile: "qqqq" } } },
      agents: { main: { tools: { profile: "mesaging" } } },
    });
    expect(errors.map(({ key, suggestion }) => [key, suggestion])).toEqual([
      ["tools.profile", 'did you mean "coding"?'],
      ["agents.main.tools.profile", 'did you mean "messaging"?'],
      ["tools.byProvider.openai.profile", "use one of minimal, coding, messaging, full"],
    ]);
  });

  it("[POL-037] reject unknown keys, both lists at once and two profiles of one name", () => {
    expect(problemsOf({ tools: { profiles: { a: { allows: [] } } } })).toEqual([
      'POLICY_UNKNOWN_KEY tools.profiles.a.allows: unknown key "allows"',
    ]);
    expect(
      problemsOf({
        tools: {
          profiles: { b: { allow: [], alsoAllow: [] }, c: {}, C: {} },
        },
      }),
    ).toEqual([
      'POLICY_ALLOW_AND_ALSO_ALLOW tools.profiles.b.alsoAllow: "allow" and "alsoAllow" are in the same object',
      'POLICY_BAD_VALUE tools.profiles.C: profile "c" is defined twice',
    ]);
  });
});

describe("alsoAllow", () => {
  const weather = plugin("weather", "sky");

  it("[POL-021] extends the profile of its scope", () => {
    const config = {
      tools: { profile: "minimal", alsoAllow: ["sky"] },
      agents: {
        own: { tools: { profile: "messaging", alsoAllow: ["exec"] } },
        heir: { tools: { alsoAllow: ["read"] } },
        bare: { tools: { profile: "messaging" } },
      },
    };
    const policy = configured(config);
    const reach = (agentId: string) =>
      [weather, core("exec"), core("read"), core("message"), core("time")]
        .filter((tool) => policy.decide(tool, { ...OWNER, agentId }).allowed)
        .map(({ name }) => name);
    expect(reach("main")).toEqual(["weather", "time"]);
    expect(reach("heir")).toEqual(["weather", "read", "time"]);
    expect(reach("own")).toEqual(["exec", "message", "time"]);
    expect(reach("bare")).toEqual(["message", "time"]);
  });

  it("[POL-021] restricts nothing and lifts no deny", () => {
    const policy = configured({ tools: { alsoAllow: ["sky"], deny: ["weather"] } });
    expect(policy.decide(core("exec"), OWNER).allowed).toBe(true);
    expect(policy.decide(weather, OWNER).allowed).toBe(false);
  });

  it("extends a profile that a context chose, and nothing when the context chose none", () => {
    const policy = configured({ tools: { alsoAllow: ["sky"] } });
    expect(policy.decide(weather, { ...OWNER, profile: "minimal" }).allowed).toBe(true);
    expect(policy.decide(core("exec"), { ...OWNER, profile: "minimal" }).allowed).toBe(false);
    expect(policy.explain(weather, OWNER).layers[0]?.verdict).toBe("silent");
  });
});
