import {
  type ExpansionBudget,
  type ExpansionFiles,
  type FileFacts,
  NotExpandable,
} from "./expanded-command.js";
import { factCondition } from "./file-facts.js";
import { absolute, type Pattern, patternOf } from "./patterns.js";

/** Maximum number of paths that `find` returns. */
const MOST_PATHS = 1000;

interface Visited {
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  readonly facts: FileFacts | undefined;
}
/** Outcome of the conditions for a path. */
interface Outcome {
  readonly isTrue: boolean;
  readonly prunes: boolean;
}
type Condition = (file: Visited) => Outcome;

interface Expression {
  readonly condition: Condition;
  readonly least: number;
  readonly most: number;
  readonly needsFacts: boolean;
}

/** Output of `find`. */
export interface FoundFiles {
  readonly paths: readonly string[];
  /** Character after each path. */
  readonly end: "\n" | "\0";
}

const KINDS: Readonly<Record<string, string>> = { f: "file", d: "folder", l: "link" };

/**
 * Returns the paths that `find` prints, in the order of their names.
 * @param words - words after the program
 * @param folder - folder in which it runs
 * @param files - files of the workspace
 * @param budget - remaining work
 * @throws NotExpandable when it has a condition that is not known here
 */
export async function foundFiles(
  words: readonly string[],
  folder: string,
  files: ExpansionFiles,
  budget: ExpansionBudget,
): Promise<FoundFiles> {
  const start = words.findIndex((word) => /^[-(!]/.test(word));
  const given = start === -1 ? [...words] : words.slice(0, start);
  const tops = given.length === 0 ? ["."] : given;
  const rest = start === -1 ? [] : words.slice(start);
  const end = rest.includes("-print0") ? "\0" : "\n";
  const reader = new ExpressionReader(rest, Date.now(), await comparedTimes(rest, folder, files));
  const { condition, least, most, needsFacts } = reader.read();
  const paths: string[] = [];
  const visit = async (found: Omit<Visited, "facts">, depth: number): Promise<void> => {
    budget.take();
    const facts = needsFacts ? await files.facts(absolute(found.path, folder)) : undefined;
    if (needsFacts && facts === undefined) throw new NotExpandable("a changing file");
    const file = { ...found, facts };
    const { isTrue, prunes } = condition(file);
    if (isTrue && depth >= least) paths.push(file.path);
    if (paths.length > MOST_PATHS) throw new NotExpandable("too many files");
    if (file.kind !== "folder" || prunes || depth >= most) return;
    const entries = await files.list(absolute(file.path, folder));
    if (entries === undefined) throw new NotExpandable("a folder outside");
    for (const { name, kind } of entries) {
      const path = file.path.endsWith("/") ? `${file.path}${name}` : `${file.path}/${name}`;
      await visit({ path, name, kind }, depth + 1);
    }
  };
  for (const top of tops) {
    const kind = await files.kind(absolute(top, folder));
    if (kind === undefined || kind === "none") throw new NotExpandable("a missing folder");
    await visit(
      { path: top, name: top.split("/").findLast((name) => name !== "") ?? top, kind },
      0,
    );
  }
  return { paths, end };
}

/** Returns when the files that `-newer` names changed. */
async function comparedTimes(
  words: readonly string[],
  folder: string,
  files: ExpansionFiles,
): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (const [index, word] of words.entries()) {
    const path = words[index + 1] ?? "";
    const facts = word === "-newer" ? await files.facts(absolute(path, folder)) : undefined;
    if (facts !== undefined) times.set(path, facts.modifiedMs);
  }
  return times;
}

class ExpressionReader {
  readonly #words: string[];
  readonly #nowMs: number;
  readonly #times: ReadonlyMap<string, number>;
  #needsFacts = false;
  #least = 0;
  #most = Number.POSITIVE_INFINITY;

  constructor(words: readonly string[], nowMs: number, times: ReadonlyMap<string, number>) {
    this.#words = [...words];
    this.#nowMs = nowMs;
    this.#times = times;
  }

  read(): Expression {
    const isActionGiven = this.#words.some((word) => /^-print0?$/.test(word));
    const condition = this.#words.length === 0 ? always : this.#either();
    if (this.#words.length > 0) throw new NotExpandable("find");
    return {
      // Without an action, `-prune` prints what it skips as well.
      condition: isActionGiven ? this.#onlyPrinted(condition) : condition,
      least: this.#least,
      most: this.#most,
      needsFacts: this.#needsFacts,
    };
  }

  /** With an action, a path is printed when the action is reached. */
  #onlyPrinted(condition: Condition): Condition {
    return (file) => {
      this.#isPrinted = false;
      const { prunes } = condition(file);
      return { isTrue: this.#isPrinted, prunes };
    };
  }

  #isPrinted = false;

  #either(): Condition {
    let condition = this.#both();
    while (this.#words[0] === "-o" || this.#words[0] === "-or") {
      this.#words.shift();
      const left = condition;
      const right = this.#both();
      condition = (file) => {
        const first = left(file);
        if (first.isTrue) return first;
        const second = right(file);
        return { ...second, prunes: first.prunes || second.prunes };
      };
    }
    return condition;
  }

  #both(): Condition {
    let condition = this.#one();
    for (;;) {
      const [next] = this.#words;
      if (next === undefined || next === ")" || next === "-o" || next === "-or") return condition;
      if (next === "-a" || next === "-and") this.#words.shift();
      const left = condition;
      const right = this.#one();
      condition = (file) => {
        const first = left(file);
        if (!first.isTrue) return first;
        const second = right(file);
        return { ...second, prunes: first.prunes || second.prunes };
      };
    }
  }

  #one(): Condition {
    const word = this.#words.shift();
    switch (word) {
      case "!":
      case "-not": {
        const inner = this.#one();
        return (file) => {
          const outcome = inner(file);
          return { ...outcome, isTrue: !outcome.isTrue };
        };
      }
      case "(": {
        const inner = this.#either();
        if (this.#words.shift() !== ")") throw new NotExpandable("find");
        return inner;
      }
      case "-print":
      case "-print0":
        return () => {
          this.#isPrinted = true;
          return { isTrue: true, prunes: false };
        };
      case "-prune":
        return () => ({ isTrue: true, prunes: true });
      case "-true":
        return always;
      default:
        return this.#test(word ?? "");
    }
  }

  #test(word: string): Condition {
    const value = this.#words.shift() ?? "";
    if (word === "-maxdepth" || word === "-mindepth") {
      if (!/^\d{1,3}$/.test(value)) throw new NotExpandable(word);
      if (word === "-maxdepth") this.#most = Number(value);
      else this.#least = Number(value);
      return always;
    }
    if (word === "-type") {
      const kinds = value.split(",").map((kind) => KINDS[kind] ?? "");
      if (kinds.includes("")) throw new NotExpandable(word);
      return ({ kind }) => ({ isTrue: kinds.includes(kind), prunes: false });
    }
    const fact = factCondition(word, value, this.#nowMs, this.#times);
    if (fact !== undefined) {
      this.#needsFacts = true;
      return ({ facts }) => ({ isTrue: facts !== undefined && fact(facts), prunes: false });
    }
    const [, isAnyCase, part] = /^-(i?)(name|path|wholename)$/.exec(word) ?? [];
    if (part === undefined) throw new NotExpandable(word);
    const fold = (text: string) => (isAnyCase === "i" ? text.toLowerCase() : text);
    const pattern: Pattern = patternOf([{ text: fold(value), isPattern: true }]);
    return ({ name, path }) => ({
      isTrue: pattern(fold(part === "name" ? name : path)),
      prunes: false,
    });
  }
}

function always(): Outcome {
  return { isTrue: true, prunes: false };
}
