import type { Selectable } from "kysely";
import { readWord } from "../database/json-column.js";
import { requireLimit } from "../database/row-limit.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import {
  APPROVAL_KINDS,
  type ApprovalKind,
  type ApprovalRequester,
  GRANT_SCOPES,
  type GrantScope,
} from "./approval.js";
import { readRequester, writeRequester } from "./requester.js";
import type { ApprovalGrantColumns } from "./schema.js";

/** Grant to be stored. */
export interface NewApprovalGrant {
  readonly kind: ApprovalKind;
  readonly tool: string;
  readonly scope: GrantScope;
  /** Key in hexadecimal SHA-256 that a later call must have to match the grant. */
  readonly key: string;
  /** Description for display, without secrets. */
  readonly label: string;
  /** Session, agent and requester of the grant; the scope decides which of them must match. */
  readonly sessionKey: string;
  readonly agentId: string;
  readonly requester: ApprovalRequester;
  /** User who created the grant, for example `terminal:local`. */
  readonly createdBy: string;
  /** Lifetime in milliseconds; unlimited when absent. */
  readonly ttlMs?: number | undefined;
}

/** A stored grant. Times are milliseconds since the epoch, by the database's clock. */
export interface ApprovalGrant extends Omit<NewApprovalGrant, "ttlMs"> {
  /** `grt_` and a ULID. */
  readonly id: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number | undefined;
  readonly uses: number;
  readonly expiresAt?: number | undefined;
  readonly revokedAt?: number | undefined;
}

/** Call that a grant can allow. */
export interface GrantedCall {
  readonly key: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly requester: ApprovalRequester;
}

/** Grants: calls that users have allowed beyond a single call (APPR-020). */
export interface ApprovalGrants {
  /** Stores a grant. */
  add(grant: NewApprovalGrant): Promise<ApprovalGrant>;
  /** Returns the grant with an id. */
  get(id: string): Promise<ApprovalGrant | undefined>;
  /**
   * Finds the oldest grant that allows a call, and counts the use.
   * @returns the grant; undefined when no grant allows the call; revoked and expired grants allow nothing
   */
  use(call: GrantedCall): Promise<ApprovalGrant | undefined>;
  /**
   * Returns grants, newest first.
   * @param filter - `all` includes revoked and expired grants; `limit` is the maximum number,
   *   default 100
   * @throws StoreArgumentError when the limit is not a whole number from 1
   */
  list(filter?: {
    all?: boolean | undefined;
    sessionKey?: string | undefined;
    limit?: number | undefined;
  }): Promise<readonly ApprovalGrant[]>;
  /**
   * Revokes grants: one, those of a session that ended, or all.
   * @returns the grants that this call revoked
   */
  revoke(
    which: { id: string } | { endedSession: string } | "all",
  ): Promise<readonly ApprovalGrant[]>;
}

/** The grants of a database or transaction. */
export class ApprovalGrantTable implements ApprovalGrants {
  readonly #unit: UnitOfWork;
  readonly #newId: (now: number) => string;

  constructor(unit: UnitOfWork, newId: (now: number) => string) {
    this.#unit = unit;
    this.#newId = newId;
  }

  async add(grant: NewApprovalGrant): Promise<ApprovalGrant> {
    const now = await this.#unit.clock();
    const added = await this.#unit
      .query()
      .insertInto("approval_grants")
      .values({
        id: `grt_${this.#newId(now)}`,
        kind: grant.kind,
        tool: encodeText(grant.tool),
        scope: grant.scope,
        key: encodeText(grant.key),
        label: encodeText(grant.label),
        session_key: encodeText(grant.sessionKey),
        agent_id: encodeText(grant.agentId),
        requester: writeRequester(grant.requester),
        created_by: encodeText(grant.createdBy),
        created_at: now,
        last_used_at: null,
        uses: 0,
        expires_at: grant.ttlMs === undefined ? null : now + grant.ttlMs,
        revoked_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toGrant(added);
  }

  async get(id: string): Promise<ApprovalGrant | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("approval_grants")
      .selectAll()
      .where("id", "=", encodeText(id))
      .executeTakeFirst();
    return row === undefined ? undefined : toGrant(row);
  }

  async use({ key, sessionKey, agentId, requester }: GrantedCall) {
    const now = await this.#unit.clock();
    const { isOwner: _, ...person } = requester;
    // What an owner was granted needs an owner. Earlier versions stored the person alone.
    const persons = [writeRequester(requester), writeRequester(person)];
    const used = await this.#unit
      .query()
      .updateTable("approval_grants")
      .set((column) => ({ uses: column("uses", "+", 1), last_used_at: now }))
      // Checked again on the row itself, because a grant may have been revoked since it was found.
      .where("revoked_at", "is", null)
      .where("id", "=", (where) =>
        where
          .selectFrom("approval_grants")
          .select("id")
          .where("key", "=", encodeText(key))
          .where("revoked_at", "is", null)
          .where((grant) =>
            grant.or([grant("expires_at", "is", null), grant("expires_at", ">", now)]),
          )
          .where((grant) =>
            grant.or([
              grant("scope", "=", "global"),
              grant.and([
                grant("scope", "=", "session"),
                grant("session_key", "=", encodeText(sessionKey)),
                grant("requester", "in", persons),
              ]),
              grant.and([
                grant("scope", "=", "agent"),
                grant("agent_id", "=", encodeText(agentId)),
              ]),
              grant.and([
                grant("scope", "=", "requester"),
                grant("agent_id", "=", encodeText(agentId)),
                grant("requester", "in", persons),
              ]),
            ]),
          )
          .orderBy("created_at")
          .orderBy("id")
          .limit(1),
      )
      .returningAll()
      .executeTakeFirst();
    return used === undefined ? undefined : toGrant(used);
  }

  async list(
    filter: {
      all?: boolean | undefined;
      sessionKey?: string | undefined;
      limit?: number | undefined;
    } = {},
  ) {
    const { all = false, sessionKey, limit = 100 } = filter;
    requireLimit("approvalGrants.list", limit);
    let query = this.#unit.query().selectFrom("approval_grants").selectAll();
    if (!all) {
      const now = await this.#unit.clock();
      query = query
        .where("revoked_at", "is", null)
        .where((grant) =>
          grant.or([grant("expires_at", "is", null), grant("expires_at", ">", now)]),
        );
    }
    if (sessionKey !== undefined) query = query.where("session_key", "=", encodeText(sessionKey));
    const newestFirst = query.orderBy("created_at", "desc").orderBy("id", "desc");
    return (await newestFirst.limit(limit).execute()).map(toGrant);
  }

  async revoke(which: { id: string } | { endedSession: string } | "all") {
    let update = this.#unit
      .query()
      .updateTable("approval_grants")
      .set({ revoked_at: await this.#unit.clock() })
      .where("revoked_at", "is", null);
    if (which !== "all") {
      update =
        "id" in which
          ? update.where("id", "=", encodeText(which.id))
          : update
              .where("session_key", "=", encodeText(which.endedSession))
              .where("scope", "=", "session");
    }
    return (await update.returningAll().execute()).map(toGrant);
  }
}

function toGrant(row: Selectable<ApprovalGrantColumns>): ApprovalGrant {
  const { id } = row;
  return {
    id,
    kind: readWord(row.kind, APPROVAL_KINDS, "approval_grants.kind", id),
    tool: decodeText(row.tool),
    scope: readWord(row.scope, GRANT_SCOPES, "approval_grants.scope", id),
    key: decodeText(row.key),
    label: decodeText(row.label),
    sessionKey: decodeText(row.session_key),
    agentId: decodeText(row.agent_id),
    requester: readRequester(row.requester, "approval_grants.requester", id),
    createdBy: decodeText(row.created_by),
    createdAt: Number(row.created_at),
    lastUsedAt: row.last_used_at ?? undefined,
    uses: Number(row.uses),
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  };
}
