import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { EntryProblem, LoadedConfiguration } from "@openclaw/configuration";
import { type LocatedString, stringsAt } from "./named-references.js";
import type { SettingName } from "./setting-names.js";
import { dotted, isTouched } from "./unknown-names.js";

/** Place of which a key names the path. */
interface PathKind {
  /** Start of a relative path, as the end of a sentence; undefined when it has its own meaning, and is not compared. */
  readonly base?: string;
  /** True when the gateway cannot use a relative path. */
  readonly isAbsolute?: true;
  /** True when the gateway creates what does not exist. */
  readonly isCreated?: true;
  /** True for the URL of a file; other URLs are not compared. */
  readonly isUrl?: true;
  /** True for a folder, or a file of code. */
  readonly isPlugin?: true;
  /** Kind of entry that is expected; a file or a folder when absent. */
  readonly is?: "file" | "folder";
  /** True for a program, which is also found by its name. */
  readonly isProgram?: true;
}

/** Endings of files that are loaded as plugins. */
const CODE = /\.(?:[cm]?[jt]s|json)$/;
const STARTED = "starts at the folder in which the gateway was started";

/** Keys of files and folders that have to exist, because the gateway does not create them, and of those that a typing error creates. */
const PATHS: Readonly<Record<string, PathKind>> = {
  "agents.*.workspace": { isCreated: true, is: "folder" },
  "mcpServers.*.command": { isProgram: true, is: "file" },
  "mcpServers.*.cwd": { base: STARTED, is: "folder" },
  "mcpServers.*.sandbox.folders.[]": {},
  "plugins.load.paths.[]": { base: STARTED, isPlugin: true },
  "skills.folders.[]": { base: "starts at the workspace", is: "folder" },
  "store.url": { isCreated: true, is: "file", isUrl: true },
  "tools.fs.roots.[]": { isAbsolute: true },
};

/**
 * Returns the files and folders that a change names and that do not exist (GW-501). They may come later, so that each is a
 * warning. A relative path is one too, because its start is easily mistaken (GW-506).
 * @param configuration - configuration with the change
 * @param changed - paths of the change
 * @param ofSettings - names in the settings of plugins
 */
export function missingPaths(
  configuration: LoadedConfiguration,
  changed: readonly (readonly string[])[],
  ofSettings: readonly SettingName[] = [],
): readonly EntryProblem[] {
  const { value, file = "" } = configuration;
  const ofHost = Object.entries(PATHS).flatMap(([pattern, kind]) =>
    stringsAt(value, pattern.split(".")).map((named) => [named, kind] as const),
  );
  const ofPlugins = ofSettings.flatMap((named) =>
    named.kind === "path" ? [[named, { base: STARTED }] as const] : [],
  );
  return [...ofHost, ...ofPlugins].flatMap(([named, kind]): EntryProblem[] => {
    const { name, path } = named;
    if (!isTouched(dotted(path), changed) || name.includes("${")) return [];
    const found = problemOf(named, kind, configuration);
    return found === undefined
      ? []
      : [
          {
            ...{ key: dotted(path), severity: "warning", ...found },
            ...(configuration.locate(path) ?? { file, line: 1, column: 1 }),
          },
        ];
  });
}

type Found = Pick<EntryProblem, "message"> & Partial<Pick<EntryProblem, "suggestion" | "severity">>;

function problemOf(
  { name: written, path }: LocatedString,
  kind: PathKind,
  configuration: LoadedConfiguration,
): Found | undefined {
  if (kind.isUrl === true && !written.startsWith("file:")) return undefined;
  const name = kind.isUrl === true ? written.slice("file:".length) : written;
  const place = name.startsWith("~/") ? join(homedir(), name.slice(2)) : name;
  if (kind.isAbsolute && !isAbsolute(name)) {
    const message = `${name} is not an absolute path`;
    return { message, suggestion: "write the whole path", severity: "error" };
  }
  if (!isAbsolute(place)) {
    if (kind.isProgram === true) return missingProgram(name, cwdOf(path, configuration));
    return kind.base === undefined
      ? undefined
      : { message: `${name} ${kind.base}`, suggestion: "write the whole path" };
  }
  const found = statSync(place, { throwIfNoEntry: false });
  if (found !== undefined) {
    if (kind.isPlugin === true && !found.isDirectory() && !CODE.test(name)) {
      const message = `${name} is not a plugin; expected a folder, or a file of code such as index.ts`;
      return { message, suggestion: "correct the path", severity: "error" };
    }
    if (kind.is === undefined || (kind.is === "file") !== found.isDirectory()) return undefined;
    const [is, expected] = kind.is === "file" ? ["folder", "a file"] : ["file", "a folder"];
    const message = `${name} is a ${is}; expected ${expected}`;
    return { message, suggestion: "correct the path", severity: "error" };
  }
  return kind.isCreated === true
    ? {
        message: `${name} does not exist, and is created`,
        suggestion: "correct it if it is a mistake",
      }
    : { message: `${name} does not exist`, suggestion: "create it, or correct the path" };
}

/** Returns the folder of a server of MCP; undefined when it is the workspace. */
function cwdOf(path: LocatedString["path"], { value }: LoadedConfiguration): string | undefined {
  return value.mcpServers?.[String(path[1])]?.cwd;
}

/** A program with a folder in its name is found from the folder of the server. */
function missingProgram(name: string, cwd: string | undefined): Found | undefined {
  if (/[\\/]/.test(name)) {
    if (cwd === undefined || !isAbsolute(cwd)) {
      const message = `${name} starts at the folder of the server, which is the workspace unless it has a cwd`;
      return { message, suggestion: "write the whole path" };
    }
    return existsSync(join(cwd, name))
      ? undefined
      : {
          message: `${join(cwd, name)} does not exist`,
          suggestion: "install it, or correct the path",
        };
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  const isFound = folders.some((folder) =>
    endings.some((ending) => existsSync(join(folder, `${name}${ending}`))),
  );
  return isFound
    ? undefined
    : {
        message: `no program "${name}" was found`,
        suggestion: "install it, or write its whole path",
      };
}
