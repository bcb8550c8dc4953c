import { dirname } from "node:path/posix";
import type { Routine } from "@openclaw/store";
import { notesPath } from "./context.js";
import { RoutineRefusedError } from "./errors.js";

/**
 * Moves a folder in the workspace of an agent.
 * @param agentId - the agent
 * @param from - relative path of the folder
 * @param to - its new relative path, in the same folder
 * @returns `taken` when another folder with files has the new path
 */
export type MoveFolder = (
  agentId: string,
  from: string,
  to: string,
) => Promise<"moved" | "none" | "taken">;

/**
 * Changes a routine together with the folder of its notes, whose path has its name (JOB-032).
 * @param routine - the routine before the change
 * @param name - its new name; undefined when it keeps its name
 * @param move - moves a folder of the workspace
 * @param change - stores the change
 * @throws RoutineRefusedError when another folder has the path of the notes, and whatever `change` throws
 */
export async function withNotes(
  routine: Routine,
  name: string | undefined,
  move: MoveFolder,
  change: () => Promise<Routine>,
): Promise<Routine> {
  if (name === undefined || name === routine.name) return await change();
  const { agentId } = routine;
  const from = dirname(notesPath(routine));
  const to = dirname(notesPath({ ...routine, name }));
  const moved = await move(agentId, from, to);
  if (moved === "taken") {
    throw new RoutineRefusedError(
      `its notes cannot move to ${to} of the workspace, because that folder has files; move them away, or choose another name`,
    );
  }
  try {
    return await change();
  } catch (error) {
    if (moved === "moved") await move(agentId, to, from);
    throw error;
  }
}
