import { readdir, readFile } from "node:fs/promises";

const NOT_RUNNING = new Set(["Z", "X", undefined]);

/**
 * Returns true if a process of a group still runs. Signals cannot tell: they also reach zombie processes,
 * which the init process of some containers never reaps.
 * @param group - id of the process group
 * @returns true as well where there is no process table to read
 */
export async function hasRunningProcess(group: number): Promise<boolean> {
  const names = await readdir("/proc").catch(() => undefined);
  const ids = names?.filter((name) => /^\d+$/.test(name)) ?? [];
  if (ids.length === 0) return true;
  for (const id of ids) {
    // A process may end while the table is read.
    const line = await readFile(`/proc/${id}/stat`, "latin1").catch(() => "");
    // The program's name in parentheses may hold spaces and parentheses itself.
    const [state, , processGroup] = line.slice(line.lastIndexOf(")") + 2).split(" ");
    if (Number(processGroup) === group && !NOT_RUNNING.has(state)) return true;
  }
  return false;
}
