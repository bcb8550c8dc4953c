import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { ImportFailedError } from "../errors.js";
import { CONNECTION_TYPES } from "../organisation/connections.js";
import { FACT_TYPES } from "../organisation/profile.js";

/** Name of the file of an export with everything that is not the text of a document. */
export const MANIFEST_FILE = "memory-export.json";
const VERSION = 1;
const MAXIMUM_PROBLEMS = 3;

const exportedDocument = Type.Object({
  /** Path of its file in the export. */
  file: Type.String({ minLength: 1 }),
  path: Type.String({ minLength: 1 }),
  sourceUrl: Type.Optional(Type.String()),
  eventDate: Type.Optional(Type.String()),
  importance: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  tags: Type.Optional(Type.Array(Type.String())),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

const exportManifest = Type.Object({
  version: Type.Literal(VERSION),
  documents: Type.Array(exportedDocument),
  connections: Type.Array(
    Type.Object({
      sourcePath: Type.String(),
      targetPath: Type.String(),
      type: Type.Enum([...CONNECTION_TYPES]),
      strength: Type.Number({ minimum: 0, maximum: 1 }),
    }),
  ),
  spaces: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      documents: Type.Array(Type.String()),
    }),
  ),
  facts: Type.Array(
    Type.Object({
      key: Type.String(),
      value: Type.String(),
      type: Type.Enum([...FACT_TYPES]),
      confidence: Type.Number({ minimum: 0, maximum: 1 }),
      source: Type.String(),
    }),
  ),
});

/** A document of an export. */
export type ExportedDocument = Static<typeof exportedDocument>;

/** Contents of {@link MANIFEST_FILE}. */
export type ExportManifest = Static<typeof exportManifest>;

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
  if (Value.Check(exportManifest, value)) return value;
  const problems = Value.Errors(exportManifest, value)
    .slice(0, MAXIMUM_PROBLEMS)
    .map(({ instancePath, message }) => `${instancePath === "" ? "it" : instancePath} ${message}`);
  throw new ImportFailedError(
    file,
    `expected an export of version ${VERSION}, but ${problems.join(", ")}; export the memory again, or delete this file to import the documents alone`,
  );
}
