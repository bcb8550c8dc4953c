import type { ShellRule } from "../../rules/rule.js";
import { BLOCKED_COMMAND_RULES } from "./blocked-commands.js";
import { CODE_COMMAND_RULES } from "./code-commands.js";
import { FILE_COMMAND_RULES } from "./file-commands.js";
import { HIDDEN_CODE_RULES } from "./hidden-code.js";
import { INJECTION_COMMAND_RULES } from "./injection-commands.js";
import { PROJECT_COMMAND_RULES } from "./project-commands.js";
import { SYSTEM_COMMAND_RULES } from "./system-commands.js";

/** Every built-in rule that evaluates a parsed shell command. */
export const SHELL_RULES: readonly ShellRule[] = [
  ...BLOCKED_COMMAND_RULES,
  ...INJECTION_COMMAND_RULES,
  ...CODE_COMMAND_RULES,
  ...HIDDEN_CODE_RULES,
  ...FILE_COMMAND_RULES,
  ...SYSTEM_COMMAND_RULES,
  ...PROJECT_COMMAND_RULES,
];
