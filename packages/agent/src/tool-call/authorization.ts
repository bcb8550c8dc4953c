import type { GivenApproval } from "@openclaw/approval-broker";
import type { ExecAuthorization } from "@openclaw/core-tools";
import type { Approval } from "@openclaw/store/decisions";
import type { Guidance } from "../context/call.js";
import type { PolicyRefusal } from "../context/event.js";
import type { AdmittedArguments } from "./arguments.js";
import type { BeforeToolCallBlock } from "./before-hooks.js";
import type { ToolDenial } from "./denial.js";
import type { ToolEntry } from "./tool-entry.js";

/** Decision about a call: it runs with these arguments, waits for an approval, or does not run. */
export type Authorization =
  | ({
      verdict: "run";
      entry: ToolEntry;
      guidance: readonly Guidance[];
      /** The approval under which it runs; it is consumed when the call starts. */
      approval?: GivenApproval | undefined;
      /** Mode in which a call of `exec` runs; without it the tool runs nothing. */
      exec?: ExecAuthorization | undefined;
    } & AdmittedArguments)
  /** The approval request is stored and has no decision yet. */
  | { verdict: "pending"; approval: Approval }
  | {
      verdict: "refused";
      /** Text for the model. */
      text: string;
      guidance: readonly Guidance[];
      /** Set when the tool policy denied the call. */
      policy?: PolicyRefusal | undefined;
      /** Decider that denied or returned the call; absent without a decision, as for invalid arguments. */
      refusal?: Refusal | undefined;
      /** Names the call when it was returned to be reconsidered. */
      reconsidered?: string | undefined;
    };

/** The authorization of a call that runs. */
export type Admitted = Extract<Authorization, { verdict: "run" }>;

/** The authorization of a call that does not run. */
export type RefusedCall = Extract<Authorization, { verdict: "refused" }>;

/** A decision that a call does not run, for the audit log (TURN-034). */
export interface Refusal {
  readonly kind: "denied" | "reconsider";
  /** For example `plugin:guard`, `policy:global`, `safety`, `approval` or `rate-limit`. */
  readonly decider: string;
}

/** The authorization of every call of a turn that was interrupted before the call ran. */
export const INTERRUPTED: Authorization = {
  verdict: "refused",
  text: "Tool aborted",
  guidance: [],
};

/**
 * Returns the authorization of a call that does not run although it was not denied, for example because its
 * arguments are invalid.
 * @param text - text for the model
 * @param guidance - notes of plugins for the model
 */
export function notRun(text: string, guidance: readonly Guidance[] = []): RefusedCall {
  return { verdict: "refused", text, guidance };
}

/**
 * Returns the authorization of a call that was denied.
 * @param text - text for the model
 * @param decider - decider that denied it, for the audit log
 * @param guidance - notes of plugins for the model
 */
export function denied(
  text: string,
  decider: string,
  guidance: readonly Guidance[] = [],
): RefusedCall {
  return { ...notRun(text, guidance), refusal: { kind: "denied", decider } };
}

/**
 * Returns the authorization of a call that a trusted policy or a hook blocked.
 * @param block - reason and decider
 * @param guidance - notes of plugins for the model
 */
export function blocked(
  { reason, decider }: BeforeToolCallBlock,
  guidance: readonly Guidance[],
): RefusedCall {
  return denied(`Tool blocked: ${reason}`, decider, guidance);
}

/**
 * Returns the authorization of a call that the tool policy denied.
 * @param denial - text, decider and decision
 * @param guidance - notes of plugins for the model
 * @param after - appended to the text, for example the plugin that rewrote the arguments
 */
export function deniedByPolicy(
  { text, decider, policy }: ToolDenial,
  guidance: readonly Guidance[] = [],
  after?: string,
): RefusedCall {
  const said = after === undefined ? text : `${text} ${after}`;
  return { ...denied(said, decider, guidance), policy };
}
