/** Events of bundles, by the names of Claude Code. */
export const BUNDLE_EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
] as const;

/** Hooks of the host at which hooks of bundles have handlers, in addition to those of the points. */
export const BUNDLE_HOOKS = [
  "before_prompt_build",
  "before_agent_run",
  "before_agent_finalize",
  "before_compaction",
  "after_compaction",
  "subagent_spawned",
  "agent_error",
] as const;

/** Name of an event of bundles. */
export type BundleEvent = (typeof BUNDLE_EVENTS)[number];

/** @param name - any name */
export function isBundleEvent(name: string): name is BundleEvent {
  return BUNDLE_EVENTS.some((event) => event === name);
}
