import type { DispatchDetails } from "@openclaw/hook-runner";
import type { BeforeToolCallResult, LiteralCommand } from "@openclaw/plugin-sdk/hooks";

/** A trusted policy. */
export interface PolicyIdentity {
  readonly pluginId: string;
  readonly policyId: string;
}

/** A trusted policy's word that the tool's own need of an approval is met for one call (D25). */
export class MetNeed implements PolicyIdentity {
  readonly pluginId: string;
  readonly policyId: string;
  readonly reason: string;
  /** What runs, for a call of a shell tool (APPR-038). */
  readonly command?: LiteralCommand | undefined;
  /** Where it runs. */
  readonly access?: "read-only" | "workspace" | undefined;

  /**
   * @param policy - whose word it is
   * @param terms - why, and for which command
   */
  constructor(
    { pluginId, policyId }: PolicyIdentity,
    { reason, command, access }: Pick<MetNeed, "reason" | "command" | "access">,
  ) {
    this.pluginId = pluginId;
    this.policyId = policyId;
    this.reason = reason;
    this.command = command;
    this.access = access;
  }
}

/** A trusted policy's word on which programs of a command a grant has to cover (APPR-021). */
export class GrantableNeed implements PolicyIdentity {
  readonly pluginId: string;
  readonly policyId: string;
  readonly reason: string;
  /** What runs once they are granted. */
  readonly command: LiteralCommand;
  /** Positions of the programs, counted through all pipelines from 0. */
  readonly uncovered: readonly number[];

  /**
   * @param policy - the policy that answered
   * @param terms - why, and which programs of which command
   */
  constructor(
    { pluginId, policyId }: PolicyIdentity,
    { reason, command, uncovered }: Pick<GrantableNeed, "reason" | "command" | "uncovered">,
  ) {
    this.pluginId = pluginId;
    this.policyId = policyId;
    this.reason = reason;
    this.command = command;
    this.uncovered = uncovered;
  }
}

/**
 * Returns the needs that trusted policies met in one dispatch, in the order they were asked. Only a
 * policy's own answer can hold one: the engine accepts a note from no ordinary handler.
 * @param details - of a dispatch of the `policy` stage
 */
export function metNeedsOf({
  contributions,
}: DispatchDetails<BeforeToolCallResult>): readonly MetNeed[] {
  return contributions.flatMap(({ note }) => (note instanceof MetNeed ? [note] : []));
}

/**
 * Returns which programs of a command grants have to cover, as trusted policies said in one dispatch, in the
 * order they were asked.
 * @param details - of a dispatch of the `policy` stage
 */
export function grantableNeedsOf({
  contributions,
}: DispatchDetails<BeforeToolCallResult>): readonly GrantableNeed[] {
  return contributions.flatMap(({ note }) => (note instanceof GrantableNeed ? [note] : []));
}
