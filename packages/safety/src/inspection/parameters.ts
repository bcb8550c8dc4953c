import { setImmediate as nextRound } from "node:timers/promises";
import { findLeaks, leakFinding } from "../leaks/scan.js";
import { type SafetyAction, strongestAction } from "../rules/action.js";
import { PATH_RULES } from "../rules/built-in/paths.js";
import { BUILT_IN_RULES, SAFETY_RULES } from "../rules/built-in/rules.js";
import { type Finding, limitFindings } from "../rules/finding.js";
import type { RuleSet } from "../rules/set.js";
import { type CommandClassification, classifyCommand } from "../shell/classifier.js";
import type { ParsedCommand } from "../shell/grammar/parsed-command.js";
import { withKnownVariables } from "../shell/literal/known-variables.js";
import { parseCommand, parseCommandAtOnce } from "../shell/parsing/parser.js";
import { SAME_OFFSETS } from "../text/offset-map.js";
import { TextViews } from "../text/views.js";
import { memberOf, type ParameterRole, parameterRole } from "./parameter-role.js";
import { findPolicyMatches, policyFinding } from "./policy-scan.js";
import {
  memberPath,
  type ValidationError,
  type ValidationOptions,
  type ValidationWarning,
  validateParameters,
} from "./validator.js";

export interface ParameterOptions {
  /** JSON Schema of the tool's parameters; `format` and `x-safety-role` define the role of each. */
  readonly schema?: unknown;
  /** Roles by field, such as `options.target`; they override schema and name. */
  readonly roles?: Readonly<Record<string, ParameterRole>> | undefined;
  readonly validation?: ValidationOptions | undefined;
  /** Rules in force; default the built-in ones. */
  readonly rules?: RuleSet | undefined;
}

/** Finding in one parameter; its range refers to the text of the field. */
export interface ParameterFinding extends Finding {
  /** Path such as `metadata.tags[1]`. */
  readonly field: string;
}

/** Parameter that is a shell command, parsed once for all consumers. */
export interface ParameterCommand {
  readonly field: string;
  readonly command: ParsedCommand;
  readonly evaluation: CommandClassification;
}

export interface ParameterInspection {
  /** True when the call must be denied. */
  readonly blocked: boolean;
  /**
   * True when a rule requires a person's approval, or a command has class explicit or injection.
   */
  readonly needsReview: boolean;
  /** Errors of form and length, which block the call (SAFE-034, SAFE-036). */
  readonly errors: readonly ValidationError[];
  readonly warnings: readonly ValidationWarning[];
  readonly findings: readonly ParameterFinding[];
  readonly commands: readonly ParameterCommand[];
}

/** Maximum number of characters that are searched before other work gets a turn. */
const LONGEST_UNBROKEN = 32_768;
const PATH_RULE_IDS = new Set(PATH_RULES.map(({ id }) => id));
const BUILT_IN_IDS = new Set(SAFETY_RULES.map(({ id }) => id));

/**
 * Checks the parameters of a tool call (SAFE-034 to SAFE-044): every string by its role (SAFE-041),
 * commands by the shell grammar. When the validation fails, nothing else is checked.
 * @param params - JSON value
 */
export async function inspectParameters(
  params: unknown,
  { schema, roles = {}, validation = {}, rules = BUILT_IN_RULES }: ParameterOptions = {},
): Promise<ParameterInspection> {
  const { valid, errors, warnings } = validateParameters(params, validation);
  const texts = valid ? [...textsIn(params, { field: "", role: "unknown", schema, roles })] : [];
  const findings: ParameterFinding[] = [];
  let unbroken = 0;
  for (const text of texts) {
    unbroken += text.text.length;
    findings.push(...(await findingsIn(text, rules, unbroken > LONGEST_UNBROKEN)));
    if (unbroken > LONGEST_UNBROKEN) unbroken = 0;
  }
  const commands = await Promise.all(
    texts
      .filter(({ role }) => role === "command")
      .map(async ({ field, text }): Promise<ParameterCommand> => {
        const read = withKnownVariables(text, variablesOf(params));
        const command = { ...(await parseCommand(read)), source: text };
        return { field, command, evaluation: classifyCommand(command, { rules }) };
      }),
  );
  const action = strongestAction(findings.map((finding) => finding.action));
  const classes = commands.map(({ evaluation }) => evaluation.class);
  return {
    blocked: !valid || action === "block" || classes.includes("blocked"),
    needsReview: action === "review" || classes.some((commandClass) => commandClass !== "normal"),
    errors,
    warnings,
    findings,
    commands,
  };
}

/**
 * Returns the first shell command among the parameters of a call, parsed synchronously for callers
 * that cannot await `inspectParameters`, and without an evaluation.
 * @param params - JSON value
 */
export function commandAmong(
  params: unknown,
  { schema, roles = {} }: Pick<ParameterOptions, "schema" | "roles"> = {},
): ParsedCommand | undefined {
  for (const { role, text } of textsIn(params, { field: "", role: "unknown", schema, roles })) {
    if (role !== "command") continue;
    const read = withKnownVariables(text, variablesOf(params));
    return { ...parseCommandAtOnce(read), source: text };
  }
  return undefined;
}

/** Returns the variables that a call sets for its command. */
function variablesOf(params: unknown): Readonly<Record<string, unknown>> {
  if (typeof params !== "object" || params === null || !("env" in params)) return {};
  const { env } = params;
  return typeof env === "object" && env !== null ? { ...env } : {};
}

interface Place {
  readonly field: string;
  readonly role: ParameterRole;
  readonly schema: unknown;
  readonly roles: Readonly<Record<string, ParameterRole>>;
}

interface ParameterText {
  readonly field: string;
  readonly role: ParameterRole;
  readonly text: string;
}

function* textsIn(value: unknown, place: Place): Iterable<ParameterText> {
  if (typeof value === "string") yield { field: place.field, role: place.role, text: value };
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    const schema = memberOf(place.schema, "items");
    for (const [index, element] of value.entries()) {
      const field = `${place.field}[${index}]`;
      yield* textsIn(element, {
        ...place,
        field,
        schema,
        role: statedRole(field, place) ?? place.role,
      });
    }
    return;
  }
  const properties = memberOf(place.schema, "properties");
  for (const [key, member] of Object.entries(value)) {
    const field = memberPath(place.field, key);
    const schema = memberOf(properties, key);
    const role = statedRole(field, place) ?? parameterRole(key, schema, place.role);
    yield* textsIn(member, { ...place, field, schema, role });
  }
}

function statedRole(field: string, { roles }: Place): ParameterRole | undefined {
  return Object.hasOwn(roles, field) ? roles[field] : undefined;
}

/**
 * Returns the findings in one string.
 * @param isBroken - true lets other work run before each search, because long strings take a while
 */
async function findingsIn(
  { field, role, text }: ParameterText,
  rules: RuleSet,
  isBroken: boolean,
): Promise<ParameterFinding[]> {
  if (isBroken) await nextRound();
  const views = new TextViews(text);
  const leaks = findLeaks(views, "params", rules).map((match) =>
    leakFinding(match, "params", SAME_OFFSETS),
  );
  if (isBroken) await nextRound();
  const policies = findPolicyMatches(views, "params", rules)
    .filter(({ rule }) => applies(rule.id, role))
    .map((match) => policyFinding(match, "params", SAME_OFFSETS))
    .map((finding) => ({ ...finding, action: actionIn(role, finding.action) }));
  return limitFindings([...leaks, ...policies]).map((finding) => ({ ...finding, field }));
}

/**
 * Returns whether a rule applies to a role: added rules apply to every role, built-in ones to some.
 */
function applies(rule: string, role: ParameterRole): boolean {
  if (!BUILT_IN_IDS.has(rule)) return true;
  if (role === "command") return false;
  return role === "path" || role === "url" ? PATH_RULE_IDS.has(rule) : true;
}

/** Reduces every action to a warning in prose and in the body of a file. */
function actionIn(role: ParameterRole, action: SafetyAction): SafetyAction {
  return role === "prose" ? "warn" : action;
}
