import { elementAt } from "../../text/checked-index.js";
import type { CommandDefinition, ShellFeature } from "../grammar/parsed-command.js";
import { type ShellWord, valuesOf } from "../grammar/word.js";
import type { CommandDraft, Placed } from "./command-draft.js";
import { hidesMore } from "./command-facts.js";

/** Maximum number of commands of a source, and of definitions; others are not read. */
const MOST_COMMANDS = 256;
/** Maximum number of words of a command that is followed to its end. */
const MOST_WORDS = 2048;

/** Flat list of the commands that were read so far. */
export class CommandList {
  readonly drafts: CommandDraft[] = [];
  readonly definitions: CommandDefinition[] = [];
  readonly features = new Set<ShellFeature>();
  complete = true;
  readonly #defined = new Map<string, readonly number[]>();

  /** True when no further command is read. */
  get isFull(): boolean {
    return this.drafts.length >= MOST_COMMANDS;
  }

  /** Adds a command, and returns its index. */
  emit(program: string | undefined, rest: readonly ShellWord[], around: Placed): number {
    const { assignments, redirections, wrappers, wrapperCommands } = around;
    const { position, background, input, range } = around;
    const words = valuesOf(rest);
    if (words.length > MOST_WORDS || hidesMore(words)) this.complete = false;
    this.drafts.push({
      program,
      arguments: words,
      assignments,
      redirections,
      wrappers,
      wrapperCommands,
      position,
      background,
      input: [...input],
      substitutions: [],
      range,
    });
    return this.drafts.length - 1;
  }

  /** Returns the indexes of the commands that were added since the list had a length. */
  since(start: number): number[] {
    return Array.from({ length: this.drafts.length - start }, (_, step) => start + step);
  }

  /** Returns the commands of a function that is called. */
  calledBy(index: number): readonly number[] {
    const { program } = elementAt(this.drafts, index);
    return program === undefined ? [] : (this.#defined.get(program) ?? []);
  }

  /** Reads the commands of a function or an alias, and returns those that run at once. */
  define(kind: CommandDefinition["kind"], name: string, read: () => number[]): number[] {
    if (this.definitions.length >= MOST_COMMANDS) {
      this.complete = false;
      return [];
    }
    const start = this.drafts.length;
    const outputs = read();
    const commands = this.since(start);
    this.definitions.push({ kind, name, commands });
    if (!this.#defined.has(name)) this.#defined.set(name, commands);
    return kind === "function" ? [] : outputs;
  }
}
