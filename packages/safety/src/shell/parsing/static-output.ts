import { decodeEscapes, formatText } from "../grammar/escapes.js";
import { programName } from "../grammar/names.js";
import type { CommandRedirection } from "../grammar/parsed-command.js";

/** Properties of a command that decide its output. */
export interface PrintingCommand {
  readonly program: string | undefined;
  readonly arguments: readonly (string | undefined)[];
  readonly redirections: readonly CommandRedirection[];
  readonly input: readonly number[];
}

/**
 * Maximum length of an output that is computed; a command of 16 KiB cannot print a longer text that
 * matters.
 */
const LONGEST_OUTPUT = 65_536;
/** Maximum number of programs in a row through which a text is followed. */
const MOST_STEPS = 16;
const ECHO_OPTION = /^-[neE]+$/;

type Filter = (input: string, args: readonly string[]) => string | undefined;

/** Programs that print their input, changed in a known way. */
const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ["cat", (input, args) => (args.every((word) => word.startsWith("-")) ? input : undefined)],
  ["tee", (input) => input],
  [
    "rev",
    (input) =>
      input
        .split("\n")
        .map((line) => [...line].reverse().join(""))
        .join("\n"),
  ],
  ["tac", (input) => input.split("\n").reverse().join("\n")],
  [
    "base64",
    (input, args) =>
      args.some((word) => /^(?:-[di]*[dD][di]*|--decode)$/.test(word))
        ? Buffer.from(input, "base64").toString("utf8")
        : undefined,
  ],
  [
    "xxd",
    (input, args) =>
      args.some((word) => /^-[ps]*r/.test(word)) &&
      args.some((word) => /^-r?ps?r?$|^-plain$/.test(word))
        ? Buffer.from(input.replace(/\s/g, ""), "hex").toString("utf8")
        : undefined,
  ],
]);

/**
 * Returns the combined output of some commands, if it is certain.
 * @param commands - all commands read so far
 * @param indexes - indexes of the printing commands, in order
 * @param steps - maximum number of programs that the text may pass through
 */
export function staticOutput(
  commands: readonly PrintingCommand[],
  indexes: readonly number[],
  steps: number = MOST_STEPS,
): string | undefined {
  if (steps === 0) return undefined;
  const outputs = indexes.map((index) => outputOf(commands, index, steps));
  const known = outputs.filter((output) => output !== undefined);
  return known.length === outputs.length && known.length > 0 ? known.join("") : undefined;
}

function outputOf(
  commands: readonly PrintingCommand[],
  index: number,
  steps: number,
): string | undefined {
  const command = commands[index];
  const name = programName(command?.program);
  if (command === undefined || name === undefined) return undefined;
  const args = command.arguments.filter((word) => word !== undefined);
  if (args.length < command.arguments.length) return undefined;
  // The input of any other program does not determine its output.
  const input = FILTERS.has(name)
    ? (standardInput(command) ?? staticOutput(commands, command.input, steps - 1))
    : undefined;
  const output = printed(name, args, input);
  return output === undefined || output.length > LONGEST_OUTPUT ? undefined : output;
}

/** Returns the text of a here-document or here-string. */
function standardInput({
  redirections,
}: Pick<PrintingCommand, "redirections">): string | undefined {
  const last = redirections.findLast(({ operator }) => operator.startsWith("<"));
  if (last === undefined || !last.operator.startsWith("<<")) return undefined;
  return last.operator === "<<<" && last.target !== undefined ? `${last.target}\n` : last.target;
}

function printed(
  name: string,
  args: readonly string[],
  input: string | undefined,
): string | undefined {
  if (name === "echo") return echoed(args);
  if (name === "printf") {
    const [format, ...rest] = args[0] === "--" ? args.slice(1) : args;
    return format === undefined ? undefined : formatText(format, rest);
  }
  return input === undefined ? undefined : FILTERS.get(name)?.(input, args);
}

function echoed(args: readonly string[]): string {
  const start = args.findIndex((word) => !ECHO_OPTION.test(word));
  const options = (start === -1 ? args : args.slice(0, start)).join("");
  const text = start === -1 ? "" : args.slice(start).join(" ");
  return options.includes("e") ? decodeEscapes(text) : text;
}
