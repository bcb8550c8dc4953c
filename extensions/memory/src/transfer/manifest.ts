import type { DocumentMetadata } from "../documents/document.js";
import { ImportFailedError } from "../errors.js";
import type { Connection } from "../organisation/connections.js";
import type { Fact } from "../organisation/profile.js";

/** Name of the file of an export with everything that is not the text of a document. */
export const MANIFEST_FILE = "memory-export.json";
const VERSION = 1;

/** A document of an export. */
export interface ExportedDocument extends DocumentMetadata {
  /** Path of its file in the export. */
  readonly file: string;
  readonly path: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Contents of {@link MANIFEST_FILE}. */
export interface ExportManifest {
  readonly version: typeof VERSION;
  readonly documents: readonly ExportedDocument[];
  readonly connections: readonly Omit<Connection, "id">[];
  readonly spaces: readonly {
    readonly name: string;
    readonly description: string;
    readonly documents: readonly string[];
  }[];
  readonly facts: readonly Omit<Fact, "updatedAt">[];
}

/**
 * Reads the manifest of an export.
 * @param file - path of the file, for errors
 * @param text - its content
 * @throws ImportFailedError when it is not a manifest of this version
 */
export function parseManifest(file: string, text: string): ExportManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ImportFailedError(file, "expected JSON", { cause });
  }
  const { version, documents, connections, spaces, facts } = (value ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const lists = [documents, connections, spaces, facts];
  if (version !== VERSION || !lists.every(Array.isArray)) {
    throw new ImportFailedError(
      file,
      `expected an export of version ${VERSION}; export the memory again, or delete this file to import the documents alone`,
    );
  }
  return value as ExportManifest;
}
