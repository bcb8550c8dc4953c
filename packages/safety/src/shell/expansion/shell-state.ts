import type { ShellGrammar } from "../grammar/grammar.js";
import {
  type ComputedProgram,
  type ExpansionBudget,
  type ExpansionScene,
  NotExpandable,
} from "./expanded-command.js";
import { LATE_EXIT_CODE } from "./late-words.js";

/** Variables that a shell sets or interprets by itself. */
const SHELL_SET =
  /^(?:BASH.*|RANDOM|SRANDOM|SECONDS|LINENO|EPOCH.*|UID|EUID|PPID|GROUPS|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|OLDPWD|OPT(?:IND|ARG|ERR)|IFS|PS\d|COLUMNS|LINES|SHLVL|SHELLOPTS|DIRSTACK|FUNCNAME|HIST.*|PIPESTATUS|REPLY|_)$/;

/** Values that all parts of one expansion share. */
export interface SharedExpansion {
  readonly scene: ExpansionScene;
  readonly grammar: ShellGrammar;
  readonly budget: ExpansionBudget;
  readonly computed: ComputedProgram[];
  /** Number of slots that keep output. */
  slots: number;
  /** Nesting of scripts in scripts. */
  depth: number;
  /** True where a change into a folder that exists counts as done. */
  readonly entersFolders: boolean;
}

/** State of a shell between two commands. */
export class ShellState {
  /** Absolute path of the current folder. */
  folder: string;
  /** Outcome of the last command; undefined when it is known only after it ran. */
  status: boolean | undefined = true;
  /** Absolute path of the folder before the last change; undefined before the first one. */
  previous: string | undefined;
  /** Folders that `pushd` left, the last one first. */
  pushed: readonly string[] = [];
  /** True when a failure ends the script. */
  endsOnFailure = false;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #isUncertain: (name: string) => boolean;
  #variables = new Map<string, string>();
  #exported = new Map<string, string>();

  constructor({ folder, environment, isUncertain }: ExpansionScene) {
    this.folder = folder;
    this.#environment = environment;
    this.#isUncertain = isUncertain;
  }

  /** Returns a copy, for a subshell. */
  copy(scene: ExpansionScene): ShellState {
    const copy = new ShellState({ ...scene, folder: this.folder });
    copy.#variables = new Map(this.#variables);
    copy.#exported = new Map(this.#exported);
    copy.status = this.status;
    copy.previous = this.previous;
    copy.pushed = this.pushed;
    return copy;
  }

  /** Variables that programs get in addition. */
  get exported(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#exported);
  }

  /** Returns the value of a variable; undefined when it is not set. */
  valueOf(name: string): string | undefined {
    if (name === "?") {
      if (this.status === undefined) return LATE_EXIT_CODE;
      return this.status ? "0" : "1";
    }
    const value = this.#variables.get(name);
    if (value !== undefined) return value;
    if (name === "#") return "0";
    if (name === "PWD") return this.folder;
    if (name === "OLDPWD" && this.previous !== undefined) return this.previous;
    if (Object.hasOwn(this.#environment, name)) return this.#environment[name];
    if (SHELL_SET.test(name) || this.#isUncertain(name)) throw new NotExpandable(name);
    return undefined;
  }

  set(name: string, value: string): void {
    if (SHELL_SET.test(name) || this.#isExported(name)) throw new NotExpandable(name);
    this.#variables.set(name, value);
  }

  export(name: string, value: string | undefined): void {
    const known = value ?? this.#variables.get(name);
    if (known === undefined || this.#isExported(name)) throw new NotExpandable(name);
    this.#variables.set(name, known);
    this.#exported.set(name, known);
  }

  unset(name: string): void {
    if (this.#isExported(name)) throw new NotExpandable(name);
    this.#variables.delete(name);
  }

  /** Returns a text that differs when a variable does. */
  fingerprint(): string {
    return JSON.stringify([...this.#variables]);
  }

  #isExported(name: string): boolean {
    return Object.hasOwn(this.#environment, name) || this.#exported.has(name) || name === "PWD";
  }
}
