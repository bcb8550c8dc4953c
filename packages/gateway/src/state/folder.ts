import { accessSync, chmodSync, constants, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { StateFolderError } from "../errors.js";

/** Where a host keeps everything it must not lose. */
export interface StateFolder {
  readonly dir: string;
  readonly databaseFile: string;
  readonly lockFile: string;
  readonly tokenFile: string;
  readonly logFile: string;
  readonly extensionsDir: string;
  readonly skillsDir: string;
  /** Databases of plugins. */
  readonly pluginDataDir: string;
  /** The one part of the folder that an agent's tools may reach (D27). */
  readonly workspaceDir: string;
}

/**
 * Names the parts of a state folder without touching the disk.
 * @param dir - absolute path
 */
export function stateFolderAt(dir: string): StateFolder {
  return {
    dir,
    databaseFile: join(dir, "openclaw.db"),
    lockFile: join(dir, "gateway.lock"),
    tokenFile: join(dir, "gateway.token"),
    logFile: join(dir, "logs", "gateway.log"),
    extensionsDir: join(dir, "extensions"),
    skillsDir: join(dir, "skills"),
    pluginDataDir: join(dir, "plugin-data"),
    workspaceDir: join(dir, "workspace"),
  };
}

/**
 * Makes the folder with mode 0700 where it is missing, and takes other users' access away.
 * @param dir - absolute path
 * @throws StateFolderError when it cannot be made or written
 */
export function openStateFolder(dir: string): StateFolder {
  const folder = stateFolderAt(dir);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    if ((statSync(dir).mode & 0o077) !== 0) chmodSync(dir, 0o700);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    mkdirSync(join(dir, "logs"), { recursive: true, mode: 0o700 });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== "EEXIST" && code !== "ENOTDIR") {
      throw new StateFolderError(dir, `cannot be used (${message})`, { cause });
    }
    throw new StateFolderError(dir, "cannot be made: a file is in its way", {
      nextStep: "move that file, or choose another folder with OPENCLAW_STATE_DIR",
      cause,
    });
  }
  return folder;
}
