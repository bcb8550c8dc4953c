import { randomUUID } from "node:crypto";
import type { MemoryDatabase } from "../database/memory-database.js";
import type { Documents } from "../documents/documents.js";
import { InvalidParameterError, MemoryNotFoundError } from "../errors.js";
import type { Owner } from "../owner.js";

/** Types of connections: the source updates, extends or derives from the target (MEM-025). */
export const CONNECTION_TYPES = ["updates", "extends", "derives"] as const;
export type ConnectionType = (typeof CONNECTION_TYPES)[number];

/** A connection from a document to another one. */
export interface Connection {
  readonly id: string;
  readonly sourcePath: string;
  readonly targetPath: string;
  readonly type: ConnectionType;
  /** From 0 to 1. */
  readonly strength: number;
}

/** Connections between documents of one owner. */
export class Connections {
  readonly #database: MemoryDatabase;
  readonly #documents: Documents;
  readonly #now: () => number;

  constructor(database: MemoryDatabase, documents: Documents, now: () => number) {
    this.#database = database;
    this.#documents = documents;
    this.#now = now;
  }

  /**
   * Connects two documents; an equal connection gets the new strength.
   * @param owner - user and agent
   * @param connection - paths, type and strength
   * @throws InvalidParameterError, MemoryNotFoundError
   */
  async create(
    owner: Owner,
    connection: {
      readonly sourcePath: string;
      readonly targetPath: string;
      readonly type: string;
      readonly strength?: number | undefined;
    },
  ): Promise<Connection> {
    const type = checkedType(connection.type);
    const { strength = 1 } = connection;
    if (!(strength >= 0 && strength <= 1)) {
      throw new InvalidParameterError("strength", `expected a number from 0 to 1, got ${strength}`);
    }
    const source = await this.#existing(owner, connection.sourcePath, "source_path");
    const target = await this.#existing(owner, connection.targetPath, "target_path");
    if (source.id === target.id) {
      throw new InvalidParameterError("target_path", "a document cannot be connected to itself");
    }
    const [row] = await this.#database.query<{ id: string }>(
      `insert into connections (id, source, target, type, strength, created_at)
        values ($1, $2, $3, $4, $5, $6)
        on conflict (source, target, type) do update set strength = excluded.strength
        returning id`,
      [randomUUID(), source.id, target.id, type, strength, new Date(this.#now()).toISOString()],
    );
    return {
      id: row?.id ?? "",
      sourcePath: source.path,
      targetPath: target.path,
      type,
      strength,
    };
  }

  /**
   * Lists the connections of a document, or all of an owner.
   * @param owner - user and agent
   * @param path - document at either end
   * @throws InvalidParameterError, MemoryNotFoundError
   */
  async list(owner: Owner, path?: string): Promise<Connection[]> {
    const id = await this.#documents.ownerId(owner);
    if (id === undefined && path === undefined) return [];
    const document =
      path === undefined ? undefined : await this.#existing(owner, path, "document_path");
    const rows = await this.#database.query<{
      id: string;
      source_path: string;
      target_path: string;
      type: ConnectionType;
      strength: number;
    }>(
      `select k.id, s.path as source_path, t.path as target_path, k.type, k.strength
        from connections k join documents s on s.id = k.source join documents t on t.id = k.target
        where s.owner = $1${document === undefined ? "" : " and (k.source = $2 or k.target = $2)"}
        order by s.path, t.path, k.type`,
      [id ?? -1, ...(document === undefined ? [] : [document.id])],
    );
    return rows.map(({ source_path: sourcePath, target_path: targetPath, ...row }) => ({
      ...row,
      sourcePath,
      targetPath,
    }));
  }

  /**
   * Deletes a connection.
   * @param owner - user and agent
   * @param id - ID of the connection
   * @throws MemoryNotFoundError
   */
  async remove(owner: Owner, id: string): Promise<void> {
    const known = (await this.list(owner)).some((connection) => connection.id === id);
    if (!known) {
      throw new MemoryNotFoundError(
        "connection_id",
        `connection ${JSON.stringify(id)}`,
        "action list shows the connections of a document",
      );
    }
    await this.#database.query("delete from connections where id = $1", [id]);
  }

  async #existing(owner: Owner, path: string, field: string) {
    const document = await this.#documents.find(owner, path, field);
    if (document !== undefined) return document;
    throw new MemoryNotFoundError(
      field,
      `document ${JSON.stringify(path)}`,
      "memory_tree or `openclaw memory tree` lists the documents",
    );
  }
}

function checkedType(type: string): ConnectionType {
  const found = CONNECTION_TYPES.find((each) => each === type);
  if (found !== undefined) return found;
  throw new InvalidParameterError(
    "connection_type",
    `expected ${CONNECTION_TYPES.join(", ")}, got ${JSON.stringify(type)}`,
  );
}
