import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from "kysely";
import { isJsonObject, readJson, writeJson } from "../database/json-column.js";
import { requireLimit } from "../database/row-limit.js";
import type { Schema } from "../database/schema.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

import type { PolicyDecisionColumns } from "./schema.js";

/** A policy at the time of its decision; the store does not interpret it. */
export interface PolicySnapshotRow {
  /** Equal snapshots have equal ids. */
  readonly id: string;
  /** The policy as JSON. */
  readonly text: string;
}

/** A policy decision about a tool call, about to be written (POL-030). */
export interface NewPolicyDecision {
  /** `pd_` and 20 hexadecimal digits; equal for the same input and the same rules. */
  readonly decisionId: string;
  readonly policyHash: string;
  /** The policy that decided; stored once for all of its decisions. */
  readonly snapshot: PolicySnapshotRow;
  readonly runId: string;
  readonly toolCallId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  /** Canonical name of the tool. */
  readonly tool: string;
  /** Input of the policy: the tool and the context. */
  readonly input: JsonObject;
  readonly allowed: boolean;
  /** Rule that settled the decision. */
  readonly decidedBy: JsonObject;
}

/** A policy decision as stored in the log. */
export interface PolicyDecisionRow extends Omit<NewPolicyDecision, "snapshot"> {
  /** Position in the log, ascending. */
  readonly position: number;
  readonly snapshotId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Filter for reading decisions. */
export interface PolicyDecisionFilter {
  readonly runId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly agentId?: string | undefined;
  /** Earliest time, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Returns only decisions after this position in the log; for paging. */
  readonly afterPosition?: number | undefined;
  /** Maximum number of decisions; default 1000. */
  readonly limit?: number | undefined;
}

/** Append-only log of policy decisions about tool calls. */
export interface PolicyDecisions {
  /**
   * Adds decisions; call it in the transaction that writes their consequences. A decision that the
   * log already has for a call is not added again.
   * @throws RowDataError when an input is not a JSON value
   */
  add(decisions: readonly NewPolicyDecision[]): Promise<void>;
  /** Returns the newest decision with an id. */
  get(decisionId: string): Promise<PolicyDecisionRow | undefined>;
  /**
   * Returns decisions in the order in which they were made.
   * @throws StoreArgumentError when the limit is not a whole number from 1
   */
  list(filter?: PolicyDecisionFilter): Promise<readonly PolicyDecisionRow[]>;
  /**
   * Returns the number of decisions.
   * @param filter - as for {@link PolicyDecisions.list}; all decisions when absent
   */
  count(filter?: Omit<PolicyDecisionFilter, "limit">): Promise<number>;
  /** Returns the policy that decided, as JSON. */
  snapshot(snapshotId: string): Promise<JsonObject | undefined>;
}

/** The policy log of a database or transaction. */
export class PolicyDecisionTable implements PolicyDecisions {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async add(decisions: readonly NewPolicyDecision[]): Promise<void> {
    if (decisions.length === 0) return;
    await this.#unit.atomic(async (unit) => {
      const snapshots = new Map(decisions.map(({ snapshot }) => [snapshot.id, snapshot]));
      for (const snapshot of snapshots.values()) await keepSnapshot(snapshot, unit);
      const at = unit.now();
      await unit
        .query()
        .insertInto("policy_decisions")
        .values(
          decisions.map((decision) => ({
            decision_id: decision.decisionId,
            policy_hash: decision.policyHash,
            snapshot_id: decision.snapshot.id,
            run_id: encodeText(decision.runId),
            tool_call_id: encodeText(decision.toolCallId),
            session_key: encodeText(decision.sessionKey),
            agent_id: encodeText(decision.agentId),
            tool: encodeText(decision.tool),
            input: writeJson(decision.input, "policy_decisions.input", decision.decisionId),
            allowed: decision.allowed ? 1 : 0,
            decided_by: writeJson(
              decision.decidedBy,
              "policy_decisions.decided_by",
              decision.decisionId,
            ),
            at,
          })),
        )
        // A call that is evaluated again, for example after its approval, gets the same decision.
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }

  async get(decisionId: string): Promise<PolicyDecisionRow | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("policy_decisions")
      .selectAll()
      .where("decision_id", "=", encodeText(decisionId))
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? undefined : decisionRow(row);
  }

  async list({
    limit = 1000,
    ...filter
  }: PolicyDecisionFilter = {}): Promise<readonly PolicyDecisionRow[]> {
    requireLimit("policyDecisions.list", limit);
    const rows = await this.#unit
      .query()
      .selectFrom("policy_decisions")
      .selectAll()
      .where((where) => where.and([...conditionsOf(filter, where)]))
      .orderBy("position")
      .limit(limit)
      .execute();
    return rows.map(decisionRow);
  }

  async count(filter: Omit<PolicyDecisionFilter, "limit"> = {}): Promise<number> {
    const { count } = await this.#unit
      .query()
      .selectFrom("policy_decisions")
      .select(({ fn }) => fn.countAll().as("count"))
      .where((where) => where.and([...conditionsOf(filter, where)]))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async snapshot(snapshotId: string): Promise<JsonObject | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("policy_snapshots")
      .select("snapshot")
      .where("id", "=", snapshotId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return readJson(row.snapshot, isJsonObject, "policy_snapshots.snapshot", snapshotId);
  }
}

/**
 * Stores a snapshot. A policy is large and decides often, so a stored one is not sent to the
 * database again.
 */
async function keepSnapshot({ id, text }: PolicySnapshotRow, unit: UnitOfWork): Promise<void> {
  const known = await unit
    .query()
    .selectFrom("policy_snapshots")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  if (known !== undefined) return;
  await unit
    .query()
    .insertInto("policy_snapshots")
    .values({ id, snapshot: text, created_at: unit.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function conditionsOf(
  { runId, sessionKey, agentId, since, afterPosition }: PolicyDecisionFilter,
  column: ExpressionBuilder<Schema, "policy_decisions">,
): readonly Expression<SqlBool>[] {
  return [
    ...(runId === undefined ? [] : [column("run_id", "=", encodeText(runId))]),
    ...(sessionKey === undefined ? [] : [column("session_key", "=", encodeText(sessionKey))]),
    ...(agentId === undefined ? [] : [column("agent_id", "=", encodeText(agentId))]),
    ...(since === undefined ? [] : [column("at", ">=", since)]),
    ...(afterPosition === undefined ? [] : [column("position", ">", afterPosition)]),
  ];
}

function decisionRow(row: Selectable<PolicyDecisionColumns>): PolicyDecisionRow {
  const decisionId = row.decision_id;
  return {
    position: Number(row.position),
    decisionId,
    policyHash: row.policy_hash,
    snapshotId: row.snapshot_id,
    runId: decodeText(row.run_id),
    toolCallId: decodeText(row.tool_call_id),
    sessionKey: decodeText(row.session_key),
    agentId: decodeText(row.agent_id),
    tool: decodeText(row.tool),
    input: readJson(row.input, isJsonObject, "policy_decisions.input", decisionId),
    allowed: Number(row.allowed) === 1,
    decidedBy: readJson(row.decided_by, isJsonObject, "policy_decisions.decided_by", decisionId),
    at: Number(row.at),
  };
}
