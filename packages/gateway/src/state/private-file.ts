import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { draftError, moveOver } from "@openclaw/foundation/file-replacement";

/**
 * Replaces a small file in one step with mode 0600, so that a reader sees the old or the new content, and no other
 * user sees either.
 * @param file - absolute path
 * @param text - new content
 */
export function writePrivateFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    moveOver(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw draftError(file, error);
  }
}
