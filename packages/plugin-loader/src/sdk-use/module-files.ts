import { existsSync, statSync } from "node:fs";
import { sep } from "node:path";

const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];

/**
 * Finds the file of a plugin that a relative import means, in the forms that bundlers and TypeScript accept.
 * @param path - absolute path without regard to its ending
 * @param rootDir - absolute path of the plugin's folder
 * @returns undefined for a file that does not exist, is not a module in JavaScript or TypeScript, or is not the plugin's
 */
export function moduleFileAt(path: string, rootDir: string): string | undefined {
  if (!path.startsWith(rootDir + sep) || path.includes(`${sep}node_modules${sep}`))
    return undefined;
  const candidates = [
    ...ENDINGS.map((ending) => path + ending),
    path.replace(/\.([cm]?)js$/, ".$1ts"),
    ...ENDINGS.slice(1).map((ending) => `${path}${sep}index${ending}`),
  ];
  return candidates.find(
    (file) => /\.[cm]?[jt]s$/.test(file) && existsSync(file) && statSync(file).isFile(),
  );
}
