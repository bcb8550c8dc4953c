import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { EntryProblem, LoadedConfiguration } from "@openclaw/configuration";
import { type LocatedString, stringsAt } from "./named-references.js";
import { dotted, isTouched } from "./unknown-names.js";

/** Place of which a key names the path. */
interface PathKind {
  /** Start of a relative path, as the end of a sentence; undefined when it has its own meaning, and is not compared. */
  readonly base?: string;
  /** True when the gateway cannot use a relative path. */
  readonly isAbsolute?: true;
  /** True when the gateway creates what does not exist. */
  readonly isCreated?: true;
  /** True for a program, which is also found by its name. */
  readonly isProgram?: true;
}

const STARTED = "starts at the folder in which the gateway was started";

/** Keys of files and folders that have to exist, because the gateway does not create them, and of those that a typing error creates. */
const PATHS: Readonly<Record<string, PathKind>> = {
  "agents.*.workspace": { isCreated: true },
  "mcpServers.*.command": { isProgram: true },
  "mcpServers.*.cwd": { base: STARTED },
  "mcpServers.*.sandbox.folders.[]": {},
  "plugins.load.paths.[]": { base: STARTED },
  "skills.folders.[]": { base: "starts at the workspace" },
  "tools.fs.roots.[]": { isAbsolute: true },
};

/**
 * Returns the files and folders that a change names and that do not exist (GW-501). They may come later, so that each is a
 * warning. A relative path is one too, because its start is easily mistaken (GW-506).
 * @param configuration - configuration with the change
 * @param changed - paths of the change
 */
export function missingPaths(
  configuration: LoadedConfiguration,
  changed: readonly (readonly string[])[],
): readonly EntryProblem[] {
  const { value, file = "" } = configuration;
  return Object.entries(PATHS).flatMap(([pattern, kind]) =>
    stringsAt(value, pattern.split(".")).flatMap((named): EntryProblem[] => {
      const { name, path } = named;
      if (!isTouched(dotted(path), changed) || name.includes("${")) return [];
      const found = problemOf(named, kind);
      return found === undefined
        ? []
        : [
            {
              ...{ key: dotted(path), severity: "warning", ...found },
              ...(configuration.locate(path) ?? { file, line: 1, column: 1 }),
            },
          ];
    }),
  );
}

type Found = Pick<EntryProblem, "message"> & Partial<Pick<EntryProblem, "suggestion" | "severity">>;

function problemOf({ name }: LocatedString, kind: PathKind): Found | undefined {
  const place = name.startsWith("~/") ? join(homedir(), name.slice(2)) : name;
  if (kind.isAbsolute && !isAbsolute(name)) {
    const message = `${name} is not an absolute path`;
    return { message, suggestion: "write the whole path", severity: "error" };
  }
  if (!isAbsolute(place)) {
    if (kind.isProgram === true) return missingProgram(name);
    return kind.base === undefined
      ? undefined
      : { message: `${name} ${kind.base}`, suggestion: "write the whole path" };
  }
  if (existsSync(place)) return undefined;
  return kind.isCreated === true
    ? {
        message: `${name} does not exist, and is created`,
        suggestion: "correct it if it is a mistake",
      }
    : { message: `${name} does not exist`, suggestion: "create it, or correct the path" };
}

/** A program with a folder in its name is found from the folder of the server. */
function missingProgram(name: string): Found | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  const isFound = folders.some((folder) =>
    endings.some((ending) => existsSync(join(folder, `${name}${ending}`))),
  );
  return isFound || /[\\/]/.test(name)
    ? undefined
    : {
        message: `no program "${name}" was found`,
        suggestion: "install it, or write its whole path",
      };
}
