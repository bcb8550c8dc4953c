import { DEFAULT_CONTEXT_LIMITS } from "@openclaw/agent";
import { describe, expect, it } from "vitest";
import type { OpenClawConfiguration } from "../../src/configuration/schema.js";
import { turnLimits } from "../../src/configuration/turn-limits.js";
import { ConfigurationError } from "../../src/errors.js";

function limitsOf(configuration: OpenClawConfiguration, environment: NodeJS.ProcessEnv = {}) {
  const warnings: unknown[] = [];
  const warn = (_message: string, fields?: object) => void warnings.push(fields);
  const logger = { debug() {}, info() {}, warn, error() {} };
  return { ...turnLimits(configuration, environment, logger), warnings };
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
      budgets: {},
      warnings: [],
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

  it("reads the token budgets of agent and session", () => {
    const budgets = { agent: { maxTokens: 5 }, session: { maxTokens: 0 } };
    const configuration = {
      agents: { defaults: { budget: budgets.agent } },
      session: { budget: budgets.session },
    };
    expect(limitsOf(configuration)).toMatchObject({ budgets, warnings: [] });
  });

  it("warns that cost budgets are not enforced yet", () => {
    const configuration = {
      agents: { defaults: { budget: { maxCostUsd: 1 } } },
      session: { budget: { maxCostUsd: 0.5, maxTokens: 9 } },
    };
    expect(limitsOf(configuration)).toMatchObject({
      budgets: { session: { maxTokens: 9 } },
      warnings: [{ code: "BUDGET_COST_NOT_COUNTED" }, { code: "BUDGET_COST_NOT_COUNTED" }],
    });
  });

  it("reads when a conversation is shortened", () => {
    const agents = { defaults: { contextTokens: 8000, compactionThreshold: 0.6 } };
    const { contextLimits } = limitsOf({ agents });
    expect(contextLimits).toEqual({ tokens: 8000, threshold: 0.6 });
  });
});
