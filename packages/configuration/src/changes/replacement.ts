import { randomBytes } from "node:crypto";
import { chmod, copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { draftError, moveOver } from "@openclaw/foundation/file-replacement";

/** Number of earlier versions of a file that are kept. */
const BACKUPS = 5;

/**
 * Replaces a file in one step with mode 0600, one that is mounted alone in place, and keeps the previous version as `<file>.bak.1`, the one before
 * as `.bak.2`, up to `.bak.5` (GW-007).
 * @param file - absolute path; a link must be resolved before
 * @param text - new content
 * @throws FileReplacementError when neither the folder nor the file can be written
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: "wx", flush: true }).catch((error) => {
      throw draftError(file, error);
    });
    await keepBackup(file);
    moveOver(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Copies the file, because moving it away would leave a moment without it. */
async function keepBackup(file: string): Promise<void> {
  const backup = `${file}.bak.new`;
  try {
    await copyFile(file, backup);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  await chmod(backup, 0o600);
  for (let number = BACKUPS - 1; number >= 1; number--) {
    await rename(`${file}.bak.${number}`, `${file}.bak.${number + 1}`).catch(ignoreMissing);
  }
  await rename(backup, `${file}.bak.1`);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
