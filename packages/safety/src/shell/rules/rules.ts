import { BLOCKED_COMMAND_RULES } from "./blocked-command-rules.js";
import { CODE_COMMAND_RULES } from "./code-command-rules.js";
import { FILE_COMMAND_RULES } from "./file-command-rules.js";
import { HIDDEN_CODE_RULES } from "./hidden-code-rules.js";
import { INJECTION_COMMAND_RULES } from "./injection-command-rules.js";
import { PROJECT_COMMAND_RULES } from "./project-command-rules.js";
import type { ShellRule } from "./rule.js";
import { SYSTEM_COMMAND_RULES } from "./system-command-rules.js";

/** Every built-in rule that judges a parsed shell command. */
export const SHELL_RULES: readonly ShellRule[] = [
  ...BLOCKED_COMMAND_RULES,
  ...INJECTION_COMMAND_RULES,
  ...CODE_COMMAND_RULES,
  ...HIDDEN_CODE_RULES,
  ...FILE_COMMAND_RULES,
  ...SYSTEM_COMMAND_RULES,
  ...PROJECT_COMMAND_RULES,
];
