import type { BundleEvent } from "../points/bundle-event.js";

/** Session of an event, which fields of every input tell. */
export interface EventPlace {
  /** Run that the prompt of a user started. */
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly workspaceDir?: string | undefined;
}

/** Events for which Claude Code tells no mode. */
const WITHOUT_MODE: ReadonlySet<BundleEvent> = new Set([
  ...(["SessionStart", "SessionEnd", "SubagentStart"] as const),
]);

/**
 * Returns the input of a hook as Claude Code gives it (EXT-541).
 * @param place - session and workspace
 * @param fields - fields of the event
 */
export function eventInput(
  event: BundleEvent,
  { runId, sessionId = "", workspaceDir = process.cwd() }: EventPlace,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return {
    ...{ session_id: sessionId, transcript_path: "", cwd: workspaceDir },
    ...(runId === undefined || event === "SessionStart" ? {} : { prompt_id: runId }),
    ...(WITHOUT_MODE.has(event) ? {} : { permission_mode: "default" }),
    hook_event_name: event,
    ...fields,
  };
}
