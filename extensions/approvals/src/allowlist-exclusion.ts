import type { ParsedCommand, SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import type { CommandPlace } from "./command-place.js";
import { DECIDING_VARIABLE, isHarmlessVariable } from "./variable.js";

/** Wrappers that run a command and change nothing of it, with the words they may be given. */
const TRANSPARENT: ReadonlyMap<string, RegExp> = new Map([
  ["builtin", /^$/],
  ["command", /^-p$/],
  ["env", /^[A-Za-z_][A-Za-z0-9_]*=/],
  ["nice", /^(?:-n|--adjustment=)?-?\d*$/],
  ["nohup", /^$/],
  ["stdbuf", /^(?:-[ioe])?(?:[L0]|\d+[KMG]?)?$/],
  ["time", /^-p$/],
  [
    "timeout",
    /^(?:-[ksv]|--foreground|--preserve-status|--verbose|(?:-k|--kill-after=)?\d+(?:\.\d+)?[smhd]?|(?:-s|--signal=)?[A-Z]+\d*)$/,
  ],
]);
const SHELL = /^(?:ba|da)?sh$/;
const SHELL_OPTION = /^-[celux]+$/;

/**
 * Why no list can vouch for a command, because of what stands around its program; undefined when one can.
 * @param parsed - all of the call's command
 * @param command - one of its commands
 * @param place - where it would run
 */
export async function whatStandsAround(
  parsed: ParsedCommand,
  command: SimpleCommand,
  { workspace, search }: CommandPlace,
): Promise<string | undefined> {
  const [feature] = parsed.features;
  if (feature !== undefined) return `the command uses ${FEATURE_NAMES[feature]}`;
  const [definition] = parsed.definitions;
  if (definition !== undefined) return `the command defines ${definition.kind} ${definition.name}`;
  for (const { name, value } of command.assignments) {
    if (!isHarmlessVariable(name, value)) return `it sets ${name}`;
  }
  for (const { program, arguments: words } of command.wrapperCommands) {
    const name = program.slice(program.lastIndexOf("/") + 1);
    const isFound = await search.means(program, name, workspace);
    const passes = SHELL.test(name) ? isCode(words) : isPlain(name, words);
    if (!isFound || !passes) return `it runs inside ${[program, ...words].join(" ")}`;
  }
  return undefined;
}

const FEATURE_NAMES: Readonly<Record<ParsedCommand["features"][number], string>> = {
  arithmetic: "arithmetic, which can run commands that stand in variables",
  test: "[[ ]], which can run commands that stand in variables",
  "parameter-operation": "an expansion that can set variables",
  "process-substitution": "process substitution",
};

function isPlain(wrapper: string, words: readonly (string | undefined)[]): boolean {
  const takes = TRANSPARENT.get(wrapper);
  return takes !== undefined && words.every((word) => word !== undefined && takes.test(word));
}

/** A shell with options and code, and nothing behind it. */
function isCode(words: readonly (string | undefined)[]): boolean {
  const options = words.slice(0, -1);
  return options.length > 0 && options.every((word) => SHELL_OPTION.test(word ?? ""));
}

/**
 * Whether a command sets a variable that decides which code runs, itself or by `export` and its like.
 * @param command - with its assignments
 */
export function decidingVariable(command: SimpleCommand): string | undefined {
  const exported = DECLARES.has(command.program ?? "")
    ? command.arguments.flatMap((word) => word?.split("=")[0] ?? [])
    : [];
  return [...command.assignments.map(({ name }) => name), ...exported].find((name) =>
    DECIDING_VARIABLE.test(name),
  );
}

const DECLARES = new Set(["export", "declare", "typeset", "readonly", "local"]);
