import type { Approval } from "@openclaw/store/decisions";
import { reasonToDeny } from "./denial.js";
import type { CallAuthority } from "./need.js";
import type { ApprovalSettings } from "./settings.js";

/** Whether something may run: at once, after a person's answer, or not. */
export type ApprovalVerdict =
  | {
      readonly status: "allowed";
      /** The answer that allows it; absent where nobody had to be asked. */
      readonly approval?: Approval | undefined;
      /** What lets a call of `exec` run that nobody was asked about; absent for every other tool. */
      readonly authority?: CallAuthority | undefined;
    }
  /** Stored, and not answered yet: the turn pauses. */
  | { readonly status: "pending"; readonly approval: Approval }
  | {
      readonly status: "denied";
      /** What the model is told. */
      readonly reason: string;
      /** True when it was cancelled before a decision. */
      readonly cancelled: boolean;
    };

/**
 * What a stored question comes to.
 * @param approval - its row
 * @param settings - the operator's, as they are now
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
  return { status: "denied", reason: reasonToDeny(approval), cancelled };
}

/**
 * Why an answer does not cover what is to run.
 * @param approval - the question, if there is one
 * @param digest - of what is to run
 */
export function mismatchOf(approval: Approval | undefined, digest: string): string {
  if (approval === undefined) return "there is no such question";
  if (approval.digest !== digest) return "tool, arguments, session or requester differ";
  if (approval.consumedAt !== undefined) return "it was used already";
  return `it is ${approval.state}`;
}
