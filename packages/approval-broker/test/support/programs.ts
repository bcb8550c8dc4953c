import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";

/**
 * Creates a folder of programs that do nothing, outside every workspace.
 * @param names - names of the programs
 * @returns the folder, for `PATH`
 */
export async function programs(...names: readonly string[]): Promise<string> {
  const { workspaceDir } = await temporaryWorkspace();
  for (const name of names) {
    const file = join(workspaceDir, name);
    await writeFile(file, "#!/bin/sh\n");
    await chmod(file, 0o755);
  }
  return workspaceDir;
}
