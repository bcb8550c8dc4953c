import type { GrantReach } from "@openclaw/plugin-sdk/approvals";
import type { LiteralCommand, ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { CallPlace } from "./command-place.js";
import type { EffectiveRules } from "./config.js";
import type { ContainedCommand } from "./contained/command.js";
import type { DecidingRule, Decision, EvaluatedCommand } from "./decision.js";

/** Call of a shell tool. */
export interface ShellCall extends CallPlace {
  readonly agentId?: string | undefined;
  /** Variables that the call sets. */
  readonly environment?: Readonly<Record<string, unknown>> | undefined;
}

/** Result of the evaluation of a call. */
export interface CommandVerdict {
  readonly decision: Decision;
  /** Reason in one sentence, for display. */
  readonly reason: string;
  readonly commands: readonly EvaluatedCommand[];
  /** Rule or setting that decides; absent when every program is on a list. */
  readonly rule?: DecidingRule | undefined;
  /** True when every program is on a list. */
  readonly listed: boolean;
  /**
   * Command that runs without approval, with resolved programs; absent when the call needs
   * approval.
   */
  readonly run?: LiteralCommand | undefined;
  /**
   * For a literal command that needs approval only because of programs that are on no list: the
   * command with resolved programs, and the positions of those programs.
   */
  readonly grantable?: GrantableCommand | undefined;
  /**
   * For a command that needs approval only because no table covers it: how it runs without approval where a read-only
   * sandbox is active.
   */
  readonly contained?: ContainedCommand | undefined;
  /**
   * True when the whole command is known to only read the workspace, so that a read-only sandbox
   * does not restrict it.
   */
  readonly readsOnly: boolean;
  /**
   * True when approval is needed only because the effect of the command is unclear, although all of
   * it was read.
   */
  readonly isDoubt: boolean;
  /** True when a rule that covers a program requires the workspace-writable sandbox. */
  readonly inSandbox: boolean;
  readonly rules: Pick<EffectiveRules, "security" | "ask" | "askFallback">;
}

/** Literal command that may run once some of its programs are granted. */
export interface GrantableCommand {
  readonly command: LiteralCommand;
  /** Positions of the programs that need a grant, counted through all pipelines from 0. */
  readonly uncovered: readonly number[];
  /** For each of these programs, how far a grant can reach. */
  readonly reach: readonly GrantReach[];
}

/**
 * Evaluates calls of shell tools by the command that the host parsed; runs and parses nothing
 * (APPR-038).
 */
export interface CommandEvaluator {
  /**
   * @param parsed - command as parsed by the host's grammar
   * @param call - place and requester of the call
   */
  evaluate(parsed: ParsedCommand, call: ShellCall): Promise<CommandVerdict>;
}
