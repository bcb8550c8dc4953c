import { NotReading } from "./cursor.js";
import { PerlFunctions } from "./functions.js";
import { EXPORTED, MODULES } from "./names.js";
import { readQuoted } from "./texts.js";

const MODIFIER = /(?:if|unless|while|until|for|foreach)\b(?![ \t]*=>)/y;
const CONDITION = /(?:if|unless|while|until|elsif)\b(?=\s*\()/y;
const LOOP = /(?:for|foreach)\b(?=\s*(?:my\b|\$|\())/y;
const LOOP_VARIABLE = /(?:my\s+)?\$[A-Za-z_]\w*(?!\w|::|')/y;
const PHASE = /(?:BEGIN|END)\b(?=\s*\{)/y;
const USE =
  /(?:use\s+(?<module>[A-Za-z][\w:]*)(?:\s+(?:qw\((?<list>[\w\s]*)\)|'(?<single>\w+)'|"(?<double>\w+)"))?|no\s+warnings)\s*(?=;|$)/y;

/** Reads the statements of a program of Perl. */
export class PerlProgram extends PerlFunctions {
  /**
   * @param code - text of the program
   * @param imported - functions that options of the command line import
   */
  constructor(
    code: string,
    imported: Set<string>,
    handles = new Set<string>(),
    files: string[] = [],
  ) {
    super(code, imported, handles, files);
  }

  /**
   * Reads the whole program.
   * @param isLoop - true when options put it into a loop over all lines, which the program may close
   */
  read(isLoop: boolean): void {
    this.#statements();
    if (isLoop && this.take(/\}[ \t\n]*\{/y) !== undefined) this.#statements();
    if (!this.isDone) throw new NotReading("a statement");
  }

  #statements(): void {
    for (;;) {
      this.blank();
      if (this.isDone || this.next === "}") return;
      if (!this.takes(";")) this.within(() => this.#statement());
    }
  }

  protected override block(): void {
    this.expect("{");
    this.#statements();
    this.expect("}");
  }

  #statement(): void {
    // Perl guesses whether a brace begins a block or a hash.
    if (this.next === "{") throw new NotReading("{");
    const used = this.take(USE);
    if (used !== undefined) {
      this.#use(used.groups ?? {});
      return;
    }
    if (this.take(PHASE) !== undefined) {
      this.block();
      return;
    }
    if (this.take(CONDITION) !== undefined) {
      this.#condition();
      return;
    }
    if (this.take(LOOP) !== undefined) {
      this.#loop();
      return;
    }
    if (this.isEnd) throw new NotReading("a modifier");
    this.values();
    this.blank();
    if (this.take(MODIFIER) !== undefined) {
      this.values();
      this.blank();
    }
    if (!this.isDone && this.next !== "}" && !this.takes(";")) throw new NotReading("a statement");
  }

  #condition(): void {
    this.expect("(");
    this.values();
    this.expect(")");
    this.block();
    this.blank();
    if (this.take(/elsif\b(?=\s*\()/y) !== undefined) this.#condition();
    else if (this.take(/else\b(?=\s*\{)/y) !== undefined) this.block();
  }

  #loop(): void {
    this.blank();
    this.take(LOOP_VARIABLE);
    this.expect("(");
    this.values();
    for (let parts = 1; parts < 3 && this.takes(";"); parts += 1) this.values();
    this.expect(")");
    this.block();
  }

  #use({ module, list, single, double }: Record<string, string | undefined>): void {
    if (module !== undefined) {
      importNames(module, (list ?? single ?? double)?.trim().split(/\s+/), this.imported);
    }
  }

  protected override quoted(operator: string): void {
    readQuoted(this, operator, (code) => {
      new PerlProgram(code, this.imported, this.handles, this.files).read(false);
    });
  }
}

/**
 * Adds the functions that a program imports from a module.
 * @param names - functions by name; undefined for those that it exports without being asked
 * @param imported - receives them
 * @throws NotReading when they could do more than compute a value
 */
export function importNames(
  module: string,
  names: readonly string[] | undefined,
  imported: Set<string>,
): void {
  const known = MODULES.get(module);
  // Modules without a list of names may export more than the table covers.
  if (known === undefined || (module === "POSIX" && names === undefined)) {
    throw new NotReading(module);
  }
  for (const name of names ?? []) {
    if (!known.has(name)) throw new NotReading(name);
    if (/^(?:[A-Z]|feature$)/.test(module)) imported.add(name);
  }
  for (const name of names === undefined ? (EXPORTED.get(module) ?? []) : []) imported.add(name);
}
