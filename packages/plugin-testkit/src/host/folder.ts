import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Workspace and state folder of a test host, until it is removed. */
export interface TestFolder {
  readonly workspaceDir: string;
  readonly stateDir: string;
  /** Writes files into the workspace by relative path. */
  writeWorkspace(files: Readonly<Record<string, string>>): void;
  /**
   * Writes a file into the state folder.
   * @returns its path
   */
  writeState(name: string, content: string): string;
  remove(): void;
}

/** Creates the two folders in the system's folder for temporary files. */
export function createTestFolder(): TestFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-test-host-")));
  const workspaceDir = join(root, "workspace");
  const stateDir = join(root, "state");
  mkdirSync(workspaceDir);
  mkdirSync(stateDir);
  const write = (path: string, content: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  return {
    workspaceDir,
    stateDir,
    writeWorkspace(files) {
      for (const [name, content] of Object.entries(files)) write(join(workspaceDir, name), content);
    },
    writeState: (name, content) => write(join(stateDir, name), content),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
