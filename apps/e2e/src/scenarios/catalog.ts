import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import { lifecycleScenarios } from "./lifecycle.js";
import { messageScenarios } from "./message.js";
import { recallScenarios } from "./recall.js";
import type { HookScenario } from "./scenario.js";
import { sessionScenarios } from "./session.js";
import { subagentScenarios } from "./subagent.js";
import { toolScenarios } from "./tool.js";
import { turnScenarios } from "./turn.js";

/**
 * Hooks whose call sites belong to parts of the host that are still to be built. The list can only
 * shrink: a hook on it that fires fails a test.
 */
export const HOOKS_TO_COME = [] as const satisfies readonly CataloguedHookName[];

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
