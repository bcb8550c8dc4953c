import { PythonReader } from "./expression.js";
import { MODULES } from "./modules.js";
import type { PythonScope } from "./scope.js";
import type { PythonToken } from "./tokens.js";
import { NotReading } from "./values.js";

const COMPOUND = new Set(["for", "if", "elif", "else", "with", "try", "except", "finally"]);

interface Block {
  readonly indent: number;
  readonly isLoop: boolean;
  /** Names that had values before a loop. */
  readonly before: ReadonlySet<string>;
}

/** Reads the statements of a program. */
export class ProgramReader {
  readonly #scope: PythonScope;
  #blocks: Block[] = [];

  constructor(scope: PythonScope) {
    this.#scope = scope;
  }

  read(tokens: readonly PythonToken[]): void {
    let line: PythonToken[] = [];
    let indent = 0;
    const end = () => {
      if (line.length > 0) this.#line(line, indent);
      line = [];
    };
    for (const token of tokens) {
      if (token.kind === "line") {
        end();
        indent = token.indent ?? 0;
      } else line.push(token);
    }
    end();
  }

  #line(tokens: readonly PythonToken[], indent: number): void {
    this.#blocks = this.#blocks.filter((block) => block.indent < indent);
    const reader = new PythonReader(tokens, this.#scope);
    const before = new Set(this.#scope.names.keys());
    if (COMPOUND.has(reader.next?.text ?? "") && reader.next?.kind === "name") {
      const isLoop = this.#beginning(reader);
      reader.expect(":");
      this.#blocks.push({ indent, isLoop, before });
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
    if (reader.takes("if") || reader.takes("elif")) reader.expression();
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
    reader.values();
    const isEntry = reader.follows("]");
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
      const { grows = false } = value;
      this.#scope.define(name, names.length === 1 ? value : { grows });
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
