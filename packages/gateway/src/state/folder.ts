import { accessSync, chmodSync, constants, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { StateFolderError } from "@openclaw/store/errors";

/** Time that a command waits for another one to release the lock of the state folder. */
export const COMMAND_WAIT_MS = 5000;

/** Paths of a host's durable state. */
export interface StateFolder {
  readonly dir: string;
  readonly databaseFile: string;
  readonly lockFile: string;
  readonly tokenFile: string;
  /** Key and subscriptions of notifications in browsers. */
  readonly pushFile: string;
  readonly logFile: string;
  readonly extensionsDir: string;
  readonly skillsDir: string;
  /** Skills of other people that were installed. */
  readonly installedSkillsDir: string;
  /** Databases of plugins. */
  readonly pluginDataDir: string;
  /** Only part of the folder that an agent's tools can access (D27). */
  readonly workspaceDir: string;
  /** Inputs of chats at a terminal. */
  readonly chatHistoryFile: string;
  /** Conversations of workspaces. */
  readonly workspacesFile: string;
  /** Folders whose instructions, skills and plugins are used. */
  readonly trustedFoldersFile: string;
}

/**
 * Returns the paths of a state folder without accessing the disk.
 * @param dir - absolute path of the folder
 */
export function stateFolderAt(dir: string): StateFolder {
  return {
    dir,
    databaseFile: join(dir, "openclaw.db"),
    lockFile: join(dir, "gateway.lock"),
    tokenFile: join(dir, "gateway.token"),
    pushFile: join(dir, "push.json"),
    logFile: join(dir, "logs", "gateway.log"),
    extensionsDir: join(dir, "extensions"),
    skillsDir: join(dir, "skills"),
    installedSkillsDir: join(dir, "installed-skills"),
    pluginDataDir: join(dir, "plugin-data"),
    workspaceDir: join(dir, "workspace"),
    chatHistoryFile: join(dir, "chat-history.jsonl"),
    workspacesFile: join(dir, "workspaces.json"),
    trustedFoldersFile: join(dir, "trusted-folders.json"),
  };
}

/**
 * Creates the folder with mode 0700 if it is missing, and removes other users' access.
 * @param dir - absolute path of the folder
 * @throws StateFolderError when it cannot be created or written
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
      throw new StateFolderError(dir, `is not usable (${message})`, { cause });
    }
    throw new StateFolderError(dir, "cannot be created, because a file has this path", {
      nextStep: "move that file, or choose another folder with OPENCLAW_STATE_DIR",
      cause,
    });
  }
  return folder;
}
