import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Folder that is removed at the end of its scope. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** Writes files by relative path, and creates the folders above them. */
  write(files: Readonly<Record<string, string>>): void;
}

/**
 * Creates an empty folder for `using`.
 * @param name - part of its name
 */
export function temporaryFolder(name = "test"): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `openclaw-${name}-`)));
  return {
    path,
    write(files) {
      for (const [file, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, file)), { recursive: true });
        writeFileSync(join(path, file), content);
      }
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
