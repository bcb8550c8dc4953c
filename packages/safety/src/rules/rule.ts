import type { ParsedCommand } from "../shell/grammar/parsed-command.js";
import type { ContextActions, SafetyContext } from "./action.js";
import type { CommandClass } from "./command-class.js";
import type { Detector } from "./detector.js";
import type { Severity } from "./severity.js";

/** Description of a rule. */
interface RuleFacts {
  /** Stable name in snake case, which is also its heading in the reference. */
  readonly id: string;
  /** Title in a few words, for lists. */
  readonly title: string;
  /** Reason why a match matters, in one or two sentences. */
  readonly reason: string;
  readonly severity: Severity;
  /** Examples that match and examples that do not; a test checks each of them. */
  readonly examples: { readonly match: readonly string[]; readonly clean: readonly string[] };
}

interface TextRuleFacts extends RuleFacts {
  readonly actions: ContextActions;
  readonly detector: Detector;
}

/** Kind of a secret in the replacement `[REDACTED_<label>]` in a log (SAFE-055). */
export type LogLabel =
  | "API_KEY"
  | "BEARER"
  | "BASIC_AUTH"
  | "AWS_KEY"
  | "AWS_SECRET"
  | "EMAIL"
  | "JWT"
  | "PRIVATE_KEY"
  | "HEX_SECRET"
  | "CONNECTION_STRING"
  | "PASSWORD"
  | "GITHUB_TOKEN"
  | "SLACK_TOKEN";

/** Finds a secret by its form, anywhere in a text (SAFE-014 to SAFE-023). */
export interface LeakRule extends TextRuleFacts {
  readonly kind: "leak";
  readonly label: LogLabel;
}

/** Way in which a confirmed marker is made harmless (SAFE-028). */
export type MarkerEscape = "token" | "backslash" | "role" | "remove";

/** Finds text that addresses the model instead of the reader (SAFE-026, SAFE-027). */
export interface InjectionRule extends TextRuleFacts {
  readonly kind: "injection";
  /** Text that is searched: the shadow copy, or the text itself. */
  readonly sees: "shadow" | "text";
  /** Canonical wording, which is the preview of its findings. */
  readonly marker: string;
  /** Set for confirmed markers only. */
  readonly escape?: MarkerEscape | undefined;
}

/** Finds content that a tool's parameters should not have (SAFE-037 to SAFE-042). */
export interface PolicyRule extends TextRuleFacts {
  readonly kind: "policy";
  /** Returns whether a match is harmless in its context. */
  exempt?(matched: string, context: SafetyContext): boolean;
}

/** Finds unusual properties of a complete text (SAFE-035). */
export interface ValidationRule extends TextRuleFacts {
  readonly kind: "validation";
}

/** Finds data that a log should not contain, in addition to leaks (SAFE-055). */
export interface LogRule extends TextRuleFacts {
  readonly kind: "log";
  readonly label: LogLabel;
}

/** Evaluates a parsed shell command (SAFE-043 to SAFE-045). */
export interface ShellRule extends RuleFacts {
  readonly kind: "shell";
  readonly class: Exclude<CommandClass, "normal">;
  /**
   * Returns the indexes into `commands` of the commands that match; -1 means the complete command
   * line.
   */
  match(command: ParsedCommand): readonly number[];
}

export type TextRule = LeakRule | InjectionRule | ValidationRule | PolicyRule | LogRule;

export type SafetyRule = TextRule | ShellRule;
