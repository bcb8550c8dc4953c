import { delimiter, isAbsolute } from "node:path";
import { realPathOf } from "../../files/real-path.js";
import type { WorkspacePaths } from "../../files/workspace-paths.js";

/**
 * Variables that change the behaviour of a program, in addition to those that no child process gets.
 */
const STEERING =
  /^(?:IFS|CDPATH|GLOBIGNORE|POSIXLY_CORRECT|EDITOR|VISUAL|BROWSER|RUBYOPT|RUBYLIB|MAGIC|MAKEFLAGS|MFLAGS)$|^(?:GIT|BASH|GREP|RIPGREP|LESS|PYTHON|PERL|NODE|LUA)(?:_|[A-Z0-9])|(?:^|_)(?:PAGER|OPTIONS|OPTS|CONFIG|CONFIG_PATH)$/i;

/**
 * Returns the environment of programs that run as parsed: without variables that steer them, and with a
 * `PATH` of folders that the agent's tools cannot write (APPR-038, APPR-040).
 * @param environment - environment of the call
 * @param paths - the folders that tools can write
 */
export async function trustedEnvironment(
  environment: Readonly<Record<string, string>>,
  paths: WorkspacePaths,
): Promise<Record<string, string>> {
  const kept = Object.entries(environment).filter(([name]) => !STEERING.test(name));
  const folders: string[] = [];
  for (const folder of (environment.PATH ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    if (!(await paths.isInside(await realPathOf(folder)))) folders.push(folder);
  }
  return { ...Object.fromEntries(kept), PATH: folders.join(delimiter) };
}
