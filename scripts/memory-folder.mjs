import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";

/** Folder in memory, on Linux. */
const MEMORY = "/dev/shm";

/** Space that a run of all tests never fills, in bytes. Containers often have 64 MiB. */
const NEEDED = 4 * 1024 ** 3;

/**
 * Gives the tests temporary files in memory, where the machine has a place for them and `TMPDIR` names no
 * other. On a disk they wait for every flush of a database and for every folder that is removed. What they
 * kill are processes, not machines, so no test can tell the difference.
 */
export function keepTemporaryFilesInMemory() {
  if (env.TMPDIR !== undefined || !hasSpace()) return;
  const folder = mkdtempSync(join(MEMORY, "openclaw-"));
  // The database server runs as a user of its own, and has a folder in it.
  chmodSync(folder, 0o711);
  env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

function hasSpace() {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED;
  } catch {
    return false;
  }
}
