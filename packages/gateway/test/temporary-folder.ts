import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that is gone at the end of its scope. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** Writes files by relative path, making their folders. */
  write(files: Readonly<Record<string, string>>): void;
}

/** Makes an empty folder for `using`. */
export function temporaryFolder(): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-gateway-")));
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
