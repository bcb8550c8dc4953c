import type { MemoryDatabase } from "../database/memory-database.js";
import type { DocumentSummary, MemoryDocument } from "./document.js";

/** Columns of a document as they are selected. */
interface DocumentRow {
  readonly id: string;
  readonly path: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly source_url: string | null;
  readonly event_date: string | null;
  readonly importance: number;
  readonly access_count: number;
  readonly last_accessed_at: string | null;
  readonly tags: string;
}

/** A row with the content of a document. */
export type ContentRow = DocumentRow & { readonly content: string; readonly hash: string };
/** A row with the size of a document. */
export type SummaryRow = DocumentRow & { readonly bytes: number };

/**
 * Returns the columns to select for a document without its content.
 * @param database - the memory's database
 * @param alias - alias of the table of documents
 */
export function documentColumns(
  database: Pick<MemoryDatabase, "time" | "dialect">,
  alias: string,
): string {
  const time = (column: string) => `${database.time(`${alias}.${column}`)} as ${column}`;
  const tags = database.dialect === "sqlite" ? `${alias}.tags` : `${alias}.tags::text`;
  return [
    ...["id", "path", "source_url", "event_date", "importance", "access_count"].map(
      (column) => `${alias}.${column}`,
    ),
    ...["created_at", "updated_at", "last_accessed_at"].map(time),
    `${tags} as tags`,
  ].join(", ");
}

/**
 * Returns the expression for the number of bytes of a document.
 * @param database - the memory's database
 * @param alias - alias of the table of documents
 */
export function bytesColumn({ dialect }: Pick<MemoryDatabase, "dialect">, alias: string): string {
  return dialect === "sqlite"
    ? `length(cast(${alias}.content as blob)) as bytes`
    : `octet_length(${alias}.content) as bytes`;
}

/** @param row - row with {@link documentColumns} and the content */
export function documentOf(row: ContentRow): MemoryDocument {
  return { ...fieldsOf(row), content: row.content };
}

/** @param row - row with {@link documentColumns} and {@link bytesColumn} */
export function summaryOf(row: SummaryRow): DocumentSummary {
  return { ...fieldsOf(row), bytes: row.bytes };
}

function fieldsOf(row: DocumentRow): Omit<MemoryDocument, "content"> {
  return {
    id: row.id,
    path: row.path,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    sourceUrl: row.source_url ?? undefined,
    eventDate: row.event_date ?? undefined,
    importance: row.importance,
    accessCount: row.access_count,
    lastAccessedAt: row.last_accessed_at ?? undefined,
    tags: JSON.parse(row.tags) as string[],
  };
}
