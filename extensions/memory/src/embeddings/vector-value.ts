import type { SqlValue } from "@openclaw/plugin-sdk/store";
import type { MemoryDatabase } from "../database/memory-database.js";

/**
 * Returns a vector as a parameter of a statement.
 * @param database - the memory's database
 */
export function vectorValue(
  { vectors }: Pick<MemoryDatabase, "vectors">,
  vector: ArrayLike<number>,
): SqlValue {
  if (vectors.extension === "pgvector") return `[${Array.from(vector).join(",")}]`;
  const numbers = vector instanceof Float32Array ? vector : Float32Array.from(vector);
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/**
 * Returns the expression for a parameter that is a vector.
 * @param database - the memory's database
 * @param number - number of the parameter
 */
export function vectorParameter(
  { vectors, dialect }: Pick<MemoryDatabase, "vectors" | "dialect">,
  number: number,
): string {
  if (vectors.extension === "pgvector") return `$${number}::${quoted(vectors.schema)}.vector`;
  return blobParameter({ dialect }, number);
}

/**
 * Returns the expression for the cosine distance of a stored vector to a parameter.
 * @param database - a database with vector functions
 * @param number - number of the parameter
 */
export function distanceTo(
  database: Pick<MemoryDatabase, "vectors" | "dialect">,
  number: number,
): string {
  const { vectors } = database;
  if (vectors.extension === "pgvector") {
    return `(v.vector operator(${quoted(vectors.schema)}.<=>) ${vectorParameter(database, number)})`;
  }
  const distance = vectors.extension === "libsql" ? "vector_distance_cos" : "vec_distance_cosine";
  // A zero vector has no direction: its distance is null, which would come first.
  return `coalesce(${distance}(v.vector, $${number}), 1)`;
}

/**
 * Returns the type of a column of vectors.
 * @param database - the memory's database
 * @param dimension - length of the vectors
 */
export function vectorType({ vectors, dialect }: MemoryDatabase, dimension: number): string {
  if (vectors.extension === "pgvector") return `${quoted(vectors.schema)}.vector(${dimension})`;
  if (vectors.extension === "libsql") return `f32_blob(${dimension})`;
  return dialect === "sqlite" ? "blob" : "bytea";
}

/**
 * Returns the expression for a parameter that is a string of bytes.
 * @param database - the memory's database
 * @param number - number of the parameter
 */
export function blobParameter(
  { dialect }: Pick<MemoryDatabase, "dialect">,
  number: number,
): string {
  return dialect === "sqlite" ? `$${number}` : `$${number}::bytea`;
}

/**
 * Returns a vector that is stored as bytes.
 * @param bytes - value of the column
 */
export function storedVector(bytes: Uint8Array): Float32Array {
  // The bytes may begin anywhere in a larger buffer.
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

/**
 * Returns a vector of pgvector as bytes.
 * @param text - value of the column as text, `[1,2,…]`
 */
export function vectorOfText(text: string): Uint8Array {
  const numbers = Float32Array.from(text.slice(1, -1).split(","), Number);
  return new Uint8Array(numbers.buffer);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
