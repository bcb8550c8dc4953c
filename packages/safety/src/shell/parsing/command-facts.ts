import { elementAt } from "../../text/checked-index.js";
import { isShell, programName } from "../grammar/names.js";
import type { ParsedCommand, SimpleCommand } from "../grammar/parsed-command.js";
import { isTextProgram } from "../grammar/text-program.js";
import { readsCommands } from "../wrappers/shell-input.js";

/** Command as its rules see it: name without folder, and the other words. */
export interface CommandView {
  readonly name: string;
  readonly words: readonly (string | undefined)[];
}

const SHORTEST_LONG_OPTION = 3;
const HARMLESS_DEVICE =
  /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty\d*|fd\/\d+|pts\/\d+|shm\/.+|u?random)$/;
const DEVICE = /^\/dev\/./;
const DISK =
  /^\/dev\/(?:[hsv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|disk\/|mapper\/|md\d|dm-\d|loop\d|mem$|kmem$|port$)/;
const GLOB_SEGMENT = /^(?:[*?.{},!]|\[[^\]]*\])+$/;
/** Names of programs that can appear among the words of a program that runs them. */
const HIDEABLE = /^(?:rm|dd|chmod|mkfs(?:\..+)?)$/;
/**
 * Maximum number of such names that are followed, because each causes the words after it to be read
 * again; a command with more counts as not readable.
 */
const MOST_VIEWS = 32;
const REMOTE_SHELL = new Set(["docker", "podman", "nerdctl", "kubectl", "lxc", "incus"]);

/** Returns the name of a command's program; empty when it is computed or missing. */
export function nameOf({ program }: Pick<SimpleCommand, "program">): string {
  return programName(program) ?? "";
}

/** Returns a command, and the possible commands among the words of a program that may run them. */
export function viewsOf(command: SimpleCommand): CommandView[] {
  const name = nameOf(command);
  const views: CommandView[] = [{ name, words: command.arguments }];
  if (isTextProgram(name)) return views;
  for (const [index, word] of command.arguments.entries()) {
    const inner = programName(word);
    if (views.length > MOST_VIEWS) break;
    if (inner !== undefined && HIDEABLE.test(inner)) {
      views.push({ name: inner, words: command.arguments.slice(index + 1) });
    }
  }
  return views;
}

/**
 * Returns whether the words of a command contain more possible commands than {@link viewsOf}
 * returns.
 * @param words - words of a command
 */
export function hidesMore(words: readonly (string | undefined)[]): boolean {
  let left = MOST_VIEWS;
  for (const word of words) {
    const inner = programName(word);
    if (inner === undefined || !HIDEABLE.test(inner)) continue;
    left -= 1;
    if (left < 0) return true;
  }
  return false;
}

/**
 * Returns whether an option is given, also within a cluster of letters or abbreviated.
 * @param words - words of a command
 * @param letters - letters of which any may follow a single dash
 * @param long - names of which any may follow two dashes
 */
export function hasOption(
  words: readonly (string | undefined)[],
  letters: string,
  long: readonly string[] = [],
): boolean {
  const end = words.indexOf("--");
  return (end === -1 ? words : words.slice(0, end)).some((word) => {
    if (word === undefined || !word.startsWith("-")) return false;
    if (!word.startsWith("--"))
      return [...word.slice(1)].some((letter) => letters.includes(letter));
    const [name = ""] = word.slice(2).split("=");
    return long.some(
      (known) => known === name || (name.length >= SHORTEST_LONG_OPTION && known.startsWith(name)),
    );
  });
}

/** Returns the words that are not options. */
export function operandsOf(words: readonly (string | undefined)[]): (string | undefined)[] {
  const end = words.indexOf("--");
  const isOperand = (word: string | undefined) => word === undefined || !/^-./.test(word);
  if (end === -1) return words.filter(isOperand);
  return [...words.slice(0, end).filter(isOperand), ...words.slice(end + 1)];
}

/**
 * Returns whether a path is the root folder or everything in it.
 * @param path - word; undefined when computed
 * @param folder - folder in which a relative path is resolved, if it is known
 */
export function isRoot(path: string | undefined, folder?: string): boolean {
  if (path === undefined || path === "") return false;
  const absolute = path.startsWith("/")
    ? path
    : folder === undefined
      ? undefined
      : `${folder}/${path}`;
  if (absolute === undefined) return false;
  const segments: string[] = [];
  for (const segment of absolute.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.every((segment) => GLOB_SEGMENT.test(segment));
}

/** Returns whether a path is a device on which a write destroys data. */
export function isDevice(path: string | undefined): boolean {
  return path !== undefined && DEVICE.test(path) && !HARMLESS_DEVICE.test(path);
}

/** Returns whether a path is a disk, a partition, or the memory. */
export function isDisk(path: string | undefined): boolean {
  return path !== undefined && DISK.test(path);
}

/** Returns whether a command runs its standard input as code. */
export function runsInput(command: Pick<SimpleCommand, "program" | "arguments">): boolean {
  const { program, arguments: words } = command;
  if (readsCommands(program, words)) return true;
  switch (nameOf(command)) {
    case "sudo":
    case "doas":
      return hasOption(words, "si", ["shell", "login"]);
    case "su":
    case "batch":
      return true;
    case "at":
      return !hasOption(words, "fldrcqV");
    case "ssh":
      return !hasOption(words, "N");
    case "source":
    case ".":
      return words[0] === "/dev/stdin";
    default:
      return REMOTE_SHELL.has(nameOf(command)) && isShell(programName(words.at(-1)));
  }
}

/**
 * Returns the commands whose output reaches a command through pipes or substitutions, directly or
 * indirectly.
 * @param index - index of the command
 */
export function sourcesOf(parsed: ParsedCommand, index: number): SimpleCommand[] {
  const seen = new Set<number>();
  const queue = [index];
  for (const next of queue) {
    const { input, substitutions } = elementAt(parsed.commands, next);
    for (const source of [...input, ...substitutions]) {
      if (seen.has(source)) continue;
      seen.add(source);
      queue.push(source);
    }
  }
  return parsed.commands.filter((_, place) => seen.has(place));
}

/**
 * Returns the match function of a rule from a condition on single commands.
 * @param condition - receives a command, the parsed command line, and the command's index
 */
export function eachCommand(
  condition: (command: SimpleCommand, parsed: ParsedCommand, index: number) => boolean,
): (parsed: ParsedCommand) => number[] {
  return (parsed) =>
    parsed.commands.flatMap((command, index) => (condition(command, parsed, index) ? [index] : []));
}
