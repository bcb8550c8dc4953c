import { escapeRoleMarkers, wrapExternalContent } from "@openclaw/safety";
import type { Routine } from "@openclaw/store";
import type { RoutineDefinition } from "./definition.js";
import { RoutineRefusedError } from "./errors.js";
import { readWatchedPath } from "./triggers/trigger.js";

/** Files that a routine names for its runs. */
const MOST_PATHS = 10;
/** Bytes of all files that a run is given. */
const MOST_BYTES = 64 * 1024;

/**
 * Reads the beginning of a text file in the workspace of an agent; undefined when the workspace has none there.
 * @param agentId - the agent
 * @param path - relative path
 * @param most - maximum number of bytes
 */
export type ReadContextFile = (
  agentId: string,
  path: string,
  most: number,
) => Promise<string | undefined>;

/**
 * Returns the paths of files that each run is given (JOB-027).
 * @param written - files relative to the workspace
 * @throws RoutineRefusedError for a path that leads out of the workspace, and for too many
 */
export function readContextPaths(written: readonly string[]): string[] {
  if (written.length <= MOST_PATHS) return written.map(readWatchedPath);
  throw new RoutineRefusedError(
    `context_paths: it has ${written.length} files, and at most ${MOST_PATHS} are allowed; name the important ones`,
  );
}

/**
 * Returns the file in which a routine keeps notes for its later runs (JOB-032). Routines of several users can have the
 * same name, so only those of the operator have the plain one.
 * @param routine - the routine
 */
export function notesPath({
  name,
  routineId,
  creator,
}: Pick<Routine, "name" | "routineId" | "creator">): string {
  const folder = creator.senderIsOwner === true ? name : `${name}-${routineId.slice(0, 8)}`;
  return `routines/${folder}/state.md`;
}

/**
 * Returns the files of a run as text for its task, marked as untrusted: the notes of earlier runs, and the files that the
 * routine names.
 * @param routine - the routine
 * @param action - its action
 * @param read - reads a file of the workspace
 */
export async function contextText(
  routine: Routine,
  { contextPaths = [] }: RoutineDefinition["action"],
  read: ReadContextFile,
): Promise<string> {
  const { agentId } = routine;
  const notes = notesPath(routine);
  const parts: string[] = [];
  let left = MOST_BYTES;
  for (const path of [notes, ...contextPaths]) {
    const text = left > 0 ? await read(agentId, path, left) : undefined;
    if (text !== undefined) {
      const source = path === notes ? `notes of earlier runs, ${path}` : `the file ${path}`;
      parts.push(wrapExternalContent({ source, content: escapeRoleMarkers(text) }));
      left -= Buffer.byteLength(text);
    } else if (path !== notes) {
      const why = left > 0 ? "cannot be read" : "is left out, because the files before it are long";
      parts.push(`The file ${path} ${why}.`);
    }
  }
  return parts.map((part) => `\n\n${part}`).join("");
}
