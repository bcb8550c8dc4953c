import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "./command.mjs";

/**
 * Returns the shell commands of the quick start.
 * @param root - the workspace
 * @param form - `checkout` or `installed`
 * @returns the lines in the order of the page
 */
export function quickStartCommands(root, form) {
  const page = readFileSync(join(root, "docs/quick-start.md"), "utf8");
  const fences = page.matchAll(/^```sh (\w+)\n([\s\S]*?)^```$/gm);
  return [...fences].flatMap(([, about, code]) => (about === form ? code.trim().split("\n") : []));
}

/**
 * Runs each command of the quick start with an installed `openclaw`, as a reader would.
 * @param root - the workspace
 * @param folder - an empty folder
 * @param environment - with a registry that has this release
 */
export async function rehearseQuickStart(root, folder, environment) {
  const commands = quickStartCommands(root, "installed");
  const prefix = join(folder, "global");
  mkdirSync(prefix);
  const plugin = join(folder, "search-guard");
  cpSync(join(root, "docs/examples/search-guard"), plugin, { recursive: true });
  await run(["sh", "-e", "-c", commands.join("\n")], {
    cwd: folder,
    environment: {
      ...environment,
      npm_config_prefix: prefix,
      PATH: [join(prefix, "bin"), environment.PATH].join(delimiter),
      OPENCLAW_STATE_DIR: join(folder, "state"),
    },
  });
}
