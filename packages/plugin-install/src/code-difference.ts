import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { compareInventories, type FileInventory } from "./inventory.js";

/** Why a file that differs has no lines in a difference. */
export type OmissionReason = "dependency" | "binary" | "link" | "large" | "limit";

/** Lines that differ between two versions of a plugin (PLUG-561). */
export interface CodeDifference {
  /** Unified difference of the plugin's own files, at most 256 KiB. */
  readonly diff: string;
  /** Files that differ and are not in `diff`, so that nothing is left out unsaid. */
  readonly omitted: readonly { readonly file: string; readonly reason: OmissionReason }[];
}

/** Folder of one version, with the files in it. */
export interface VersionFolder {
  readonly dir: string;
  readonly files: FileInventory;
}

/** Largest file that is compared, in bytes. */
const FILE_LIMIT = 128 * 1024;
/** Most text of a difference, in UTF-16 code units, so that it fits one message of the wire. */
const DIFF_LIMIT = 256 * 1024;
/** Most changed lines of one file; the comparison takes quadratic time in them and blocks the gateway. */
const EDIT_LIMIT = 2000;
const DEPENDENCY = /^node_modules\/(?:@[^/]+\/)?[^/]+/;
/** Control characters and separators, with which a name could imitate another line of the difference. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/**
 * Compares the contents of two versions of a plugin. Dependencies are named only, since their code is that of their packages.
 * @param before - installed version
 * @param after - version that replaces it
 */
export async function codeDifference(
  before: VersionFolder,
  after: VersionFolder,
): Promise<CodeDifference> {
  const { added, changed, removed } = compareInventories(before.files, after.files);
  const names = [...added, ...changed, ...removed].sort();
  const omitted = new Map<string, OmissionReason>();
  const parts: string[] = [];
  let size = 0;
  for (const name of names) {
    const dependency = DEPENDENCY.exec(name)?.[0];
    if (dependency !== undefined) {
      omitted.set(dependency, "dependency");
      continue;
    }
    const part = await differenceOf(name, before, after);
    if ("reason" in part) omitted.set(name, part.reason);
    else if (size + part.diff.length > DIFF_LIMIT) omitted.set(name, "limit");
    else {
      parts.push(part.diff);
      size += part.diff.length;
    }
  }
  return {
    diff: parts.join(""),
    omitted: [...omitted].map(([file, reason]) => ({ file, reason })),
  };
}

async function differenceOf(
  name: string,
  before: VersionFolder,
  after: VersionFolder,
): Promise<{ diff: string } | { reason: OmissionReason }> {
  const [old, current] = [await contentOf(name, before), await contentOf(name, after)];
  if ("reason" in old) return old;
  if ("reason" in current) return current;
  const shown = UNPRINTABLE.test(name) ? JSON.stringify(name) : name;
  const header = (prefix: string, { text }: { text?: string }) =>
    text === undefined ? "/dev/null" : `${prefix}/${shown}`;
  const [from, to] = [header("a", old), header("b", current)];
  const [was = "", is = ""] = [old.text, current.text];
  const patch = createTwoFilesPatch(from, to, was, is, undefined, undefined, {
    context: 3,
    maxEditLength: EDIT_LIMIT,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  if (patch !== undefined) return { diff: patch };
  // The texts have too little in common to be compared.
  const hunk = "@@ every line is replaced @@";
  return { diff: `--- ${from}\n+++ ${to}\n${hunk}\n${signed("-", was)}${signed("+", is)}` };
}

function signed(sign: string, text: string): string {
  if (text === "") return "";
  return `${sign}${text.replace(/\n$/, "").replaceAll("\n", `\n${sign}`)}\n`;
}

async function contentOf(
  name: string,
  { dir, files }: VersionFolder,
): Promise<{ text?: string } | { reason: OmissionReason }> {
  if (!Object.hasOwn(files, name)) return {};
  const path = join(dir, name);
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return { reason: "link" };
  if (stats.size > FILE_LIMIT) return { reason: "large" };
  const bytes = await readFile(path);
  if (bytes.includes(0)) return { reason: "binary" };
  return { text: bytes.toString("utf8") };
}
