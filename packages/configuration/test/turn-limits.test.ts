import { DEFAULT_CONTEXT_LIMITS } from "@openclaw/agent";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../src/errors.js";
import type { OpenClawConfiguration } from "../src/schema.js";
import { turnLimits } from "../src/turn-limits.js";

function limitsOf(configuration: OpenClawConfiguration, environment: NodeJS.ProcessEnv = {}) {
  return turnLimits(configuration, environment);
}

describe("turnLimits", () => {
  it.each<[string, OpenClawConfiguration, NodeJS.ProcessEnv, number]>([
    ["50 model calls when nothing says", {}, {}, 50],
    ["what the environment says", {}, { AGENT_MAX_TOOL_ITERATIONS: "7" }, 7],
    ["50 when the variable is blank", {}, { AGENT_MAX_TOOL_ITERATIONS: " " }, 50],
    [
      "what the environment says, whatever the configuration does",
      { agents: { defaults: { maxIterations: 3 } } },
      { AGENT_MAX_TOOL_ITERATIONS: "7" },
      7,
    ],
  ])("uses %s", (_what, configuration, environment, maxIterations) => {
    expect(limitsOf(configuration, environment)).toEqual({
      maxIterations,
      contextLimits: DEFAULT_CONTEXT_LIMITS,
      budgets: { host: {} },
    });
  });

  it.each(["0", "-1", "1001", "2.5", "many", "Infinity"])(
    "rejects %s model calls with an error at the start",
    (value) => {
      const read = () => limitsOf({}, { AGENT_MAX_TOOL_ITERATIONS: value });
      expect(read).toThrow(ConfigurationError);
      expect(read).toThrow(/AGENT_MAX_TOOL_ITERATIONS.*whole number from 1 to 1000/);
    },
  );

  it("[TURN-029] reads the budgets of agent and session", () => {
    const budgets = {
      agent: { maxTokens: 5, maxCostUsd: 1 },
      session: { maxTokens: 0, maxCostUsd: 0.5 },
    };
    const configuration = {
      agents: { defaults: { budget: budgets.agent } },
      session: { budget: budgets.session },
    };
    expect(limitsOf(configuration)).toMatchObject({ budgets });
  });

  it("[LLM-031] reads the budgets of the host, of which the environment wins", () => {
    const budget = { maxCostPerDayCents: 1, maxCostPerMonthCents: 2, timeZone: "Asia/Tokyo" };
    const environment = { MAX_COST_PER_DAY_CENTS: "300", OPENCLAW_MAX_ACTIONS_PER_HOUR: "4" };
    expect(limitsOf({ models: { budget } }, environment).budgets.host).toEqual({
      maxCostPerDayCents: 300,
      maxCostPerMonthCents: 2,
      maxActionsPerHour: 4,
      timeZone: "Asia/Tokyo",
    });
    const wrong = () => limitsOf({}, { MAX_COST_PER_DAY_CENTS: "2.5" });
    expect(wrong).toThrow(/MAX_COST_PER_DAY_CENTS.*whole number of at least 0/);
  });

  it("reads when a conversation is shortened", () => {
    const agents = { defaults: { contextTokens: 8000, compactionThreshold: 0.6 } };
    const { contextLimits } = limitsOf({ agents });
    expect(contextLimits).toEqual({ tokens: 8000, threshold: 0.6 });
  });
});
