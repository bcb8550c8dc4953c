import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import { isInside, realPath } from "../files/path.js";
import type { BundleFile } from "./bundle.js";

/** Largest file of settings of a bundle, in bytes. */
const LARGEST_FILE = 256 * 1024;
/** Maximum number of commands or agents. */
const MOST_FILES = 500;
/** Maximum depth of folders of commands. */
const DEEPEST = 4;

/** Text of a file that cannot be used, as a part of a sentence after its path. */
export interface FileProblem {
  readonly problem: string;
}

/**
 * Returns the absolute path of a file or folder of a bundle; undefined when it does not exist or is outside the bundle,
 * also through a link.
 * @param root - real path of the bundle
 * @param path - path relative to it
 */
export function pathIn(root: string, path: string): string | undefined {
  const found = realPath(resolve(root, path));
  return found !== undefined && isInside(found, root) ? found : undefined;
}

/**
 * Reads a JSON file of a bundle or a marketplace.
 * @param path - absolute path
 * @param largest - maximum size in bytes
 * @returns the value, or a problem
 */
export function readJson(
  path: string,
  largest = LARGEST_FILE,
): { readonly value: unknown } | FileProblem {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: "is not a file" };
    if (stats.size > largest) {
      return { problem: `has ${stats.size} bytes; at most ${largest} are read` };
    }
    return { value: JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, "")) };
  } catch (error) {
    return { problem: `is not valid JSON: ${errorMessage(error)}` };
  }
}

/**
 * Finds the files of commands or agents below a folder; links are not followed.
 * @param folder - absolute path of a folder or of one file
 * @param ending - for example `.md`
 */
export function filesBelow(folder: string, ending: string): readonly BundleFile[] {
  const found: BundleFile[] = [];
  const visit = (place: string, depth: number): void => {
    for (const entry of entriesOf(place)) {
      const path = join(place, entry.name);
      if (entry.isDirectory() && depth < DEEPEST) visit(path, depth + 1);
      if (!entry.isFile() || !entry.name.endsWith(ending) || found.length >= MOST_FILES) continue;
      found.push({ name: nameOf(relative(folder, path), ending), path });
    }
  };
  if (lstatSync(folder).isFile()) {
    const name = folder.slice(folder.lastIndexOf(sep) + 1);
    return name.endsWith(ending) ? [{ name: nameOf(name, ending), path: folder }] : [];
  }
  visit(folder, 1);
  return found;
}

/**
 * Returns the names of the folders in a folder that have a `SKILL.md`.
 * @param folder - absolute path
 */
export function skillsIn(folder: string): readonly string[] {
  return entriesOf(folder).flatMap((entry) =>
    entry.isDirectory() && isFile(join(folder, entry.name, "SKILL.md")) ? entry.name : [],
  );
}

/** @param path - absolute path */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** @param path - absolute path */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith("."))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}

function nameOf(path: string, ending: string): string {
  return path
    .slice(0, -ending.length)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-");
}

/** Returns the fields of an object; none of any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** Returns a string, or the strings of a list. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
