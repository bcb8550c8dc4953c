import type { Selectable } from "kysely";
import { requireLimit } from "../database/row-limit.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { ToolAuditColumns } from "./schema.js";

/** A denied tool call (TURN-034). */
export interface RefusedCall {
  readonly runId: string;
  readonly sessionKey: string;
  readonly toolCallId: string;
  readonly tool: string;
  /** Policy, hook or user that decided, for example `plugin:guard` or `policy:global`. */
  readonly decider: string;
}

/** A denied tool call as stored in the audit log. */
export interface ToolAuditRow extends RefusedCall {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Append-only log of denied tool calls. */
export interface ToolAudit {
  /**
   * Adds a denied tool call.
   * @param call - the call, and the policy, hook or user that denied it
   */
  add(call: RefusedCall): Promise<void>;
  /**
   * Returns the newest denied tool calls, oldest first.
   * @param options - `runId` limits them to one run; `limit` is the maximum number, default 100
   * @throws StoreArgumentError when the limit is not a whole number from 1
   */
  list(options?: {
    runId?: string | undefined;
    limit?: number | undefined;
  }): Promise<readonly ToolAuditRow[]>;
}

/** The tool audit log of a database or transaction. */
export class ToolAuditTable implements ToolAudit {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async add({ runId, sessionKey, toolCallId, tool, decider }: RefusedCall): Promise<void> {
    await this.#unit
      .query()
      .insertInto("tool_audit")
      .values({
        run_id: encodeText(runId),
        session_key: encodeText(sessionKey),
        tool_call_id: encodeText(toolCallId),
        tool: encodeText(tool),
        decider: encodeText(decider),
        at: this.#unit.now(),
      })
      .execute();
  }

  async list({
    runId,
    limit = 100,
  }: {
    runId?: string | undefined;
    limit?: number | undefined;
  } = {}): Promise<readonly ToolAuditRow[]> {
    requireLimit("toolAudit.list", limit);
    let query = this.#unit
      .query()
      .selectFrom("tool_audit")
      .selectAll()
      .orderBy("position", "desc")
      .limit(limit);
    if (runId !== undefined) query = query.where("run_id", "=", encodeText(runId));
    return (await query.execute()).reverse().map(auditRow);
  }
}

function auditRow(row: Selectable<ToolAuditColumns>): ToolAuditRow {
  return {
    runId: decodeText(row.run_id),
    sessionKey: decodeText(row.session_key),
    toolCallId: decodeText(row.tool_call_id),
    tool: decodeText(row.tool),
    decider: decodeText(row.decider),
    at: Number(row.at),
  };
}
