import { randomUUID } from "node:crypto";
import type { PluginDatabaseQuery, SqlValue } from "@openclaw/plugin-sdk/store";
import { type ChunkerOptions, DEFAULT_CHUNKER } from "../chunks/chunker.js";
import { removeText } from "../database/full-text-table.js";
import type { MemoryDatabase } from "../database/memory-database.js";
import { InvalidParameterError, MemoryNotFoundError } from "../errors.js";
import type { Owner } from "../owner.js";
import { hashOf, replaceChunks } from "./content.js";
import { isDay } from "./day.js";
import type { DocumentMetadata, DocumentSummary, MemoryDocument } from "./document.js";
import { dayOfPath, normaliseFolder, normalisePath } from "./path.js";
import {
  bytesColumn,
  type ContentRow,
  documentColumns,
  documentOf,
  type SummaryRow,
  summaryOf,
} from "./rows.js";

/** A document to write. */
export interface DocumentWrite extends DocumentMetadata {
  readonly path: string;
  readonly content: string;
  /** Adds the content after a blank line instead of replacing the old content. */
  readonly append?: boolean | undefined;
  /** Times of an exported document, in ISO 8601; the present one when absent. */
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/** Outcome of a write. */
export interface WrittenDocument {
  readonly id: string;
  readonly path: string;
  readonly created: boolean;
  /** False when the document had this content already (MEM-011). */
  readonly changed: boolean;
}

/** Options of {@link Documents}. */
export interface DocumentsOptions {
  readonly chunker?: ChunkerOptions | undefined;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called after a write that left chunks without vectors. */
  readonly onPending?: (() => void) | undefined;
}

/** Documents of all owners; each call sees those of one owner only (MEM-006). */
export class Documents {
  readonly #database: MemoryDatabase;
  readonly #options: DocumentsOptions;
  readonly #owners = new Map<string, number>();

  constructor(database: MemoryDatabase, options: DocumentsOptions) {
    this.#database = database;
    this.#options = options;
  }

  /**
   * Returns the number of an owner in the tables.
   * @param owner - user and agent
   * @returns undefined for an owner who has no documents
   */
  async ownerId({ user, agent }: Owner): Promise<number | undefined> {
    const key = JSON.stringify([user, agent]);
    const known = this.#owners.get(key);
    if (known !== undefined) return known;
    const [row] = await this.#database.query<{ id: number }>(
      "select id from owners where user_id = $1 and agent_id = $2",
      [user, agent],
    );
    if (row !== undefined) this.#owners.set(key, row.id);
    return row?.id;
  }

  /**
   * Returns a document; counts as an access (MEM-007).
   * @param owner - user and agent
   * @param path - path of the document
   * @param field - name of the parameter, for errors
   * @throws InvalidParameterError, MemoryNotFoundError
   */
  async read(owner: Owner, path: string, field = "path"): Promise<MemoryDocument> {
    const document = await this.find(owner, path, field);
    if (document === undefined) throw notFound(normalisePath(path, field), field);
    await this.#database.query(
      "update documents set access_count = access_count + 1, last_accessed_at = $2 where id = $1",
      [document.id, this.#time()],
    );
    return document;
  }

  /**
   * Returns a document without counting an access; undefined when there is none.
   * @param owner - user and agent
   * @param path - path of the document
   * @param field - name of the parameter, for errors
   */
  async find(owner: Owner, path: string, field = "path"): Promise<MemoryDocument | undefined> {
    const normal = normalisePath(path, field);
    const id = await this.ownerId(owner);
    if (id === undefined) return undefined;
    const row = await this.#row(this.#database, id, normal);
    return row && documentOf(row);
  }

  /**
   * Returns those of some documents that exist, by their paths, without counting an access. One query, because every turn
   * asks for the documents of its prompt.
   * @param owner - user and agent
   * @param paths - normalised paths
   */
  async findAll(
    { user, agent }: Owner,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, MemoryDocument>> {
    const rows = await this.#database.query<ContentRow>(
      `select ${documentColumns(this.#database, "d")}, d.content, d.hash
        from owners o join documents d on d.owner = o.id
        where o.user_id = $1 and o.agent_id = $2
          and d.path in (${paths.map((_, index) => `$${index + 3}`).join(", ")})`,
      [user, agent, ...paths],
    );
    return new Map(rows.map((row) => [row.path, documentOf(row)]));
  }

  /**
   * Writes a document (MEM-008). Concurrent writes of several processes run one after another.
   * @param owner - user and agent
   * @param write - path, content and metadata
   * @throws InvalidParameterError
   */
  async write(owner: Owner, write: DocumentWrite): Promise<WrittenDocument> {
    const [written] = await this.writeAll(owner, [write]);
    if (written === undefined) throw new InvalidParameterError("path", "expected a document");
    return written;
  }

  /**
   * Writes several documents in one transaction.
   * @param owner - user and agent
   * @throws InvalidParameterError; nothing is written then
   */
  async writeAll(owner: Owner, writes: readonly DocumentWrite[]): Promise<WrittenDocument[]> {
    const checked = writes.map(checkedWrite);
    const written = await this.#database.transaction(async (inside) => {
      const ownerId = await this.#openOwner(inside, owner);
      const results: WrittenDocument[] = [];
      for (const write of checked) results.push(await this.#writeOne(inside, ownerId, write));
      return results;
    });
    if (written.some(({ changed }) => changed)) this.#options.onPending?.();
    return written;
  }

  /**
   * Deletes a document with its chunks and connections (MEM-025).
   * @param owner - user and agent
   * @param path - path of the document
   * @throws InvalidParameterError, MemoryNotFoundError
   */
  async remove(owner: Owner, path: string): Promise<void> {
    const document = await this.find(owner, path);
    if (document === undefined) throw notFound(normalisePath(path), "path");
    await this.removeById(document.id);
  }

  /** @param id - ID of a document */
  async removeById(id: string): Promise<void> {
    await this.#database.transaction(async (inside) => {
      await removeText(inside, this.#database, id);
      await inside.query("delete from documents where id = $1", [id]);
    });
  }

  /**
   * Lists the documents in a folder and below it, in the order of their paths.
   * @param owner - user and agent
   * @param folder - path of the folder; the root is empty
   */
  async list(owner: Owner, folder = ""): Promise<DocumentSummary[]> {
    const id = await this.ownerId(owner);
    if (id === undefined) return [];
    const prefix = normaliseFolder(folder);
    const { condition, params } = inFolder(prefix, 2);
    const rows = await this.#database.query<SummaryRow>(
      `select ${documentColumns(this.#database, "d")}, ${bytesColumn(this.#database, "d")}
        from documents d where d.owner = $1 and ${condition} order by d.path`,
      [id, ...params],
    );
    return rows.map(summaryOf);
  }

  /** Returns all owners who have documents. */
  async owners(): Promise<readonly Owner[]> {
    const rows = await this.#database.query<{ user_id: string; agent_id: string }>(
      "select user_id, agent_id from owners order by id",
    );
    return rows.map(({ user_id: user, agent_id: agent }) => ({ user, agent }));
  }

  async #openOwner(inside: PluginDatabaseQuery, { user, agent }: Owner): Promise<number> {
    await inside.query(
      "insert into owners (user_id, agent_id) values ($1, $2) on conflict (user_id, agent_id) do nothing",
      [user, agent],
    );
    const [row] = await inside.query<{ id: number }>(
      "select id from owners where user_id = $1 and agent_id = $2",
      [user, agent],
    );
    return row?.id ?? 0;
  }

  async #row(
    query: PluginDatabaseQuery,
    owner: number,
    path: string,
  ): Promise<ContentRow | undefined> {
    const [row] = await query.query<ContentRow>(
      `select ${documentColumns(this.#database, "d")}, d.content, d.hash
        from documents d where d.owner = $1 and d.path = $2`,
      [owner, path],
    );
    return row;
  }

  async #writeOne(
    inside: PluginDatabaseQuery,
    owner: number,
    write: DocumentWrite,
  ): Promise<WrittenDocument> {
    const { path } = write;
    const before = await this.#row(inside, owner, path);
    const content =
      write.append === true && before !== undefined && before.content.trim() !== ""
        ? `${before.content.trimEnd()}\n\n${write.content}`
        : write.content;
    const eventDate = write.eventDate ?? before?.event_date ?? dayOfPath(path);
    const hash = hashOf(content, eventDate);
    const id = before?.id ?? randomUUID();
    const changed = before?.hash !== hash;
    const values: readonly SqlValue[] = [
      id,
      content,
      hash,
      write.sourceUrl ?? before?.source_url ?? null,
      eventDate ?? null,
      write.importance ?? before?.importance ?? 0.5,
      write.tags === undefined ? (before?.tags ?? "[]") : JSON.stringify(write.tags),
    ];
    const now = this.#time();
    if (before === undefined) {
      await inside.query(
        `insert into documents
          (id, content, hash, source_url, event_date, importance, tags, owner, path, created_at, updated_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [...values, owner, path, write.createdAt ?? now, write.updatedAt ?? now],
      );
    } else {
      await inside.query(
        `update documents set content = $2, hash = $3, source_url = $4, event_date = $5,
          importance = $6, tags = $7, updated_at = $8 where id = $1`,
        [...values, write.updatedAt ?? (changed ? now : before.updated_at)],
      );
    }
    if (changed) {
      const { chunker = DEFAULT_CHUNKER } = this.#options;
      const document = { id, owner, path, eventDate };
      const isNew = before === undefined;
      await replaceChunks(inside, this.#database, document, content, { chunker, isNew });
    }
    return { id, path, created: before === undefined, changed };
  }

  #time(): string {
    return new Date(this.#options.now()).toISOString();
  }
}

/**
 * Returns a condition for the documents in a folder and below it.
 * @param folder - normalised path; the root is empty
 * @param first - number of the first parameter
 */
export function inFolder(
  folder: string,
  first: number,
): { readonly condition: string; readonly params: readonly SqlValue[] } {
  if (folder === "") return { condition: "1 = 1", params: [] };
  // Not `like`, whose wildcards a path may contain.
  return {
    condition: `(d.path = $${first} or substr(d.path, 1, $${first + 1}) = $${first + 2})`,
    params: [folder, [...folder].length + 1, `${folder}/`],
  };
}

function checkedWrite(write: DocumentWrite): DocumentWrite {
  const { eventDate, importance, tags } = write;
  if (eventDate !== undefined && !isDay(eventDate)) {
    throw new InvalidParameterError(
      "event_date",
      `expected a date such as 2026-03-04, got ${eventDate}`,
    );
  }
  if (importance !== undefined && !(importance >= 0 && importance <= 1)) {
    throw new InvalidParameterError(
      "importance",
      `expected a number from 0 to 1, got ${importance}`,
    );
  }
  if (tags?.some((tag) => tag.trim() === "") === true) {
    throw new InvalidParameterError("tags", "expected words, got an empty one");
  }
  // NUL ends a text in SQLite, and PostgreSQL rejects it.
  return { ...write, path: normalisePath(write.path), content: write.content.replaceAll("\0", "") };
}

function notFound(path: string, field: string): MemoryNotFoundError {
  return new MemoryNotFoundError(
    field,
    `document ${JSON.stringify(path)}`,
    "memory_tree or `openclaw memory tree` lists the documents",
  );
}
