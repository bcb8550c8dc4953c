import { cpSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { quickStartCommands } from "../../apps/e2e/src/documentation/quick-start.ts";
import { run } from "./command.mjs";

/**
 * Runs each command of the quick start with an installed `openclaw`, as a reader would.
 * @param root - the workspace
 * @param folder - an empty folder
 * @param environment - with a registry that has this release
 * @param names - names of the packages in the registry
 */
export async function rehearseQuickStart(root, folder, environment, names) {
  const commands = quickStartCommands(root, "installed").map((line) => names.commandsIn(line));
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
