import type { BundleEvent } from "../points/bundle-event.js";

/** Fields that the input of every event has. */
export interface EventPlace {
  readonly sessionId?: string | undefined;
  readonly workspaceDir?: string | undefined;
}

/**
 * Returns the input of a hook as Claude Code documents it (EXT-541).
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
