import { type Kysely, sql } from "kysely";
import type { Schema } from "../database/schema.js";
import { encodeText } from "../database/text-column.js";
import type { ApprovalState } from "./approval.js";

/** Position of an approval request in the list, which is ordered by creation, newest first. */
export interface ApprovalCursor {
  readonly createdAt: number;
  readonly id: string;
}

/** Values of the approval requests of a list. */
export interface ApprovalSelection {
  readonly state?: ApprovalState | undefined;
  /** True for settled approval requests, false for pending ones. */
  readonly isSettled?: boolean | undefined;
  readonly sessionKey?: string | undefined;
  readonly runId?: string | undefined;
  readonly tool?: string | undefined;
  /** Approver, for example `terminal:local`. */
  readonly decidedBy?: string | undefined;
  /** Text that the title, the code, the parameters or the commands contain; of ASCII letters, the case is ignored. */
  readonly text?: string | undefined;
}

/** Filter for listing approval requests. */
export interface ApprovalFilter extends ApprovalSelection {
  /** Only those after this position. */
  readonly after?: ApprovalCursor | undefined;
  /** Maximum number of approval requests; default 100. */
  readonly limit?: number | undefined;
}

/**
 * Selects approval requests, without an order.
 * @param query - the database or transaction
 * @param selection - values of the requests
 */
export function selectApprovals(query: Kysely<Schema>, selection: ApprovalSelection) {
  const { state, isSettled, sessionKey, runId, tool, decidedBy, text } = selection;
  const equal = (value: string | undefined) => (value === undefined ? "" : encodeText(value));
  return query
    .selectFrom("approvals")
    .$if(state !== undefined, (found) => found.where("state", "=", state ?? ""))
    .$if(isSettled !== undefined, (found) =>
      found.where("state", isSettled ? "!=" : "=", "pending"),
    )
    .$if(sessionKey !== undefined, (found) => found.where("session_key", "=", equal(sessionKey)))
    .$if(runId !== undefined, (found) => found.where("run_id", "=", equal(runId)))
    .$if(tool !== undefined, (found) => found.where("tool", "=", equal(tool)))
    .$if(decidedBy !== undefined, (found) => found.where("decided_by", "=", equal(decidedBy)))
    .$if(text !== undefined, (found) => found.where(contains(text ?? "")));
}

/** Matches the text of a request; characters that have a meaning in a pattern stand for themselves. */
function contains(text: string) {
  const lower = text.toLowerCase();
  const pattern = (value: string) => `%${value.replace(/[!%_]/g, "!$&")}%`;
  const plain = pattern(encodeText(lower));
  // Parameters and commands are stored as JSON.
  const quoted = pattern(JSON.stringify(lower).slice(1, -1));
  return sql<boolean>`(lower(title) like ${plain} escape '!' or lower(code) like ${plain} escape '!'
    or lower(params) like ${quoted} escape '!' or lower(commands) like ${quoted} escape '!')`;
}
