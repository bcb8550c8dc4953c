import { elementAt } from "../../text/checked-index.js";
import { programName } from "../grammar/names.js";
import {
  codeOf,
  knownWord,
  type ShellCode,
  type ShellWord,
  type StaticOutput,
  valuesOf,
} from "../grammar/word.js";
import { type InnerCommand, unwrap } from "../wrappers/unwrapping.js";
import { type CommandContext, type Placed, withoutInput, wrapped } from "./command-draft.js";
import { runsInput } from "./command-facts.js";
import type { CommandList } from "./command-list.js";
import { staticOutput } from "./static-output.js";

/** Maximum nesting of wrappers, substitutions and nested code that is followed (APPR-039). */
export const DEEPEST = 16;
/**
 * Maximum number of characters of nested code, because each level of nesting reads its content once
 * more.
 */
const MOST_CODE = 32_768;

/** Reads nested code, and returns the indexes of the commands that print to its output. */
type ReadSource = (source: string, around: CommandContext) => number[];

/** Reads the words of commands: programs, the commands that they run, and nested code. */
export class WordReader {
  readonly #list: CommandList;
  readonly #readSource: ReadSource;
  #codeLeft = MOST_CODE;

  constructor(list: CommandList, readSource: ReadSource) {
    this.#list = list;
    this.#readSource = readSource;
  }

  /** Reads a command as words, and returns the indexes of the commands it runs. */
  read(words: readonly ShellWord[], around: Placed, outputOf: StaticOutput): number[] {
    const [program = knownWord(""), ...rest] = words;
    const name = program.isPattern ? undefined : programName(program.value);
    if (name === undefined) return [this.#list.emit(undefined, rest, around)];
    const { inner, itself, assignments, certain } = unwrap(name, rest, {
      outputOf,
      input: staticOutput(this.#list.drafts, around.input),
    });
    if (!certain) this.#list.complete = false;
    const outer = { ...around, assignments: [...around.assignments, ...assignments] };
    const emitted = itself ? this.#emitWithInput(program.value, rest, outer, outputOf) : [];
    if (inner.length > 0 && around.depth === DEEPEST) this.#list.complete = false;
    else {
      const inside = { ...outer, depth: around.depth + 1 };
      const values = valuesOf(rest);
      for (const command of inner) {
        const start = startOf(command, rest);
        const within = wrapped(inside, name, {
          program: program.value ?? name,
          arguments: start === -1 ? values : values.slice(0, start),
        });
        emitted.push(...this.#runInner(command, within, outputOf));
      }
    }
    return emitted.length > 0 ? emitted : [this.#list.emit(program.value, rest, outer)];
  }

  #runInner(command: InnerCommand, around: Placed, outputOf: StaticOutput): number[] {
    if ("words" in command) {
      return command.words.length === 0 ? [] : this.read(command.words, around, outputOf);
    }
    const { alias, code } = command;
    if (alias === undefined) return this.#runCode(code, around);
    return this.#list.define("alias", alias, () => this.#runCode(code, around));
  }

  #runCode({ text, complete }: ShellCode, around: CommandContext): number[] {
    this.#codeLeft -= text.length;
    if (!complete || this.#codeLeft < 0) this.#list.complete = false;
    return this.#codeLeft < 0 ? [] : this.#readSource(text, around);
  }

  /**
   * Adds a command. A shell that reads commands from standard input runs that text, if it is known.
   */
  #emitWithInput(
    program: string | undefined,
    rest: readonly ShellWord[],
    around: Placed,
    outputOf: StaticOutput,
  ): number[] {
    const index = this.#list.emit(program, rest, around);
    if (!runsInput(elementAt(this.#list.drafts, index)) || around.depth === DEEPEST) return [index];
    const printed = staticOutput(this.#list.drafts, around.input);
    const text = around.text ?? (printed === undefined ? undefined : knownWord(printed));
    if (text === undefined) return [index];
    const inside = { ...withoutInput(around), depth: around.depth + 1 };
    const inShell = wrapped(inside, `${programName(program)}`, {
      program: `${program}`,
      arguments: valuesOf(rest),
    });
    return [index, ...this.#runCode(codeOf(text, outputOf), inShell)];
  }
}

/** Returns the position of an inner command among the words of its wrapper; -1 when it is code. */
function startOf(inner: InnerCommand, words: readonly ShellWord[]): number {
  const [program] = "words" in inner ? inner.words : [];
  return program === undefined ? -1 : words.indexOf(program);
}
