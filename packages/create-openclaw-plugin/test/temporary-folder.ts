import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder, gone at the end of the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "create-openclaw-plugin-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
