import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Approval, ApprovalState, NewApproval } from "./approval.js";
import type { ApprovalFilter, ApprovalSelection } from "./query.js";

/** Decision on an approval request. */
export interface ApprovalSettlement {
  readonly state: Exclude<ApprovalState, "pending">;
  /** Approver, for example `terminal:local`. */
  readonly by: string;
  /** Channel of the decision, for example `terminal`, `http` or `timeout`. */
  readonly via: string;
  /** Values that the person gave. */
  readonly answer?: JsonObject | undefined;
  /** Note of the person who denied it. */
  readonly note?: string | undefined;
}

/** Owner of approval requests: a run, a session or a plugin. */
export type ApprovalOwner =
  | { readonly id: string }
  | { readonly sessionKey: string }
  | { readonly runId: string }
  | { readonly pluginId: string };

/** An execution that is about to use an approval. */
export interface ApprovalUse {
  readonly id: string;
  /** Digest of the call to run, computed again for this execution. */
  readonly digest: string;
}

/**
 * Approval requests. Every change is one conditional update: of several concurrent callers, in any
 * process, exactly one changes the row (APPR-009, APPR-010).
 */
export interface Approvals {
  /** Stores an approval request as pending. */
  create(approval: NewApproval): Promise<Approval>;
  /**
   * Finds an approval request.
   * @param idOrCode - its id, or its code in any letter case; the newest one with that code
   */
  get(idOrCode: string): Promise<Approval | undefined>;
  /** Returns the pending approval requests of a session, oldest first. */
  pending(sessionKey: string): Promise<readonly Approval[]>;
  /**
   * Returns approval requests, newest first.
   * @throws StoreArgumentError when the limit is not a whole number from 1
   */
  list(filter?: ApprovalFilter): Promise<readonly Approval[]>;
  /** Returns the number of approval requests with these values. */
  count(selection: ApprovalSelection): Promise<number>;
  /** Returns the tools and the approvers of settled approval requests, in alphabetical order. */
  settledNames(): Promise<{
    readonly tools: readonly string[];
    readonly approvers: readonly string[];
  }>;
  /**
   * Settles an approval request that is pending and not expired.
   * @returns the settled approval request, or undefined when it was no longer pending
   */
  decide(id: string, settlement: ApprovalSettlement): Promise<Approval | undefined>;
  /**
   * Uses up the one execution that an approval allows; call it in the transaction that journals the
   * intent.
   * @returns the approval request, or undefined when it allows no execution, was used, or has
   *   another digest
   */
  consume(use: ApprovalUse): Promise<Approval | undefined>;
  /**
   * Lets a pending approval request expire no earlier than after a time, and no later than its latest expiry.
   * @param id - ID of the request
   * @param ms - time in milliseconds from now
   * @param latestMs - longest time in milliseconds between its creation and its expiry
   * @returns the approval request, or undefined when it was no longer pending
   */
  extend(id: string, ms: number, latestMs: number): Promise<Approval | undefined>;
  /**
   * Settles every pending approval request that has expired.
   * @returns the approval requests that this call settled
   */
  expire(): Promise<readonly Approval[]>;
  /**
   * Settles every pending approval request of an owner as cancelled.
   * @param by - cause of the cancellation, for example `interrupt`
   * @returns the approval requests that this call settled
   */
  cancel(owner: ApprovalOwner, by: string): Promise<readonly Approval[]>;
  /**
   * Returns the milliseconds until the next pending approval request expires; undefined when none
   * is pending.
   */
  untilExpiry(): Promise<number | undefined>;
  /**
   * Returns true when the same call was denied to a run before (APPR-016).
   * @param since - time in milliseconds since the epoch; earlier denials do not count
   */
  wasDenied(runId: string, digest: string, since?: number): Promise<boolean>;
  /**
   * Returns settled approval requests whose plugin was not notified yet, with the number of
   * attempts.
   */
  unnotified(): Promise<readonly { approval: Approval; attempts: number }[]>;
  /**
   * Records an attempt to notify a plugin of a decision.
   * @param succeeded - true when the plugin was notified; the plugin is then not notified again, and the input is forgotten
   * @returns false when it was recorded before that the plugin was notified
   */
  recordNotification(id: string, succeeded: boolean): Promise<boolean>;
  /**
   * Forgets the values that a person gave, because the call has received them.
   * @param id - ID of the request
   */
  forgetAnswer(id: string): Promise<void>;
}
