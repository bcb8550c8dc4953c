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

/** Fields that the input of every event has. */
export interface EventPlace {
  readonly sessionId?: string | undefined;
  readonly workspaceDir?: string | undefined;
}

/**
 * Returns the input of a hook as Claude Code documents it (EXT-541).
 * @param event - name of the event
 * @param place - session and workspace
 * @param fields - fields of the event
 */
export function eventInput(
  event: BundleEvent,
  { sessionId = "", workspaceDir = process.cwd() }: EventPlace,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return {
    ...{ session_id: sessionId, transcript_path: "", cwd: workspaceDir },
    ...{ permission_mode: "default", hook_event_name: event },
    ...fields,
  };
}
