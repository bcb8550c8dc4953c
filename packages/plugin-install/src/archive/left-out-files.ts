import { copyFile, lstat, mkdir, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { InstallFinding } from "@openclaw/plugin-sdk/hooks";

/** Files that a host reads before it loads any code of a plugin. */
const MANIFESTS = [
  "openclaw.plugin.json",
  "clawdbot.plugin.json",
  "moltbot.plugin.json",
  "manifest.json",
];

/** Keys of `package.json` whose block names entry modules. */
const BLOCKS = ["openclaw", "clawdbot", "moltbot"];

/**
 * Copies the manifest and the entry modules of a plugin that npm did not pack, because `files` in `package.json` leaves
 * them out. npm packs `package.json` and `main` in the same way (PLUG-116).
 * @param from - folder that was packed
 * @param to - folder with the files that npm packed
 * @param fields - content of `package.json`
 * @returns the copied files, relative to the folder
 */
export async function addLeftOutFiles(
  from: string,
  to: string,
  fields: object,
): Promise<readonly string[]> {
  const named = [...MANIFESTS, ...BLOCKS.flatMap((block) => entriesOf(Reflect.get(fields, block)))];
  const added: string[] = [];
  for (const file of new Set(named)) {
    const source = resolve(from, file);
    const target = resolve(to, file);
    if (!(await isFileBelow(from, source)) || (await isFileBelow(to, target))) continue;
    await mkdir(dirname(target), { recursive: true });
    await copyFile(source, target);
    added.push(file);
  }
  return added;
}

/**
 * Describes the files that a release on npm would lack.
 * @param files - relative paths; none when npm packs everything that is needed
 */
export function leftOutFinding(files: readonly string[]): InstallFinding[] {
  if (files.length === 0) return [];
  return [
    {
      ruleId: "files-left-out",
      severity: "warn",
      file: "package.json",
      line: 1,
      message: `leaves ${files.join(", ")} out of "files"; a release on npm would lack ${files.length === 1 ? "it" : "them"}`,
    },
  ];
}

function entriesOf(block: unknown): string[] {
  if (typeof block !== "object" || block === null || !("extensions" in block)) return [];
  const { extensions } = block;
  if (!Array.isArray(extensions)) return [];
  return extensions.filter((entry) => typeof entry === "string");
}

/** Links are left out, as npm does, also links to folders on the way. */
async function isFileBelow(folder: string, path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || real !== join(await realpath(folder), relative(folder, path)))
    return false;
  return path.startsWith(folder + sep) && (await lstat(path)).isFile();
}
