import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "@openclaw/store";

const FOLDER = /^stage-(?:(\d+)-)?[^-]+$/;
/** Age in milliseconds of a folder that does not name its process, after which nothing uses it. */
const ABANDONED_MS = 60 * 60_000;

/** Returns the beginning of the name of a staging folder, which names the process that uses it. */
export function stagePrefix(): string {
  return `stage-${process.pid}-`;
}

/**
 * Removes the staging folders of installations whose process was killed. A folder of a process that
 * runs stays, such as an installation by the command line.
 * @param stagingDir - folder of the staging folders, which need not exist
 * @returns names of the removed folders
 */
export async function sweepStaging(stagingDir: string): Promise<readonly string[]> {
  const names = await readdir(stagingDir).catch(() => []);
  const removed: string[] = [];
  for (const name of names) {
    const [isStage, pid] = FOLDER.exec(name) ?? [];
    if (isStage === undefined || !(await isAbandoned(join(stagingDir, name), pid))) continue;
    await rm(join(stagingDir, name), { recursive: true, force: true });
    removed.push(name);
  }
  return removed;
}

async function isAbandoned(folder: string, pid: string | undefined): Promise<boolean> {
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Number.NaN }));
  if (pid === undefined) return Date.now() - mtimeMs > ABANDONED_MS;
  if (Number(pid) !== process.pid) return !isRunning(Number(pid));
  // In a container each start has the same number.
  return mtimeMs < Date.now() - process.uptime() * 1000;
}
