import type { SimpleCommand } from "@openclaw/plugin-sdk/hooks";

/**
 * Variables that decide which code runs; a command that sets one always needs approval (APPR-039).
 */
export const DECIDING_VARIABLE =
  /^(?:PATH|LD_.*|DYLD_.*|IFS|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|BASH_FUNC_.*)$/;

const KNOWN =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|CI|TERM|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE)$/;
/** Pagers, of which `cat` and an empty one start nothing else. */
const PAGER = /^(?:GIT_)?PAGER$/;
const KNOWN_VALUE = /^[\w.:,@+-]*$/;
/** Arguments and step of a workflow, which only its own commands read. */
const WORKFLOW = /^LOBSTER_(?:ARG_[A-Z0-9_]+|ARGS_JSON|STEP_ID)$/;
/** Lower-case names; programs read none of them, except the excluded proxy variables. */
const LOWER_CASE = /^(?!.*_proxy$)[a-z_][a-z0-9_]*$/;

/**
 * Returns whether a variable is harmless: no program runs other code because of it.
 * @param name - name of the variable
 * @param value - undefined when it is computed at run time
 */
function isHarmlessVariable(name: string, value: string | undefined): boolean {
  if (WORKFLOW.test(name)) return true;
  if (PAGER.test(name)) return value === "" || value === "cat";
  if (KNOWN.test(name)) return value !== undefined && KNOWN_VALUE.test(value);
  return LOWER_CASE.test(name);
}

/**
 * Returns the first variable of a call that is not harmless; undefined when all are.
 * @param environment - variables that the call sets
 */
export function unsafeVariable(
  environment: Readonly<Record<string, unknown>> = {},
): string | undefined {
  return Object.entries(environment).find(
    ([name, value]) => !isHarmlessVariable(name, typeof value === "string" ? value : undefined),
  )?.[0];
}

/**
 * Returns whether a program may get a variable without approval: one that changes only how it prints.
 * @param name - name of the variable
 * @param value - its value
 */
export function isPassedHarmlessly(name: string, value: string): boolean {
  return PAGER.test(name)
    ? value === "" || value === "cat"
    : KNOWN.test(name) && KNOWN_VALUE.test(value);
}

/**
 * Returns the variable that decides which code runs and that a command sets, itself or by `export`;
 * undefined when it sets none.
 * @param command - command with its assignments
 */
export function decidingVariable(command: SimpleCommand): string | undefined {
  const exported = DECLARES.has(command.program ?? "")
    ? command.arguments.flatMap((word) => word?.split("=")[0] ?? [])
    : [];
  // `read` alone uses the separator that is set for it.
  const isRead = command.program === "read" && command.wrappers.length === 0;
  const assigned = command.assignments.filter(
    ({ name, value }) => !(isRead && name === "IFS" && value !== undefined),
  );
  return [...assigned.map(({ name }) => name), ...exported].find((name) =>
    DECIDING_VARIABLE.test(name),
  );
}

const DECLARES = new Set(["export", "declare", "typeset", "readonly", "local"]);
