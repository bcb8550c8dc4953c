import type { Expression, ModuleDeclaration, Statement } from "acorn";
import { RESERVED } from "./names.js";
import { type NodeValue, NotReading } from "./values.js";

/** Maximum number of times that code spreads or flattens lists, which could multiply their length. */
const MOST_GROWTH = 6;

/** Readers of the parts of a program, which contain each other. */
export interface NodeReaders {
  expression(expression: Expression, scope: NodeScope): NodeValue;
  statements(statements: readonly (Statement | ModuleDeclaration)[], scope: NodeScope): void;
}

/** Names, and files that the program reads. */
export class NodeScope {
  readonly readers: NodeReaders;
  readonly files: string[] = [];
  readonly names: string[] = [];
  readonly #values = new Map<string, NodeValue>();
  /** Names that get a further value. */
  readonly #changed = new Set<string>();
  #growth = 0;

  constructor(readers: NodeReaders) {
    this.readers = readers;
  }

  /**
   * Gives a name its first value.
   * @throws NotReading when the name has another meaning
   */
  define(name: string, value: NodeValue): void {
    if (RESERVED.has(name) || this.#values.has(name)) throw new NotReading(name);
    this.#values.set(name, value);
  }

  /** Gives the parameters of a function their values while it is read. */
  within<Result>(read: () => Result): Result {
    const before = new Map(this.#values);
    try {
      return read();
    } finally {
      for (const name of this.#values.keys()) if (!before.has(name)) this.#values.delete(name);
    }
  }

  /**
   * Marks a name as one that gets further values.
   * @throws NotReading when its value is known
   */
  change(name: string): void {
    const value = this.#values.get(name);
    if (value === undefined || value.member !== undefined || value.text !== undefined) {
      throw new NotReading(name);
    }
    this.#changed.add(name);
  }

  isChanged(name: string): boolean {
    return this.#changed.has(name);
  }

  find(name: string): NodeValue | undefined {
    return this.#values.get(name);
  }

  /** @throws NotReading when the code could multiply the length of a list too often */
  grow(): void {
    this.#growth += 1;
    if (this.#growth > MOST_GROWTH) throw new NotReading("a list that grows");
  }
}
