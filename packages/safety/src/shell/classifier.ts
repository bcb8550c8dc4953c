import { defined } from "@openclaw/foundation";
import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import { COMMAND_CLASSES, type CommandClass } from "../rules/command-class.js";
import type { RuleSet } from "../rules/set.js";
import type { Severity } from "../rules/severity.js";
import { elementAt } from "../text/checked-index.js";
import type { Range } from "../text/range.js";
import { isShell, programName } from "./grammar/names.js";
import type { ParsedCommand, SimpleCommand } from "./grammar/parsed-command.js";
import { runsInput } from "./parsing/command-facts.js";

/** Reason for the class of a command. */
export interface CommandReason {
  /** ID of the rule, which is also its heading in the reference. */
  readonly rule: string;
  readonly title: string;
  readonly reason: string;
  readonly severity: Severity;
  readonly class: Exclude<CommandClass, "normal">;
  /** Index into `commands`; absent when the complete command line is meant. */
  readonly command?: number;
  /** Offsets into `source`, in UTF-16 code units. */
  readonly range: Range;
}

export interface CommandClassification {
  /** Strongest class of all reasons; `normal` without reasons. */
  readonly class: CommandClass;
  /** Reasons, the strongest first. */
  readonly reasons: readonly CommandReason[];
}

/**
 * Classifies a parsed shell command (SAFE-043 to SAFE-045).
 * @param parsed - result of `parseCommand`
 */
export function classifyCommand(
  parsed: ParsedCommand,
  { rules = BUILT_IN_RULES }: { readonly rules?: RuleSet | undefined } = {},
): CommandClassification {
  const reasons = rules.shell.flatMap((rule) =>
    [...new Set(rule.match(parsed))].map((index): CommandReason => {
      const command = parsed.commands[index];
      return defined({
        rule: rule.id,
        title: rule.title,
        reason: rule.reason,
        severity: rule.severity,
        class: rule.class,
        command: command === undefined ? undefined : index,
        range: command?.range ?? ([0, parsed.source.length] as const),
      });
    }),
  );
  const rank = (reason: CommandReason) => COMMAND_CLASSES.indexOf(reason.class);
  reasons.sort((a, b) => rank(b) - rank(a));
  return { class: reasons[0]?.class ?? "normal", reasons };
}

/**
 * Returns true when text is piped to a shell, whether the shell runs it or passes it to the code of
 * `-c`.
 * @param parsed - result of `parseCommand`
 */
export function pipesToShell({ commands }: ParsedCommand): boolean {
  return commands.some(
    (command) =>
      command.input.length > 0 &&
      (runsInput(command) ||
        command.input.some((source) => entersShell(command, elementAt(commands, source)))),
  );
}

/** Returns true when a shell runs a command, but not the command whose output it reads. */
function entersShell(command: SimpleCommand, source: SimpleCommand): boolean {
  return command.wrapperCommands.some(
    (wrapper) => isShell(programName(wrapper.program)) && !source.wrapperCommands.includes(wrapper),
  );
}
