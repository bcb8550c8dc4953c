import { lstatSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { isInside } from "../files/path.js";
import type { PluginDiagnostic } from "./diagnostic.js";

const WRITABLE_BY_ALL = 0o002;

/**
 * Returns the reason not to run code from a folder (PLUG-009): anyone may write to it, or it
 * belongs to another user. Folders of the superuser count as the user's own, since the superuser
 * may change any folder.
 * @param folder - real path of a plugin's folder
 * @param stats - file status of the folder, or the error message
 * @param bundled - true for a bundled plugin, whose owner is not checked
 * @returns an error diagnostic rejects the plugin, a warning does not
 */
export function inspectFolder(
  folder: string,
  stats: Stats | string,
  bundled: boolean,
): PluginDiagnostic | undefined {
  if (process.getuid === undefined) return undefined;
  if (typeof stats === "string") return unreadableFolder(folder, stats);
  if ((stats.mode & WRITABLE_BY_ALL) !== 0) {
    return {
      level: "error",
      code: "folder-unsafe",
      message: `${folder} may be written by every user of this machine, so its code is not trusted`,
      source: folder,
      hint: `chmod o-w ${folder}`,
    };
  }
  return bundled ? undefined : inspectOwner(folder, stats, process.getuid());
}

function unreadableFolder(folder: string, reason: string): PluginDiagnostic {
  return {
    level: "error",
    code: "path-unreadable",
    message: `${folder} ${reason}, so its code is not trusted`,
    source: folder,
    hint: "let this user read the folder",
  };
}

function inspectOwner(folder: string, { uid }: Stats, user: number): PluginDiagnostic | undefined {
  if (uid === user || uid === 0) return undefined;
  const tolerated = user === 0 || liesOnOwnMount(folder);
  return {
    level: tolerated ? "warn" : "error",
    code: "folder-owner",
    message: `${folder} belongs to user ${uid}, but the host runs as user ${user}`,
    source: folder,
    hint: `chown -R ${user} ${folder}`,
  };
}

/**
 * A volume that was mounted for the host, as containers do, keeps its owner outside the container.
 */
function liesOnOwnMount(folder: string): boolean {
  const mount = mountPoint(folder);
  return dirname(mount) !== mount && !isInside(homedir(), mount);
}

function mountPoint(folder: string): string {
  const parent = dirname(folder);
  if (parent === folder || lstatSync(parent).dev !== lstatSync(folder).dev) return folder;
  return mountPoint(parent);
}
