import { SHELL_RULES } from "../../shell/rules/rules.js";
import type { SafetyRule } from "../rule.js";
import { compileRules } from "../set.js";
import { TEXT_RULES } from "./text-rules.js";

/** Every built-in rule, as data. */
export const SAFETY_RULES: readonly SafetyRule[] = [...TEXT_RULES, ...SHELL_RULES];

/** Built-in rules with their default actions. */
export const BUILT_IN_RULES = compileRules(SAFETY_RULES);
