import { execFile } from "node:child_process";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const RUNNER = fileURLToPath(new URL("run-spellings.mjs", import.meta.url));

/** Number of values of each entry point, and names of values that differ between the spellings. */
export type Spellings = Readonly<
  Record<string, { readonly count: number; readonly different: readonly string[] }>
>;

/**
 * Compares the spellings of the SDK in packages that are packed and unpacked, as npm would install them.
 * @param folder - an empty folder, far from the repository
 */
export async function comparePacked(folder: string): Promise<Spellings> {
  await unpack("packages/plugin-sdk", join(folder, "node_modules/@openclaw/plugin-sdk"));
  await unpack("apps/gateway", join(folder, "node_modules/openclaw"));
  const { stdout } = await run(process.execPath, [RUNNER, folder]);
  return JSON.parse(stdout);
}

async function unpack(source: string, target: string): Promise<void> {
  const place = join(target, "..", ".unpacked");
  await mkdir(place, { recursive: true });
  const { stdout } = await run("pnpm", ["pack", "--json", "--pack-destination", place], {
    cwd: join(ROOT, source),
  });
  const { filename } = JSON.parse(stdout) as { filename: string };
  await run("tar", ["-xzf", filename, "-C", place]);
  await rename(join(place, "package"), target);
}
