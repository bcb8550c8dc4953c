import type { DispatchDetails } from "@openclaw/hook-runner";
import type { GrantReach } from "@openclaw/plugin-sdk/approvals";
import type { BeforeToolCallResult, LiteralCommand } from "@openclaw/plugin-sdk/hooks";

/** A trusted policy. */
export interface PolicyIdentity {
  readonly pluginId: string;
  readonly policyId: string;
}

/** A trusted policy's waiver of the approval that the tool itself requires, for one call (D25). */
export class MetNeed implements PolicyIdentity {
  readonly pluginId: string;
  readonly policyId: string;
  readonly reason: string;
  /** The command, for a call of a shell tool (APPR-038). */
  readonly command?: LiteralCommand | undefined;
  /** Its working directory. */
  readonly access?: "read-only" | "workspace" | undefined;

  /**
   * @param policy - the policy that grants it
   * @param terms - the reason, and the command
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

/** A trusted policy's list of the programs of a command that a grant must cover (APPR-021). */
export class GrantableNeed implements PolicyIdentity {
  readonly pluginId: string;
  readonly policyId: string;
  readonly reason: string;
  /** The command that runs once they are granted. */
  readonly command: LiteralCommand;
  /** Positions of the programs, counted through all pipelines from 0. */
  readonly uncovered: readonly number[];
  /** For each of these programs, how far a grant can reach. */
  readonly reach: readonly GrantReach[];

  /**
   * @param policy - the policy that answered
   * @param terms - the reason, and the programs of the command
   */
  constructor(
    { pluginId, policyId }: PolicyIdentity,
    {
      reason,
      command,
      uncovered,
      reach,
    }: Pick<GrantableNeed, "reason" | "command" | "uncovered" | "reach">,
  ) {
    this.pluginId = pluginId;
    this.policyId = policyId;
    this.reason = reason;
    this.command = command;
    this.uncovered = uncovered;
    this.reach = reach;
  }
}

/** A trusted policy's waiver for a command that a read-only sandbox bounds, valid only where one is active (APPR-261). */
export class ContainedNeed implements PolicyIdentity {
  readonly pluginId: string;
  readonly policyId: string;
  readonly reason: string;
  /** The command without a shell; undefined when a shell runs it as shown. */
  readonly command?: LiteralCommand | undefined;
  /** The programs that a grant must cover where no such sandbox is active. */
  readonly otherwise?: GrantableNeed | undefined;

  /**
   * @param policy - the policy that answered
   * @param terms - the reason, the command, and the programs that a grant must cover elsewhere
   */
  constructor(
    { pluginId, policyId }: PolicyIdentity,
    { reason, command, otherwise }: Pick<ContainedNeed, "reason" | "command" | "otherwise">,
  ) {
    this.pluginId = pluginId;
    this.policyId = policyId;
    this.reason = reason;
    this.command = command;
    this.otherwise = otherwise;
  }
}

/**
 * Returns the waivers of trusted policies in one dispatch that need an active read-only sandbox, in the order of the
 * policies.
 * @param details - details of a dispatch of the `policy` stage
 */
export function containedNeedsOf({
  contributions,
}: DispatchDetails<BeforeToolCallResult>): readonly ContainedNeed[] {
  return contributions.flatMap(({ note }) => (note instanceof ContainedNeed ? [note] : []));
}

/**
 * Returns the waivers that trusted policies granted in one dispatch, in the order of the policies.
 * Only a policy's own result can carry one: the engine accepts no note from an ordinary handler.
 * @param details - details of a dispatch of the `policy` stage
 */
export function metNeedsOf({
  contributions,
}: DispatchDetails<BeforeToolCallResult>): readonly MetNeed[] {
  return contributions.flatMap(({ note }) => (note instanceof MetNeed ? [note] : []));
}

/**
 * Returns the programs of a command that grants must cover, as trusted policies required in one
 * dispatch, in the order of the policies.
 * @param details - details of a dispatch of the `policy` stage
 */
export function grantableNeedsOf({
  contributions,
}: DispatchDetails<BeforeToolCallResult>): readonly GrantableNeed[] {
  return contributions.flatMap(({ note }) => {
    const need = note instanceof ContainedNeed ? note.otherwise : note;
    return need instanceof GrantableNeed ? [need] : [];
  });
}
