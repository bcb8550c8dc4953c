import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { type Selectable, sql } from "kysely";
import { UNFINISHED } from "../turns/queries.js";
import { removeOldWindows } from "./call-windows.js";
import { isJsonObject, readJson, readWord, writeJson } from "./json-column.js";
import type { NodeColumns } from "./node-schema.js";
import { removeOldNotices } from "./notices.js";
import { decodeText, encodeText } from "./text-column.js";
import type { UnitOfWork } from "./unit-of-work.js";

const NODE_STATES = ["active", "draining"] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

/** State of a node: it takes work, or only ends what it has. */
export type NodeState = (typeof NODE_STATES)[number];

/** Report of a node about itself. */
export interface NodeReport {
  readonly name: string;
  readonly version: string;
  /** Further facts, which the store does not interpret. */
  readonly facts: JsonObject;
}

/** A node that works on the database. Times are milliseconds since the epoch, of the database's clock. */
export interface StoredNode extends NodeReport {
  readonly nodeId: string;
  readonly state: NodeState;
  /** False when it has not reported in time, so that other nodes take over its work. */
  readonly isLive: boolean;
  readonly startedAt: number;
  readonly seenAt: number;
}

/** Work that a node has taken over from nodes that are gone. */
export interface AdoptedWork {
  /** IDs of messages in the inbox that have no outcome, or whose turns have not ended. */
  readonly messages: readonly string[];
  /** IDs of replies in the outbox. */
  readonly replies: readonly string[];
}

const NOTHING: AdoptedWork = { messages: [], replies: [] };

/** The hosts that work on one database, each under an ID of its process (SCALE-006). */
export interface Nodes {
  /** ID of this node; undefined for a host that has the database alone. */
  readonly own: string | undefined;
  /**
   * Reports that this node works, for a time. A node that is new, or whose row was removed, is `active`.
   * @param report - its name, its version and further facts
   * @param ttlMs - time until others take over its work, unless it reports again
   * @returns the node as stored, whose state others may have changed
   */
  report(report: NodeReport, ttlMs: number): Promise<StoredNode>;
  /** Removes the row of this node: others take over what it left at once. */
  leave(): Promise<void>;
  /** Removes the rows of nodes that are gone for a day, notices that every node has read, and counts that are over. */
  tidy(): Promise<void>;
  /** Returns every node, oldest first. */
  list(): Promise<readonly StoredNode[]>;
  /**
   * Lets a node take work, or only end what it has.
   * @param state - its state from now on
   * @returns undefined when there is no such node
   */
  setState(nodeId: string, state: NodeState): Promise<StoredNode | undefined>;
  /**
   * Makes this node answer for the messages, turns and replies without an outcome of nodes that are gone.
   * @returns IDs of the messages, and of the replies
   */
  adopt(): Promise<AdoptedWork>;
  /**
   * Gives up the messages of this node whose turns have not begun: another node takes them over.
   * @returns number of messages
   */
  handOver(): Promise<number>;
}

/** The nodes of a database or transaction. */
export class NodeTable implements Nodes {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  get own(): string | undefined {
    return this.#unit.nodeId;
  }

  async report({ name, version, facts }: NodeReport, ttlMs: number): Promise<StoredNode> {
    const nodeId = this.#unit.nodeId ?? "";
    const now = await this.#unit.clock();
    const changed = {
      name: encodeText(name),
      version: encodeText(version),
      facts: writeJson(facts, "nodes.facts", nodeId),
      seen_at: now,
      expires_at: now + ttlMs,
    };
    // A query that selects what it changes is not one of the writers, which wait for each other.
    const row = await this.#unit
      .query()
      .with("reported", (query) =>
        query
          .insertInto("nodes")
          .values({ node_id: nodeId, state: "active", started_at: now, ...changed })
          .onConflict((conflict) => conflict.column("node_id").doUpdateSet(changed))
          .returningAll(),
      )
      .selectFrom("reported")
      .selectAll()
      .executeTakeFirstOrThrow();
    return toNode(row, now);
  }

  async leave(): Promise<void> {
    await this.#unit
      .query()
      .deleteFrom("nodes")
      .where("node_id", "=", this.#unit.nodeId ?? "")
      .execute();
  }

  async tidy(): Promise<void> {
    await removeOldNotices(this.#unit);
    await removeOldWindows(this.#unit);
    const before = (await this.#unit.clock()) - DAY_MS;
    await this.#unit.query().deleteFrom("nodes").where("expires_at", "<", before).execute();
  }

  async list(): Promise<readonly StoredNode[]> {
    const now = await this.#unit.clock();
    const rows = await this.#unit
      .query()
      .selectFrom("nodes")
      .selectAll()
      .orderBy("started_at")
      .orderBy("node_id")
      .execute();
    return rows.map((row) => toNode(row, now));
  }

  async setState(nodeId: string, state: NodeState): Promise<StoredNode | undefined> {
    const now = await this.#unit.clock();
    const row = await this.#unit
      .query()
      .updateTable("nodes")
      .set({ state })
      .where("node_id", "=", encodeText(nodeId))
      .returningAll()
      .executeTakeFirst();
    return row && toNode(row, now);
  }

  async adopt(): Promise<AdoptedWork> {
    const node_id = this.#unit.nodeId;
    if (node_id === undefined) return NOTHING;
    const now = await this.#unit.clock();
    // Read first: in most rounds there is nothing to take over, and a read waits for no other writer.
    if (!(await this.#hasOrphans(now))) return NOTHING;
    return await this.#unit.atomic(async (unit) => {
      const live = liveNodes(unit, now);
      const messages = await unit
        .query()
        .updateTable("inbox")
        .set({ node_id })
        .where(({ eb, or }) => or([eb("node_id", "is", null), eb("node_id", "not in", live)]))
        .where((eb) =>
          eb.or([eb("state", "=", sql.lit("received")), eb("id", "in", unfinishedMessages(unit))]),
        )
        .returning("id")
        .execute();
      const replies = await unit
        .query()
        .updateTable("outbox")
        .set({ node_id })
        .where(({ eb, or }) => or([eb("node_id", "is", null), eb("node_id", "not in", live)]))
        .where("state", "=", sql.lit("pending"))
        .returning("id")
        .execute();
      return {
        messages: messages.map(({ id }) => decodeText(id)),
        replies: replies.map(({ id }) => id),
      };
    });
  }

  async handOver(): Promise<number> {
    const node_id = this.#unit.nodeId;
    if (node_id === undefined) return 0;
    const queued = this.#unit
      .query()
      .selectFrom("turns")
      .select("inbox_id")
      .where("state", "=", sql.lit("queued"));
    // Read first: in most rounds there is nothing to hand over, and a read waits for no other writer.
    const found = await this.#unit
      .query()
      .selectFrom("inbox")
      .select("id")
      .where("node_id", "=", node_id)
      .where("id", "in", queued)
      .limit(1)
      .executeTakeFirst();
    if (found === undefined) return 0;
    const { numUpdatedRows } = await this.#unit
      .query()
      .updateTable("inbox")
      .set({ node_id: null })
      .where("node_id", "=", node_id)
      .where("id", "in", queued)
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }

  async #hasOrphans(now: number): Promise<boolean> {
    const live = liveNodes(this.#unit, now);
    const turn = await this.#unit
      .query()
      .selectFrom("turns")
      .innerJoin("inbox", "inbox.id", "turns.inbox_id")
      .select("turns.run_id")
      .where(
        "turns.state",
        "in",
        UNFINISHED.map((state) => sql.lit(state)),
      )
      .where(({ eb, or }) =>
        or([eb("inbox.node_id", "is", null), eb("inbox.node_id", "not in", live)]),
      )
      .limit(1)
      .executeTakeFirst();
    if (turn !== undefined) return true;
    const message = await this.#unit
      .query()
      .selectFrom("inbox")
      .select("id")
      .where("state", "=", sql.lit("received"))
      .where(({ eb, or }) => or([eb("node_id", "is", null), eb("node_id", "not in", live)]))
      .limit(1)
      .executeTakeFirst();
    if (message !== undefined) return true;
    const reply = await this.#unit
      .query()
      .selectFrom("outbox")
      .select("id")
      .where("state", "=", sql.lit("pending"))
      .where(({ eb, or }) => or([eb("node_id", "is", null), eb("node_id", "not in", live)]))
      .limit(1)
      .executeTakeFirst();
    return reply !== undefined;
  }
}

/** IDs of the nodes that have reported in time. */
function liveNodes(unit: UnitOfWork, now: number) {
  return unit.query().selectFrom("nodes").select("node_id").where("expires_at", ">", now);
}

/** IDs of the messages whose turns have not ended. */
function unfinishedMessages(unit: UnitOfWork) {
  return unit
    .query()
    .selectFrom("turns")
    .select("inbox_id")
    .where(
      "state",
      "in",
      UNFINISHED.map((state) => sql.lit(state)),
    );
}

function toNode(row: Selectable<NodeColumns>, now: number): StoredNode {
  const nodeId = decodeText(row.node_id);
  return {
    nodeId,
    name: decodeText(row.name),
    version: decodeText(row.version),
    state: readWord(row.state, NODE_STATES, "nodes.state", nodeId),
    facts: readJson(row.facts, isJsonObject, "nodes.facts", nodeId),
    isLive: row.expires_at > now,
    startedAt: row.started_at,
    seenAt: row.seen_at,
  };
}
