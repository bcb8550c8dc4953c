import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporary-folder.js";

/** Returns true when this process may mount files, as root in most containers of a build may. */
export function canBindMount(): boolean {
  using folder = temporaryFolder("mount");
  const [source, target] = [join(folder.path, "source"), join(folder.path, "target")];
  for (const file of [source, target]) writeFileSync(file, "");
  if (spawnSync("mount", ["--bind", source, target]).status !== 0) return false;
  spawnSync("umount", [target]);
  return true;
}

/**
 * Mounts a file or folder onto another until the end of a scope, as containers do.
 * @param source - file or folder that is mounted
 * @param target - existing file or folder that it covers
 * @param options - `isReadOnly` for a mount without write access
 */
export function bindMount(
  source: string,
  target: string,
  { isReadOnly = false }: { isReadOnly?: boolean } = {},
): Disposable {
  run("mount", ["--bind", source, target]);
  if (isReadOnly) run("mount", ["-o", "remount,bind,ro", target]);
  return { [Symbol.dispose]: () => run("umount", [target]) };
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stderr}`);
}
