import { homedir } from "node:os";
import { join } from "node:path";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import type { CommandEvaluator } from "./command-verdict.js";
import type { ApprovalsConfig } from "./config.js";
import { answerAsHook, answerAsPolicy } from "./policy.js";
import { ruleProblems } from "./rules/examples.js";

export type { AgentRules, ApprovalsConfig } from "./config.js";
export type { CommandPrefix, PrefixPosition } from "./rules/prefix.js";
export type { CommandRule, RuleDecision } from "./rules/rule.js";

const TOOL = "exec";
/** Runs before handlers that rewrite the call; the host evaluates a rewritten call again. */
const PRIORITY = 1000;

/**
 * Rejects rules that contradict their examples, even if the host has not validated its
 * configuration file.
 */
const configSchema = {
  "~standard": {
    version: 1,
    vendor: "openclaw",
    validate(value: unknown) {
      const issues = ruleProblems((value as ApprovalsConfig).rules);
      return issues.length === 0 ? { value } : { issues };
    },
  },
} as const;

export default definePluginEntry<ApprovalsConfig>({
  id: "approvals",
  name: "Approvals",
  description:
    "Evaluates shell commands before they run: commands that only read the project run without approval, destructive ones need it each time.",
  configSchema,
  register(api) {
    // The folders in which commands find programs; the host passes `PATH` on to them.
    const { PATH = "", OPENCLAW_STATE_DIR = join(homedir(), ".openclaw") } = process.env;
    const evaluator = evaluateOnFirstUse(api.pluginConfig, PATH, OPENCLAW_STATE_DIR);
    if (api.origin !== "bundled") {
      api.on("before_tool_call", (event, context) => answerAsHook(evaluator, event, context), {
        priority: PRIORITY,
        scope: { toolNames: [TOOL] },
      });
      return;
    }
    api.registerTrustedToolPolicy({
      id: "commands",
      description:
        "Allows commands that only read the workspace, and requires approval for destructive ones.",
      matcher: TOOL,
      evaluate: (event, context) => answerAsPolicy(evaluator, event, context),
    });
  },
});

/** Loads the rules with the first command, so that hosts start without them. */
function evaluateOnFirstUse(
  config: ApprovalsConfig,
  path: string,
  stateDir: string,
): CommandEvaluator {
  let loaded: Promise<CommandEvaluator> | undefined;
  return {
    async evaluate(parsed, call) {
      loaded ??= import("./command-evaluator.js").then(({ createCommandEvaluator }) =>
        createCommandEvaluator(config, path, stateDir),
      );
      return (await loaded).evaluate(parsed, call);
    },
  };
}
