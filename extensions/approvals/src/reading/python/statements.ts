import {
  defineAll,
  readAnnotation,
  readClassHead,
  readDecorator,
  readFunctionHead,
} from "./definitions.js";
import { PythonReader } from "./expression.js";
import { MODULES } from "./modules.js";
import type { PythonScope } from "./scope.js";
import type { PythonToken } from "./tokens.js";
import { NotReading } from "./values.js";

const COMPOUND = new Set("for while if elif else with try except finally def class".split(" "));

interface Block {
  readonly indent: number;
  /** True for a loop, and for a function, which may be called in one. */
  readonly isLoop: boolean;
  readonly isClass: boolean;
  /** Names that had values before a loop. */
  readonly before: ReadonlySet<string>;
}

/** Reads the statements of a program. */
export class ProgramReader {
  readonly #scope: PythonScope;
  #blocks: Block[] = [];
  #hasBreak = false;

  constructor(scope: PythonScope) {
    this.#scope = scope;
  }

  read(tokens: readonly PythonToken[]): void {
    const lines: { indent: number; tokens: PythonToken[] }[] = [];
    for (const token of tokens) {
      if (token.kind === "line") lines.push({ indent: token.indent ?? 0, tokens: [] });
      else lines.at(-1)?.tokens.push(token);
    }
    const full = lines.filter((line) => line.tokens.length > 0);
    defineAll(full, this.#scope);
    this.#hasBreak = tokens.some(({ kind, text }) => kind === "name" && text === "break");
    for (const line of full) this.#line(line.tokens, line.indent);
  }

  #line(tokens: readonly PythonToken[], indent: number): void {
    this.#blocks = this.#blocks.filter((block) => block.indent < indent);
    const reader = new PythonReader(tokens, this.#scope);
    const before = new Set(this.#scope.names.keys());
    if (reader.takes("@")) {
      readDecorator(reader);
      if (!reader.isDone) throw new NotReading("@");
      return;
    }
    if (COMPOUND.has(reader.next?.text ?? "") && reader.next?.kind === "name") {
      const isClass = reader.next?.text === "class";
      const isLoop = this.#beginning(reader);
      reader.expect(":");
      this.#blocks.push({ indent, isLoop, isClass, before });
      if (reader.isDone) return;
    }
    for (;;) {
      this.#statement(reader);
      if (!reader.takes(";")) break;
      if (reader.isDone) return;
    }
    if (!reader.isDone) throw new NotReading("a statement");
  }

  /** Reads the beginning of a block, and returns whether it is a loop. */
  #beginning(reader: PythonReader): boolean {
    if (reader.takes("for")) {
      for (const name of reader.targets()) this.#scope.define(name, {});
      reader.expect("in");
      reader.values();
      return true;
    }
    if (reader.takes("def")) {
      readFunctionHead(reader);
      return true;
    }
    if (reader.takes("while")) {
      const isEndless = reader.next?.kind === "number" || reader.next?.text === "True";
      if (isEndless && !this.#hasBreak) throw new NotReading("while");
      reader.expression();
      return true;
    }
    if (reader.takes("class")) readClassHead(reader);
    else if (reader.takes("if") || reader.takes("elif")) reader.expression();
    else if (reader.takes("with")) {
      do {
        reader.expression();
        if (reader.takes("as")) this.#scope.define(reader.name(), {});
      } while (reader.takes(","));
    } else if (reader.takes("except")) {
      if (reader.next?.text !== ":") reader.expression();
      if (reader.takes("as")) this.#scope.define(reader.name(), {});
    } else if (!reader.takes("else") && !reader.takes("try")) reader.expect("finally");
    return false;
  }

  #statement(reader: PythonReader): void {
    if (reader.takes("pass") || reader.takes("break") || reader.takes("continue")) return;
    if (reader.takes("return") || reader.takes("raise") || reader.takes("yield")) {
      if (reader.takes("from")) reader.expression();
      else if (!reader.isDone && reader.next?.text !== ";") reader.values();
      return;
    }
    if (reader.takes("global") || reader.takes("nonlocal")) {
      do {
        if (!this.#scope.names.has(reader.name())) throw new NotReading("global");
      } while (reader.takes(","));
      return;
    }
    if (reader.takes("import")) this.#imports(reader);
    else if (reader.takes("from")) this.#importsFrom(reader);
    else {
      const names = reader.assigned();
      if (names !== undefined) this.#assign(names, reader);
      else this.#valueOrChange(reader);
    }
  }

  /** Reads an expression, or a change of a name or an entry. */
  #valueOrChange(reader: PythonReader): void {
    const [first, second, third] = reader.rest;
    const isField = this.#blocks.at(-1)?.isClass === true && second?.text === ":";
    if (isField && first?.kind === "name") {
      this.#scope.define(reader.name(), {});
      reader.expect(":");
      readAnnotation(reader);
      if (reader.takes("=")) reader.values();
      return;
    }
    reader.values();
    const isAttribute = second?.text === "." && this.#scope.attributes.has(third?.text ?? "");
    const isEntry = reader.follows("]") || (isAttribute && reader.follows(third?.text ?? ""));
    if (reader.takes("+=") || reader.takes("-=")) {
      const added = reader.expression();
      const isFine = added.isNumber === true || (!this.#isLoop && added.text !== undefined);
      if (!isFine) throw new NotReading("+=");
    } else if (isEntry && reader.takes("=")) {
      if (reader.values().grows === true && this.#isLoop) throw new NotReading("=");
    }
  }

  #assign(names: readonly string[], reader: PythonReader): void {
    const value = reader.values();
    if (reader.takes("=")) throw new NotReading("=");
    const loop = this.#blocks.findLast(({ isLoop }) => isLoop);
    for (const name of names) {
      // A text that becomes longer in each round could take all memory.
      if (value.grows === true && loop?.before.has(name) === true) throw new NotReading(name);
      const { grows = false, isNumber = false } = value;
      this.#scope.define(name, names.length === 1 ? value : { grows, isNumber });
    }
  }

  get #isLoop(): boolean {
    return this.#blocks.some(({ isLoop }) => isLoop);
  }

  #imports(reader: PythonReader): void {
    do {
      let module = reader.name();
      const [root] = [module];
      while (reader.takes(".")) module += `.${reader.name()}`;
      if (!MODULES.has(module)) throw new NotReading(module);
      const alias = reader.takes("as") ? reader.name() : undefined;
      this.#scope.names.set(alias ?? root, { member: alias === undefined ? root : module });
    } while (reader.takes(","));
  }

  #importsFrom(reader: PythonReader): void {
    let module = reader.name();
    while (reader.takes(".")) module += `.${reader.name()}`;
    if (!MODULES.has(module)) throw new NotReading(module);
    reader.expect("import");
    do {
      const name = reader.name();
      const alias = reader.takes("as") ? reader.name() : name;
      this.#scope.names.set(alias, { member: `${module}.${name}` });
    } while (reader.takes(","));
  }
}
