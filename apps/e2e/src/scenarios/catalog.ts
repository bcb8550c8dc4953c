import type { CataloguedHookName } from "@openclaw/plugin-sdk";
import type { HookScenario } from "./hook-scenario.js";
import { lifecycleScenarios } from "./lifecycle-scenarios.js";
import { messageScenarios } from "./message-scenarios.js";
import { recallScenarios } from "./recall-scenarios.js";
import { sessionScenarios } from "./session-scenarios.js";
import { subagentScenarios } from "./subagent-scenarios.js";
import { toolScenarios } from "./tool-scenarios.js";
import { turnScenarios } from "./turn-scenarios.js";

/**
 * Hooks whose call sites belong to parts of the host that are still to be built. The list can only
 * shrink: a hook on it that fires fails a test.
 */
export const HOOKS_TO_COME = [
  "cron_changed",
  "heartbeat_prompt_contribution",
  "transcribe_audio",
] as const satisfies readonly CataloguedHookName[];

/** A hook that fires. */
export type FiringHook = Exclude<CataloguedHookName, (typeof HOOKS_TO_COME)[number]>;

/** For every hook that fires, what brings it about. A hook without one does not compile. */
export const HOOK_SCENARIOS: Readonly<Record<FiringHook, HookScenario>> = {
  ...lifecycleScenarios,
  ...messageScenarios,
  ...turnScenarios,
  ...recallScenarios,
  ...sessionScenarios,
  ...toolScenarios,
  ...subagentScenarios,
};
