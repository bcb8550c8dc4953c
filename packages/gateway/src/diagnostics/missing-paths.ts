import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { EntryProblem, LoadedConfiguration } from "@openclaw/configuration";
import { stringsAt } from "./named-references.js";
import { dotted, isTouched } from "./unknown-names.js";

/** Keys of files and folders that have to exist, because the gateway does not create them. */
const PATHS = [
  "mcpServers.*.command",
  "mcpServers.*.cwd",
  "mcpServers.*.sandbox.folders.[]",
  "plugins.load.paths.[]",
  "skills.folders.[]",
  "tools.fs.roots.[]",
];

/**
 * Returns the files and folders that a change names and that do not exist (GW-501). They may come later, so that each is a
 * warning. A relative path, whose base differs from key to key, is left to its user.
 * @param configuration - configuration with the change
 * @param changed - paths of the change
 */
export function missingPaths(
  configuration: LoadedConfiguration,
  changed: readonly (readonly string[])[],
): readonly EntryProblem[] {
  const { value, file = "" } = configuration;
  return PATHS.flatMap((pattern) => stringsAt(value, pattern.split("."))).flatMap(
    ({ name, path }): EntryProblem[] => {
      const place = name.startsWith("~/") ? join(homedir(), name.slice(2)) : name;
      if (!isTouched(dotted(path), changed) || !isAbsolute(place) || existsSync(place)) return [];
      return [
        {
          ...{ key: dotted(path), message: `${name} does not exist`, severity: "warning" },
          suggestion: "create it, or correct the path",
          ...(configuration.locate(path) ?? { file, line: 1, column: 1 }),
        },
      ];
    },
  );
}
