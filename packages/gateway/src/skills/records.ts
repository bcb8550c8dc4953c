import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "@openclaw/foundation/file-replacement";
import type { FileInventory } from "@openclaw/plugin-install";
import { StateFolderError } from "@openclaw/store/errors";
import type { StateFolder } from "../state/folder.js";

/** Skill that was installed from a source of other people (EXT-547). */
export interface SkillRecord {
  readonly name: string;
  /** Source as an update reads it: a specifier, or the absolute path of a folder or file. */
  readonly requested: string;
  /** SHA-256 over the names and contents of its files. */
  readonly digest: string;
  /** Version of the package of npm. */
  readonly version?: string;
  /** Milliseconds since the epoch. */
  readonly installedAt: number;
}

/**
 * Reads the installed skills of a state folder by name.
 * @param state - state folder
 * @throws StateFolderError when the records cannot be read
 */
export async function readSkillRecords({ dir }: StateFolder): Promise<Map<string, SkillRecord>> {
  const file = recordsFile(dir);
  try {
    const records = JSON.parse(await readFile(file, "utf8")) as SkillRecord[];
    return new Map(records.map((record) => [record.name, record]));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return new Map();
    throw new StateFolderError(dir, "contains records of skills that cannot be read", {
      nextStep: `fix ${file}, or move it away and install the skills again`,
      cause,
    });
  }
}

/**
 * Replaces the records of installed skills.
 * @param state - state folder
 * @param records - all records by name
 */
export function writeSkillRecords(
  { dir }: StateFolder,
  records: ReadonlyMap<string, SkillRecord>,
): void {
  writePrivateFile(recordsFile(dir), `${JSON.stringify([...records.values()], null, 2)}\n`);
}

/**
 * Returns the folder of an installed skill.
 * @param state - state folder
 * @param name - name of the skill
 */
export function installedSkillFolder({ installedSkillsDir }: StateFolder, name: string): string {
  return join(installedSkillsDir, name);
}

/**
 * Creates the check that an installed skill still has the files that were installed. A file whose size and time of change
 * are known is not read again.
 * @returns a function that returns the reason why a skill is not used, as a part of a sentence after "it"
 */
export function createSkillPin(
  state: StateFolder,
): (folder: string, name: string) => Promise<string | undefined> {
  const known = new Map<string, FileInventory>();
  return async (folder, name) => {
    const record = (await readSkillRecords(state).catch(() => undefined))?.get(name);
    if (record === undefined) return "was not installed with `openclaw skills install`";
    // Imported on first use: most hosts have no such skill.
    const { digestOfInventory, readInventory } = await import("@openclaw/plugin-install");
    const files = await readInventory(folder, known.get(folder));
    known.set(folder, files);
    return digestOfInventory(files) === record.digest
      ? undefined
      : `was changed since it was installed; run \`openclaw skills update ${name}\` to install it again`;
  };
}

function recordsFile(dir: string): string {
  return join(dir, "skill-installs.json");
}
