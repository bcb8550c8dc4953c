import type { Assignment, Command } from "unbash";
import type { LiteralProgram } from "../literal/literal-command.js";
import { SHELL_BUILTINS } from "../literal/reader.js";
import { NotExpandable } from "./expanded-command.js";
import { testOutcome } from "./file-tests.js";
import { folderChange } from "./folder-change.js";
import { findCommand, type ItemCommand, xargsCommand } from "./invocations.js";
import { isLate, withLateWords } from "./late-words.js";
import { redirectionsOf } from "./redirections.js";
import type { SharedExpansion, ShellState } from "./shell-state.js";
import { fieldsOf, textOf, type WordMeans } from "./words.js";
import { unwrapped } from "./wrappers.js";

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/su;
const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da)?sh$/;
const PROGRAM = /^[A-Za-z0-9_./[][\w./+:@,-]*$/;

/** A simple command after its words were expanded. */
export type SimpleResult =
  | { readonly kind: "program"; readonly program: LiteralProgram }
  /** It changed the shell only, or its outcome was computed. */
  | { readonly kind: "done" }
  /** It changes the folder, and may print folders. */
  | { readonly kind: "folder"; readonly programs: readonly LiteralProgram[] }
  /** A shell with a script. */
  | { readonly kind: "script"; readonly source: string }
  /** A program that runs another one for each item: of the output of `input`, or of the stages before it. */
  | {
      readonly kind: "items";
      readonly command: ItemCommand;
      readonly input: LiteralProgram | undefined;
    }
  /** `read` of the first line of a redirection. */
  | {
      readonly kind: "read";
      readonly words: readonly string[];
      readonly separators: string | undefined;
      readonly input: LiteralProgram;
    }
  /** It ends the script with the outcome of a program, or with the last one. */
  | { readonly kind: "exit"; readonly program: LiteralProgram | undefined };

/** Words of a command with its variables and redirections. */
interface Given {
  readonly words: readonly string[];
  readonly redirections: LiteralProgram["redirections"];
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Expands a simple command.
 * @param node - as parsed by the grammar
 * @param state - state of the shell, which builtins change
 * @param shared - files and work of the expansion
 * @param means - expansion of its words
 * @throws NotExpandable when only a shell can run it
 */
export async function simpleCommand(
  node: Command,
  state: ShellState,
  shared: SharedExpansion,
  means: WordMeans,
): Promise<SimpleResult> {
  const assigned: Record<string, string> = {};
  for (const part of node.prefix) {
    if (part.type === "Assignment") assigned[part.name] = await assignedText(part, means);
  }
  const words: string[] = [];
  if (node.name !== undefined) words.push(...(await fieldsOf(node.name, means)));
  for (const part of node.args) {
    if (part.type === "Assignment") words.push(`${part.name}=${await assignedText(part, means)}`);
    else words.push(...(await fieldsOf(part, means)));
  }
  const redirections = await redirectionsOf(node.redirects, means);
  if (words.length > 0) {
    return await commandOf({ words, redirections, variables: assigned }, state, shared);
  }
  if (redirections.length > 0) throw new NotExpandable("a redirection alone");
  for (const [name, value] of Object.entries(assigned)) state.set(name, value);
  state.status = true;
  return { kind: "done" };
}

/**
 * Expands a command that is given by its words.
 * @param given - words, redirections and variables
 * @param state - state of the shell, which builtins change
 * @param shared - files and work of the expansion
 * @throws NotExpandable when only a shell can run it
 */
async function commandOf(
  given: Given,
  state: ShellState,
  shared: SharedExpansion,
): Promise<SimpleResult> {
  const { words, variables } = unwrapped(given.words);
  const [name = "", ...rest] = words;
  const all = { ...state.exported, ...given.variables, ...variables };
  const isPlain = given.redirections.length === 0 && Object.keys(all).length === 0;
  const programOf = (program: string): LiteralProgram => ({
    program,
    ...withLateWords(program, rest),
    redirections: given.redirections,
    ...(Object.keys(all).length === 0 ? {} : { variables: all }),
  });
  switch (name) {
    case ":":
      if (!isPlain) throw new NotExpandable(name);
      state.status = true;
      return { kind: "done" };
    case "cd":
    case "pushd":
    case "popd":
      if (Object.keys(all).length > 0) throw new NotExpandable(name);
      return {
        kind: "folder",
        programs: await folderChange([name, ...rest], given.redirections, state, shared.scene),
      };
    case "exit": {
      const [code, ...more] = rest;
      if (!isPlain || more.length > 0 || !/^[01]?$/.test(code ?? "")) throw new NotExpandable(name);
      const program = code === "0" ? "true" : "false";
      return { kind: "exit", program: code === undefined ? undefined : plain(program) };
    }
    case "set":
      if (!isPlain) throw new NotExpandable(name);
      setOptions(rest, state);
      return { kind: "done" };
    case "export":
      for (const word of rest) {
        const [, variable = word, value] = ASSIGNMENT.exec(word) ?? [];
        if (!/^[A-Za-z_]\w*$/.test(variable)) throw new NotExpandable(name);
        state.export(variable, value);
      }
      state.status = true;
      return { kind: "done" };
    case "unset":
      for (const word of rest) state.unset(word);
      state.status = true;
      return { kind: "done" };
    case "test":
    case "[":
      return await test(name, rest, programOf, state, shared);
    case "read": {
      const { IFS: separators, ...others } = given.variables;
      const input = inputOf({ ...given, variables: {} });
      if (Object.keys(others).length > 0 || input === undefined) throw new NotExpandable(name);
      return { kind: "read", words: rest, separators, input };
    }
    case "xargs":
      return itemsOf(xargsCommand(rest), inputOf(given));
    case "find": {
      const found = findCommand(rest);
      if (found === undefined) break;
      if (given.redirections.some(({ descriptor }) => descriptor !== 2))
        throw new NotExpandable(name);
      const find = { program: "find", arguments: found.find, redirections: [] };
      return { kind: "items", command: found.command, input: find };
    }
    default:
  }
  if (SHELL.test(name)) {
    const [option = "", source, ...more] = rest;
    if (
      !isPlain ||
      !/^-l?c$/.test(option) ||
      source === undefined ||
      more.length > 0 ||
      isLate(source)
    ) {
      throw new NotExpandable(name);
    }
    return { kind: "script", source };
  }
  if (SHELL_BUILTINS.has(name) || !PROGRAM.test(name)) throw new NotExpandable(name);
  return { kind: "program", program: programOf(name) };
}

function plain(program: string): LiteralProgram {
  return { program, arguments: [], redirections: [] };
}

function itemsOf(command: ItemCommand, input: LiteralProgram | undefined): SimpleResult {
  const { file } = command;
  if (file === undefined) return { kind: "items", command, input };
  if (input !== undefined || isLate(file) || !/^[^-]/.test(file)) throw new NotExpandable("xargs");
  const cat = { program: "cat", arguments: [file], redirections: [] };
  return { kind: "items", command, input: cat };
}

/** Returns the program that prints the input of `xargs`, where a redirection gives it. */
function inputOf({ redirections, variables }: Given): LiteralProgram | undefined {
  const inputs = redirections.filter(({ descriptor }) => descriptor === 0);
  const others = redirections.filter(({ descriptor }) => descriptor !== 0);
  const isQuiet = others.every(
    ({ descriptor, target }) => descriptor === 2 && target === "/dev/null",
  );
  if (inputs.length > 1 || !isQuiet || Object.keys(variables).length > 0) {
    throw new NotExpandable("xargs");
  }
  return inputs.length === 0 ? undefined : { program: "cat", arguments: [], redirections: inputs };
}

async function assignedText(
  { value, append, index }: Assignment,
  means: WordMeans,
): Promise<string> {
  if (value.type !== "Word" || append === true || index !== undefined) {
    throw new NotExpandable("an array");
  }
  return await textOf(value, means);
}

function setOptions(words: readonly string[], state: ShellState): void {
  for (const [index, word] of words.entries()) {
    if (/^-[eu]*o$/.test(word) && words[index + 1] === "pipefail") continue;
    if (word === "pipefail" && /o$/.test(words[index - 1] ?? "")) continue;
    if (!/^[-+][eu]+$/.test(word)) throw new NotExpandable("set");
  }
  for (const word of words) {
    if (/^-[^-]*e/.test(word)) state.endsOnFailure = true;
    if (/^\+.*e/.test(word)) state.endsOnFailure = false;
  }
  state.status = true;
}

async function test(
  name: string,
  given: readonly string[],
  programOf: (program: string) => LiteralProgram,
  state: ShellState,
  { scene, computed }: SharedExpansion,
): Promise<SimpleResult> {
  const words = name === "[" ? given.slice(0, -1) : given;
  if (name === "[" && given.at(-1) !== "]") throw new NotExpandable(name);
  const own = { ...programOf("test"), arguments: words };
  if (words.some(isLate)) throw new NotExpandable(name);
  const outcome = await testOutcome(words, { folder: state.folder, files: scene.files });
  if (outcome === undefined) return { kind: "program", program: own };
  computed.push({ program: own, folder: state.folder });
  state.status = outcome;
  return { kind: "done" };
}

/**
 * Returns the program that `xargs` or `find` starts for its items, without standard input.
 * @param words - program and arguments
 * @param state - state of the shell, which stays as it is
 * @param shared - files and work of the expansion
 * @throws NotExpandable when it is not a program
 */
export async function startedProgram(
  words: readonly string[],
  state: ShellState,
  shared: SharedExpansion,
): Promise<LiteralProgram> {
  const nothing = { descriptor: 0, operator: "<", target: "/dev/null" } as const;
  const given = { words, redirections: [nothing], variables: {} };
  const found = await commandOf(given, state.copy(shared.scene), shared);
  if (found.kind !== "program") throw new NotExpandable("an item");
  return found.program;
}
