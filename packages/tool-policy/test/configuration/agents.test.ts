import { describe, expect, it } from "vitest";
import { type ConfigLayersOptions, layersFromConfig } from "../../src/index.js";
import { configured, problemsOf } from "../support/compiled-policy.js";
import { core, OWNER } from "../support/decision-input.js";

function folder(tools: unknown, agentId = "main"): ConfigLayersOptions {
  const locate = () => ({ file: "agents/main/config.yaml", line: 2, column: 3 });
  return { agentFolders: [{ agentId, config: JSON.parse(JSON.stringify({ tools })), locate }] };
}

function admitted(config: unknown, options?: ConfigLayersOptions, context = OWNER) {
  const policy = configured(config, options);
  return ["exec", "read", "write", "time"].filter(
    (name) => policy.decide(core(name), context).allowed,
  );
}

describe("rules of an agent", () => {
  it("[POL-011] are layer 4, from the main file", () => {
    const config = { agents: { main: { tools: { allow: ["read", "time"], deny: ["time"] } } } };
    expect(admitted(config)).toEqual(["read"]);
    expect(admitted(config, undefined, { ...OWNER, agentId: "other" })).toHaveLength(4);
    expect(configured(config).decide(core("time"), OWNER).decidedBy).toMatchObject({
      layer: "agent",
      source: { key: "agents.main.tools.deny" },
    });
  });

  it("[POL-011] are layer 4, from the agent's own file", () => {
    const options = folder({ deny: ["exec"], allow: ["read", "exec"] });
    expect(admitted({}, options)).toEqual(["read"]);
    expect(configured({}, options).decide(core("exec"), OWNER).decidedBy).toMatchObject({
      layer: "agent",
      source: { file: "agents/main/config.yaml", key: "tools.deny", line: 2 },
    });
    expect(admitted({}, { agentFolders: [{ agentId: "main", config: {} }] })).toHaveLength(4);
  });

  it("[POL-011] combine the deny lists of both files; the allow list of the main file wins with a notice", () => {
    const config = { agents: { Main: { tools: { allow: ["exec", "read"], deny: ["read"] } } } };
    const options = folder({ allow: ["write", "time"], deny: ["time"] });
    expect(admitted(config, options)).toEqual(["exec"]);
    expect(layersFromConfig(config, options).warnings).toEqual([
      {
        code: "POLICY_AGENT_ALLOW_IGNORED",
        severity: "notice",
        file: "agents/main/config.yaml",
        line: 2,
        column: 3,
        key: "tools",
        message:
          "the allow list here is overridden by agents.Main.tools.allow of the main configuration",
        suggestion: "keep the list in one of the two files",
      },
    ]);
    expect(layersFromConfig(config, folder({ deny: ["time"] })).warnings).toEqual([]);
    expect(
      layersFromConfig(
        { agents: { main: { tools: { alsoAllow: ["read"] } } } },
        folder({ allow: ["time"] }),
      ).warnings,
    ).toHaveLength(1);
  });

  it("[POL-011] take their profile from the main file first", () => {
    const config = { agents: { main: { tools: { profile: "minimal" } } } };
    expect(admitted(config, folder({ profile: "full" }))).toEqual(["time"]);
    expect(admitted({}, folder({ profile: "minimal" }))).toEqual(["time"]);
  });

  it("[POL-011] can depend on the provider, in both files", () => {
    const context = { ...OWNER, provider: "openai", model: "gpt-5" };
    const config = {
      agents: {
        main: { tools: { byProvider: { openai: { allow: ["exec", "read"], profile: "full" } } } },
      },
    };
    const options = folder({
      providers: {
        openai: { allow: ["time"], deny: ["read"], profile: "minimal" },
        "openai/gpt-5": { deny: ["write"] },
      },
    });
    expect(admitted(config, undefined, context)).toEqual(["exec", "read"]);
    expect(admitted(config, undefined, OWNER)).toHaveLength(4);
    expect(admitted(config, options, { ...context, model: "o9" })).toEqual(["exec"]);
    expect(admitted(config, options, context)).toEqual(["exec", "read"]);
    expect(admitted({}, options, { ...context, model: "o9" })).toEqual(["time"]);
  });

  it("[POL-037] reject unknown keys, in both files", () => {
    expect(
      problemsOf({ agents: { main: { tools: { grups: {} } } } }, folder({ denny: [] })),
    ).toEqual([
      'POLICY_UNKNOWN_KEY agents.main.tools.grups: unknown key "grups"',
      'POLICY_UNKNOWN_KEY tools.denny: unknown key "denny"',
    ]);
    expect(problemsOf({ agents: { main: { tools: 3 } } })).toEqual([
      "POLICY_BAD_VALUE agents.main.tools: expected an object, got number 3",
    ]);
  });

  it("are rejected for agents.defaults, where they have no effect", () => {
    expect(problemsOf({ agents: { defaults: { tools: { deny: ["exec"] } } } })).toEqual([
      "POLICY_UNKNOWN_KEY agents.defaults.tools: agents.defaults cannot have tools",
    ]);
  });
});
