import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { DocumentWrite } from "../documents/documents.js";
import { normaliseFolder, normalisePath } from "../documents/path.js";
import { ImportFailedError } from "../errors.js";
import type { Memory } from "../memory.js";
import type { Owner } from "../owner.js";
import { walkFolder } from "./folder-walk.js";
import { type ExportManifest, MANIFEST_FILE, parseManifest } from "./manifest.js";
import { readTextFile } from "./text-file.js";

/** Documents of one transaction: few enough that searches need not wait for long. */
const BATCH_DOCUMENTS = 50;
const BATCH_CHARACTERS = 200_000;

/** Result of an import. */
export interface ImportReport {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Files that did not become documents, with the reason. */
  readonly skipped: readonly { readonly file: string; readonly problem: string }[];
}

/** Options of {@link importFolder}. */
export interface ImportOptions {
  /** Folder of the memory that receives the documents; the root when absent. */
  readonly target?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True notes for each document the file that it came from. */
  readonly linkFiles?: boolean | undefined;
  /**
   * Called after each transaction.
   * @param files - number of files so far
   */
  readonly onProgress?: ((files: number) => void) | undefined;
}

type Stores = Pick<Memory, "documents" | "connections" | "spaces" | "profiles">;

/**
 * Imports a folder of Markdown and text files, or an export. Files are committed in small groups, so that an interrupted
 * import continues where it stopped when it is repeated: what is stored already is unchanged.
 * @param memory - receives the documents
 * @param owner - user and agent
 * @param folder - path on disk
 * @param options - target and progress
 * @throws ImportFailedError when the folder cannot be read, or its manifest is invalid
 */
export async function importFolder(
  memory: Stores,
  owner: Owner,
  folder: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { target = "", signal, onProgress, linkFiles = false } = options;
  const prefix = normaliseFolder(target, "target");
  await requireFolder(folder);
  const manifest = await readManifest(folder);
  const known = new Map(manifest?.documents.map((document) => [document.file, document]));
  const counts = { created: 0, changed: 0, unchanged: 0 };
  const skipped: { file: string; problem: string }[] = [];
  let batch: DocumentWrite[] = [];
  let characters = 0;
  let files = 0;
  const commit = async () => {
    for (const { created, changed } of await memory.documents.writeAll(owner, batch)) {
      counts[created ? "created" : changed ? "changed" : "unchanged"] += 1;
    }
    batch = [];
    characters = 0;
    onProgress?.(files);
  };
  for await (const file of filesOf(folder, manifest)) {
    signal?.throwIfAborted();
    files += 1;
    const found = await readTextFile(join(folder, file));
    if ("problem" in found) {
      skipped.push({ file, problem: found.problem });
      continue;
    }
    const { file: _file, ...metadata } = known.get(file) ?? { file };
    const sourceUrl = linkFiles ? pathToFileURL(join(folder, file)).href : undefined;
    const path = "path" in metadata ? metadata.path : file;
    try {
      const whole = normalisePath(prefix === "" ? path : `${prefix}/${path}`);
      batch.push({ sourceUrl, ...metadata, path: whole, content: found.text });
    } catch (error) {
      skipped.push({ file, problem: errorMessage(error) });
      continue;
    }
    characters += found.text.length;
    if (batch.length >= BATCH_DOCUMENTS || characters >= BATCH_CHARACTERS) await commit();
  }
  if (batch.length > 0) await commit();
  if (manifest !== undefined) await importOrganisation(memory, owner, manifest, prefix);
  return { ...counts, skipped };
}

async function* filesOf(folder: string, manifest: ExportManifest | undefined) {
  const listed = new Set(manifest?.documents.map(({ file }) => file));
  // A file with another ending is a document when the export says so.
  for (const file of listed) if (isInside(file)) yield file;
  for await (const file of walkFolder(folder)) if (!listed.has(file)) yield file;
}

/** A manifest may have been edited; nothing outside of its folder is read. */
function isInside(file: string): boolean {
  return !file.split("/").includes("..") && !file.startsWith("/") && !file.includes("\\");
}

async function importOrganisation(
  { connections, spaces, profiles }: Stores,
  owner: Owner,
  manifest: ExportManifest,
  prefix: string,
): Promise<void> {
  const placed = (path: string) => (prefix === "" ? path : `${prefix}/${path}`);
  for (const { sourcePath, targetPath, type, strength } of manifest.connections) {
    await connections.create(owner, {
      sourcePath: placed(sourcePath),
      targetPath: placed(targetPath),
      type,
      strength,
    });
  }
  const existing = new Set((await spaces.list(owner)).map(({ name }) => name));
  for (const { name, description, documents } of manifest.spaces) {
    if (!existing.has(name)) await spaces.create(owner, name, description);
    for (const path of documents) {
      await spaces.change(owner, { name, path: placed(path), isIn: true });
    }
  }
  for (const fact of manifest.facts) await profiles.set(owner.user, fact);
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((cause: unknown) => {
    throw new ImportFailedError(folder, "the folder does not exist or cannot be read", { cause });
  });
  if (!found.isDirectory()) {
    throw new ImportFailedError(folder, "expected a folder of Markdown files, got a file");
  }
}

async function readManifest(folder: string): Promise<ExportManifest | undefined> {
  const file = join(folder, MANIFEST_FILE);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new ImportFailedError(file, "it cannot be read", { cause: error });
  });
  return text === undefined ? undefined : parseManifest(file, text);
}
