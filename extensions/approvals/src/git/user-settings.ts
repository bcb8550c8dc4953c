import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { acceptUserSettings } from "./accepted-settings.js";
import { type GitSetting, readGitSettings } from "./settings-file.js";

const HOME = /^~(?=\/|$)/;

/** Settings that git receives from the user that runs the gateway. */
export interface UserGitSettings {
  readonly settings: readonly GitSetting[];
  /** Patterns of ignored files. */
  readonly ignored: string;
}

/**
 * Reads the user's settings of git. Only harmless ones are returned, and included files are
 * ignored.
 */
export async function userGitSettings(): Promise<UserGitSettings> {
  const { XDG_CONFIG_HOME = "", GIT_CONFIG_GLOBAL } = process.env;
  const folder = join(XDG_CONFIG_HOME === "" ? join(homedir(), ".config") : XDG_CONFIG_HOME, "git");
  const files = GIT_CONFIG_GLOBAL
    ? [GIT_CONFIG_GLOBAL]
    : [join(folder, "config"), join(homedir(), ".gitconfig")];
  const settings: GitSetting[] = [];
  for (const file of files) settings.push(...(readGitSettings(await textOf(file)) ?? []));
  const named = settings.findLast(
    ({ section, subsection, key }) =>
      section === "core" && subsection === undefined && key === "excludesfile",
  );
  const ignored = named?.value?.replace(HOME, homedir()) ?? join(folder, "ignore");
  return { settings: acceptUserSettings(settings), ignored: await textOf(ignored) };
}

async function textOf(file: string): Promise<string> {
  return await readFile(file, "utf8").catch(() => "");
}
