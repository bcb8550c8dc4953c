import { randomUUID } from "node:crypto";
import type { MemoryDatabase } from "../database/memory-database.js";
import type { Documents } from "../documents/documents.js";
import { InvalidParameterError, MemoryNotFoundError } from "../errors.js";
import type { Owner } from "../owner.js";

/** A named set of documents of a user (MEM-027). */
export interface Space {
  readonly name: string;
  readonly description: string;
  /** Number of its documents. */
  readonly documents: number;
}

/** Spaces of users; a document can be in several. */
export class Spaces {
  readonly #database: MemoryDatabase;
  readonly #documents: Documents;
  readonly #now: () => number;

  constructor(database: MemoryDatabase, documents: Documents, now: () => number) {
    this.#database = database;
    this.#documents = documents;
    this.#now = now;
  }

  /**
   * Creates a space.
   * @param owner - user and agent
   * @param name - name that the user has not used for a space yet
   * @param description - purpose of the space
   * @throws InvalidParameterError for an empty or used name
   */
  async create({ user }: Owner, name: string, description = ""): Promise<void> {
    const trimmed = name.trim();
    if (trimmed === "") throw new InvalidParameterError("name", "expected a name, got none");
    const created = await this.#database.query(
      `insert into spaces (id, user_id, name, description, created_at) values ($1, $2, $3, $4, $5)
        on conflict (user_id, name) do nothing returning id`,
      [randomUUID(), user, trimmed, description, new Date(this.#now()).toISOString()],
    );
    if (created.length > 0) return;
    throw new InvalidParameterError(
      "name",
      `a space ${JSON.stringify(trimmed)} exists already; choose another name, or add documents to it`,
    );
  }

  /** @param owner - user and agent */
  async list(owner: Owner): Promise<Space[]> {
    const id = await this.#documents.ownerId(owner);
    return [
      ...(await this.#database.query<Space>(
        `select s.name, s.description, count(d.id) as documents from spaces s
          left join space_documents sd on sd.space = s.id
          left join documents d on d.id = sd.document and d.owner = $2
          where s.user_id = $1 group by s.id, s.name, s.description order by s.name`,
        [owner.user, id ?? -1],
      )),
    ];
  }

  /**
   * Adds a document to a space, or removes it.
   * @param owner - user and agent
   * @param change - space, document, and whether the document is in it afterwards
   * @throws InvalidParameterError, MemoryNotFoundError
   */
  async change(
    owner: Owner,
    change: { readonly name: string; readonly path: string; readonly isIn: boolean },
  ): Promise<void> {
    const { name, path, isIn } = change;
    const space = await this.#existing(owner, name);
    const document = await this.#documents.find(owner, path, "document_path");
    if (document === undefined) {
      throw new MemoryNotFoundError(
        "document_path",
        `document ${JSON.stringify(path)}`,
        "memory_tree or `openclaw memory tree` lists the documents",
      );
    }
    await this.#database.query(
      isIn
        ? "insert into space_documents (space, document) values ($1, $2) on conflict (space, document) do nothing"
        : "delete from space_documents where space = $1 and document = $2",
      [space, document.id],
    );
  }

  /**
   * Returns the paths of the documents in a space.
   * @param owner - user and agent
   * @param name - name of the space
   * @throws MemoryNotFoundError
   */
  async contents(owner: Owner, name: string): Promise<string[]> {
    const space = await this.#existing(owner, name);
    const id = await this.#documents.ownerId(owner);
    const rows = await this.#database.query<{ path: string }>(
      `select d.path from space_documents sd join documents d on d.id = sd.document
        where sd.space = $1 and d.owner = $2 order by d.path`,
      [space, id ?? -1],
    );
    return rows.map(({ path }) => path);
  }

  /**
   * Deletes a space; its documents remain.
   * @param owner - user and agent
   * @param name - name of the space
   * @throws MemoryNotFoundError
   */
  async remove(owner: Owner, name: string): Promise<void> {
    const space = await this.#existing(owner, name);
    await this.#database.query("delete from spaces where id = $1", [space]);
  }

  async #existing({ user }: Owner, name: string): Promise<string> {
    const [row] = await this.#database.query<{ id: string }>(
      "select id from spaces where user_id = $1 and name = $2",
      [user, name.trim()],
    );
    if (row !== undefined) return row.id;
    throw new MemoryNotFoundError(
      "name",
      `space ${JSON.stringify(name)}`,
      "action list shows the spaces",
    );
  }
}
