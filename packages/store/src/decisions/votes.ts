import type { Selectable } from "kysely";
import { isJsonObject, readWord } from "../database/json-column.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { ApprovalVoteColumns } from "./schema.js";

/** Roles whose votes can be asked for. */
export const APPROVER_ROLES = ["owner", "approver"] as const;
const VOTES = ["allow", "deny"] as const;

/** Role of a person: an owner of the host, or another person who may decide. */
export type ApproverRole = (typeof APPROVER_ROLES)[number];

/** People that must allow an approval request (APPR-030). */
export interface ApprovalQuorum {
  /** Number of different people. */
  readonly count: number;
  /** Roles whose votes to allow count; every role when absent. */
  readonly roles?: readonly ApproverRole[] | undefined;
  /** True if the person whose message caused the call cannot vote to allow it. */
  readonly notRequester?: boolean | undefined;
}

/** Vote about to be stored. */
export interface NewApprovalVote {
  /** The person, who has one vote, whatever channel they use. */
  readonly person: string;
  /** Approver, for example `terminal:operator`. */
  readonly by: string;
  /** Channel of the vote, for example `terminal`. */
  readonly via: string;
  readonly decision: (typeof VOTES)[number];
}

/** A stored vote. */
export interface ApprovalVote extends NewApprovalVote {
  /** Time in milliseconds since the epoch. */
  readonly at: number;
}

/** Votes about approval requests that need more than one person. */
export interface ApprovalVotes {
  /**
   * Stores the vote of a person.
   * @param approvalId - ID of the request
   * @returns false when the person has voted already
   */
  add(approvalId: string, vote: NewApprovalVote): Promise<boolean>;
  /**
   * Returns the votes about a request, in the order in which they were given.
   * @param approvalId - ID of the request
   */
  list(approvalId: string): Promise<readonly ApprovalVote[]>;
}

/** The votes of a database or transaction. */
export class ApprovalVoteTable implements ApprovalVotes {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async add(approvalId: string, { person, by, via, decision }: NewApprovalVote): Promise<boolean> {
    const added = await this.#unit
      .query()
      .insertInto("approval_votes")
      .values({
        approval_id: encodeText(approvalId),
        person: encodeText(person),
        voter: encodeText(by),
        via: encodeText(via),
        decision,
        at: await this.#unit.clock(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("at")
      .executeTakeFirst();
    return added !== undefined;
  }

  async list(approvalId: string): Promise<readonly ApprovalVote[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("approval_votes")
      .selectAll()
      .where("approval_id", "=", encodeText(approvalId))
      .orderBy("at")
      .orderBy("person")
      .execute();
    return rows.map(toVote);
  }
}

/**
 * Returns true for a stored quorum.
 * @param value - JSON value
 */
export function isQuorum(value: unknown): value is ApprovalQuorum {
  if (!isJsonObject(value)) return false;
  const { count, roles, notRequester } = value;
  const known: readonly unknown[] = APPROVER_ROLES;
  return (
    typeof count === "number" &&
    (roles === undefined ||
      (Array.isArray(roles) && roles.every((role) => known.includes(role)))) &&
    (notRequester === undefined || typeof notRequester === "boolean")
  );
}

function toVote(row: Selectable<ApprovalVoteColumns>): ApprovalVote {
  const { approval_id } = row;
  return {
    person: decodeText(row.person),
    by: decodeText(row.voter),
    via: decodeText(row.via),
    decision: readWord(row.decision, VOTES, "approval_votes.decision", approval_id),
    at: Number(row.at),
  };
}
