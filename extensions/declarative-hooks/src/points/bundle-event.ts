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

/** Name of an event of bundles. */
export type BundleEvent = (typeof BUNDLE_EVENTS)[number];

/** @param name - any name */
export function isBundleEvent(name: string): name is BundleEvent {
  return BUNDLE_EVENTS.some((event) => event === name);
}
