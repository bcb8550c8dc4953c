import type { ParsedCommand } from "../shell/grammar/parsed-command.js";
import type { ContextActions, SafetyContext } from "./action.js";
import type { CommandClass } from "./command-class.js";
import type { Detector } from "./detector.js";
import type { Severity } from "./severity.js";

/** What every rule tells about itself. */
interface RuleFacts {
  /** Stable name, in snake case; also the name of its page in the reference. */
  readonly id: string;
  /** A few words for a list. */
  readonly title: string;
  /** Why a match matters, in one sentence or two. */
  readonly reason: string;
  readonly severity: Severity;
  /** Texts that match and texts that do not; every one of them is tested. */
  readonly examples: { readonly match: readonly string[]; readonly clean: readonly string[] };
}

interface TextRuleFacts extends RuleFacts {
  readonly actions: ContextActions;
  readonly detector: Detector;
}

/** What stands in a log in the place of a secret, as `[REDACTED_<label>]` (SAFE-055). */
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

/** Finds a secret by its own form, wherever it stands (SAFE-014 to SAFE-023). */
export interface LeakRule extends TextRuleFacts {
  readonly kind: "leak";
  readonly label: LogLabel;
}

/** How a confirmed marker is made harmless (SAFE-028). */
export type MarkerEscape = "token" | "backslash" | "role" | "remove";

/** Finds text that speaks to the model instead of to the reader (SAFE-026, SAFE-027). */
export interface InjectionRule extends TextRuleFacts {
  readonly kind: "injection";
  /** The text on which it looks: the shadow copy, or the text itself. */
  readonly sees: "shadow" | "text";
  /** The wording it is known by; the preview of its findings. */
  readonly marker: string;
  /** Present on confirmed markers alone. */
  readonly escape?: MarkerEscape | undefined;
}

/** Finds what a tool's parameters should not say (SAFE-037 to SAFE-042). */
export interface PolicyRule extends TextRuleFacts {
  readonly kind: "policy";
  /** Whether a match means nothing where it stands. */
  exempt?(matched: string, context: SafetyContext): boolean;
}

/** Finds texts that are odd as a whole (SAFE-035). */
export interface ValidationRule extends TextRuleFacts {
  readonly kind: "validation";
}

/** Finds what a log should not hold, beside the leaks (SAFE-055). */
export interface LogRule extends TextRuleFacts {
  readonly kind: "log";
  readonly label: LogLabel;
}

/** Judges a parsed shell command (SAFE-043 to SAFE-045). */
export interface ShellRule extends RuleFacts {
  readonly kind: "shell";
  readonly class: Exclude<CommandClass, "normal">;
  /**
   * Indexes into `commands` of the commands that match; -1 stands for the command line as a whole.
   */
  match(command: ParsedCommand): readonly number[];
}

export type TextRule = LeakRule | InjectionRule | ValidationRule | PolicyRule | LogRule;

export type SafetyRule = TextRule | ShellRule;
