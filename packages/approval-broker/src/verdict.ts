import type { Approval } from "@openclaw/store/decisions";
import { reasonToDeny } from "./denial.js";
import type { CallAuthority } from "./need.js";
import type { ApprovalSettings } from "./settings.js";

/** Result of an approval request: allowed, pending or denied. */
export type ApprovalVerdict =
  | {
      readonly status: "allowed";
      /** Approval request whose decision allows it; absent when no approval was requested. */
      readonly approval?: Approval | undefined;
      /**
       * Permission of a call of `exec` that runs without an approval request; absent for every
       * other tool.
       */
      readonly authority?: CallAuthority | undefined;
    }
  /** Stored and not decided yet: the turn waits for approval. */
  | { readonly status: "pending"; readonly approval: Approval }
  | {
      readonly status: "denied";
      /** Reason that the model receives. */
      readonly reason: string;
      /** True when the request was cancelled before a decision. */
      readonly cancelled: boolean;
      /** True when the call is undecided: no approver was reachable, or none decided in time. */
      readonly isUndecided?: boolean | undefined;
      /** True when an approver denied the call. */
      readonly isRefused?: boolean | undefined;
    };

/** Verdict for a call that was not evaluated before. */
export type NewCallVerdict =
  | ApprovalVerdict
  /** The call cannot succeed, so no approval was requested. */
  | { readonly status: "inapplicable"; readonly problem: string };

/**
 * Returns the verdict of a stored approval request.
 * @param approval - stored row
 * @param settings - current settings of the operator
 */
export function verdictOf(approval: Approval, { timeoutAllow }: ApprovalSettings): ApprovalVerdict {
  switch (approval.state) {
    case "pending":
      return { status: "pending", approval };
    case "allowed-once":
    case "allowed-always":
      return { status: "allowed", approval };
    case "timed-out":
      if (approval.timeoutBehavior === "allow" && timeoutAllow !== "never") {
        return { status: "allowed", approval };
      }
  }
  const cancelled = approval.state === "cancelled";
  const isUndecided = approval.state === "timed-out";
  const isRefused = approval.state === "denied";
  return { status: "denied", reason: reasonToDeny(approval), cancelled, isUndecided, isRefused };
}

/**
 * Returns the reason why an approval does not cover the call about to run.
 * @param approval - approval request, if it exists
 * @param digest - digest of the call about to run
 */
export function mismatchOf(approval: Approval | undefined, digest: string): string {
  if (approval === undefined) return "the approval request was not found";
  if (approval.digest !== digest) return "tool, arguments, session or requester differ";
  if (approval.consumedAt !== undefined) return "it was already used";
  return `it is ${approval.state}`;
}
