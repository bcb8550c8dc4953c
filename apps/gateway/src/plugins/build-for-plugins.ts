import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/**
 * Builds packages of the checkout that a plugin imports, with their types, unless they are built already: `start` builds
 * only what the gateway loads (SDK-340). The script shows one line of progress, or the output of a failed build.
 * @param checkout - root of the checkout
 * @param names - packages; those of other projects are ignored
 * @returns true when everything is built
 */
export async function buildForPlugins(checkout: string, names: Iterable<string>): Promise<boolean> {
  const script = join(checkout, "scripts/build-for-plugins.mjs");
  const build = spawn(process.execPath, [script, ...names], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [exitCode] = await once(build, "close");
  return exitCode === 0;
}
