import type { CallAuthority, ContainedRun, GrantableCommand } from "@openclaw/approval-broker";
import type { ExecAuthorization } from "@openclaw/core-tools";
import type { ContainedNeed, GrantableNeed, MetNeed } from "@openclaw/plugin-runtime";
import type { LiteralCommand, LiteralProgram, ParsedCommand } from "@openclaw/plugin-sdk/hooks";

/** The tool that runs shell commands. */
export const COMMAND_TOOL = "exec";

/** Authorization after an approver allowed the command as shown. */
export const AS_SHOWN: ExecAuthorization = { run: "shell", isApproved: true };

/**
 * Returns the authorization of a call of `exec` that runs without an approval request (APPR-038).
 * @param authority - grant or setting that allows the call
 * @param metBy - the trusted policy that waived its approval
 * @param command - as the host parsed it
 * @returns undefined when the command to run is not known, so that nothing runs
 */
export function unaskedAuthorization(
  authority: CallAuthority | undefined,
  metBy: MetNeed | undefined,
  command: ParsedCommand | undefined,
): ExecAuthorization | undefined {
  switch (authority?.by) {
    case "policy":
      return policyAuthorization(metBy, command);
    case "advance":
      return authority.command && { run: "parsed", command: authority.command };
    case "contained":
      return authority.command === undefined
        ? { run: "shell", access: "contained" }
        : { run: "parsed", command: authority.command, access: "contained" };
    case "sandbox":
      return authority.command === undefined
        ? { run: "shell", access: "workspace" }
        : { run: "parsed", command: authority.command, access: "workspace" };
    case "any-command":
      return { run: "shell" };
    case undefined:
      return undefined;
  }
}

/**
 * Returns the authorization of a call of `exec` that a trusted policy allows.
 * @param metBy - the policy's verdict
 * @param command - as the host parsed it
 * @returns undefined when the policy names no command, or another one than was asked for
 */
export function policyAuthorization(
  metBy: MetNeed | undefined,
  command: ParsedCommand | undefined,
): ExecAuthorization | undefined {
  const allowed = metBy?.command;
  if (allowed === undefined) return undefined;
  const asked = [command?.literal, command?.expanded?.command];
  if (!asked.some((one) => one !== undefined && isElaborated(allowed, one))) return undefined;
  return { run: "parsed", command: allowed, access: metBy?.access };
}

/**
 * Returns the command, as a trusted policy describes it, whose programs a grant may cover.
 * @param need - the policy's verdict
 * @param command - as the host parsed it
 * @returns undefined when the policy names another command than was asked for
 */
export function grantableCommand(
  need: GrantableNeed | undefined,
  command: ParsedCommand | undefined,
): GrantableCommand | undefined {
  const asked = command?.literal;
  if (need === undefined || asked === undefined) return undefined;
  return isElaborated(need.command, asked) ? need : undefined;
}

/**
 * Returns how a command runs where a read-only sandbox is active, as a trusted policy describes it.
 * @param need - the policy's verdict
 * @param command - as the host parsed it
 * @returns undefined when the policy names another command than was asked for, or the host could not read all of it
 */
export function containedCommand(
  need: ContainedNeed | undefined,
  command: ParsedCommand | undefined,
): ContainedRun | undefined {
  if (need === undefined || command?.complete !== true) return undefined;
  const { pluginId, policyId, reason, command: literal } = need;
  if (literal !== undefined) {
    if (command.literal === undefined || !isElaborated(literal, command.literal)) return undefined;
  }
  return { policy: `${pluginId}/${policyId}`, reason, command: literal };
}

/**
 * Returns true if a command equals another one except that programs are resolved, options may be added or
 * moved, and git revisions are limited to commits.
 */
function isElaborated(command: LiteralCommand, asked: LiteralCommand): boolean {
  return (
    command.pipelines.length === asked.pipelines.length &&
    command.pipelines.every(({ after, programs, keepsOutput, readsKept }, index) => {
      const pipeline = asked.pipelines[index];
      return (
        pipeline?.after === after &&
        pipeline.keepsOutput === keepsOutput &&
        pipeline.readsKept === readsKept &&
        pipeline.programs.length === programs.length &&
        programs.every((program, at) => isSameProgram(program, pipeline.programs[at]))
      );
    })
  );
}

function isSameProgram(program: LiteralProgram, asked: LiteralProgram | undefined): boolean {
  if (asked === undefined || nameOf(program) !== nameOf(asked)) return false;
  const { redirections, variables, late } = program;
  const own = [asked.redirections, asked.variables, asked.late];
  if (JSON.stringify([redirections, variables, late]) !== JSON.stringify(own)) return false;
  const left = [...program.arguments];
  return asked.arguments.every((word) => {
    const at = left.findIndex((own) => own === word || withoutLimit(own) === withoutLimit(word));
    if (at !== -1) left.splice(at, 1);
    return at !== -1 || word === "--";
  });
}

/** Limits a revision of git to commits. */
const COMMIT_ONLY = "^{commit}";

function withoutLimit(word: string): string {
  return word.replaceAll(COMMIT_ONLY, "");
}

function nameOf({ program }: LiteralProgram): string {
  return program.slice(program.lastIndexOf("/") + 1);
}
