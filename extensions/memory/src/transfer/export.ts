import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import { ImportFailedError } from "../errors.js";
import type { Memory } from "../memory.js";
import type { Owner } from "../owner.js";
import { type ExportedDocument, type ExportManifest, MANIFEST_FILE } from "./manifest.js";

/** Longest name of a file that every file system has, in bytes. */
const LONGEST_NAME = 200;

/** Result of an export. */
export interface ExportReport {
  readonly folder: string;
  readonly documents: number;
}

/**
 * Writes the memory of an owner to an empty folder: a file with exactly its text for each document, and a manifest with
 * metadata, connections, spaces and facts. An import of the folder restores the same memory.
 * @param owner - user and agent
 * @param folder - path on disk; created when it does not exist
 * @throws ImportFailedError when the folder is not empty
 */
export async function exportMemory(
  memory: Pick<Memory, "documents" | "connections" | "spaces" | "profiles">,
  owner: Owner,
  folder: string,
): Promise<ExportReport> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    throw new ImportFailedError(folder, "an export needs an empty folder; name another one");
  }
  const { documents, connections, spaces, profiles } = memory;
  const listed = await documents.list(owner);
  const files = fileNames(listed.map(({ path }) => path));
  const exported: ExportedDocument[] = [];
  for (const { path } of listed) {
    const document = await documents.find(owner, path);
    const file = files.get(path);
    // Removed since the list was read.
    if (document === undefined || file === undefined) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), document.content, { mode: 0o600 });
    const { sourceUrl, eventDate, importance, tags, createdAt, updatedAt } = document;
    exported.push({
      ...{ file, path, importance, tags: [...tags], createdAt, updatedAt },
      ...defined({ sourceUrl, eventDate }),
    });
  }
  const manifest: ExportManifest = {
    version: 1,
    documents: exported,
    connections: (await connections.list(owner)).map(({ id: _id, ...connection }) => connection),
    spaces: await Promise.all(
      (await spaces.list(owner)).map(async ({ name, description }) => ({
        name,
        description,
        documents: await spaces.contents(owner, name),
      })),
    ),
    facts: (await profiles.list(owner.user)).map(({ updatedAt: _time, ...fact }) => fact),
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(join(folder, MANIFEST_FILE), text, { mode: 0o600 });
  return { folder, documents: exported.length };
}

/** A file has the path of its document, unless the file system could not have both files of two documents. */
function fileNames(paths: readonly string[]): Map<string, string> {
  const folders = new Set(paths.flatMap(parentsOf).map((folder) => folder.toLowerCase()));
  const taken = new Set<string>([MANIFEST_FILE]);
  const names = new Map<string, string>();
  for (const [index, path] of paths.entries()) {
    const key = path.toLowerCase();
    const isLong = path.split("/").some((part) => Buffer.byteLength(part) > LONGEST_NAME);
    const isTaken = taken.has(key) || folders.has(key) || path.startsWith(".");
    const name = isLong || isTaken ? `documents/document-${index + 1}.md` : path;
    taken.add(name.toLowerCase());
    names.set(path, name);
  }
  return names;
}

function parentsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}
