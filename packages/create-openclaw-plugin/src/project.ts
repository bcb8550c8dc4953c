import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { withCheckoutLinks } from "./checkout-links.js";
import { FilesInTheWayError, ProjectNotWrittenError } from "./errors.js";
import type { PluginKind, PluginLanguage } from "./plugin-kind.js";
import { pluginNames } from "./plugin-names.js";
import { readPublishNames } from "./publish-names.js";
import { fillTemplate } from "./template.js";

/** Folder, id, kind and language of a new plugin. */
export interface PluginProject {
  readonly folder: string;
  readonly id: string;
  readonly kind: PluginKind;
  readonly language: PluginLanguage;
  /** Root of a checkout to link the packages of OpenClaw to; without it the plugin installs them from its registry. */
  readonly checkout?: string | undefined;
}

/** Created project. */
export interface CreatedProject {
  /** Absolute path. */
  readonly folder: string;
  /** Relative paths. */
  readonly files: readonly string[];
}

/** Versions of a new plugin's dependencies, with which this package was tested. */
const VERSIONS = fileURLToPath(new URL("../templates/versions.json", import.meta.url));

/**
 * Writes a new plugin: manifest, entry, a test that passes, and what a repository of it needs. It
 * overwrites nothing: when one of its files is there already, none is written.
 * @param project - folder, id, kind and language
 * @throws PluginIdInvalidError, FilesInTheWayError, ProjectNotWrittenError
 */
export function createProject({
  folder,
  id,
  kind,
  language,
  checkout,
}: PluginProject): CreatedProject {
  const target = resolve(folder);
  const names = pluginNames(id);
  const versions = JSON.parse(readFileSync(VERSIONS, "utf8")) as Record<string, string>;
  const ending = language === "typescript" ? "ts" : "js";
  const registry = readPublishNames();
  const values: Record<string, string> = { ...names, ending };
  for (const [key, version] of Object.entries(versions)) {
    values[`version:${key}`] = version;
    values[`dependency:${key}`] = registry.dependency(key, `^${version}`);
  }
  const published = fillTemplate(["common", kind], language, values);
  const files = checkout === undefined ? published : withCheckoutLinks(published, target, checkout);
  return writeProject(target, files);
}

/**
 * Writes the files of a new project; when one of them is there already, none is written.
 * @param target - absolute path
 * @param files - contents by relative path
 * @throws FilesInTheWayError, ProjectNotWrittenError
 */
export function writeProject(target: string, files: ReadonlyMap<string, string>): CreatedProject {
  try {
    const inTheWay = [...files.keys()].filter((file) => isThere(join(target, file)));
    if (inTheWay.length > 0) throw new FilesInTheWayError(target, inTheWay);
    for (const [file, content] of files) {
      const path = join(target, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content, { flag: "wx" });
    }
  } catch (error) {
    if (FilesInTheWayError.isInstance(error)) throw error;
    throw new ProjectNotWrittenError(target, error);
  }
  return { folder: target, files: [...files.keys()].sort() };
}

/** Returns true when the path exists, including a broken link. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
