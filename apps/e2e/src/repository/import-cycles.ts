/**
 * Returns the groups of files that import each other in a circle, each group sorted, by Tarjan's algorithm.
 * @param graph - every file with the files that it imports
 */
export function importCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  return new CycleSearch(graph).run();
}

class CycleSearch {
  readonly #graph: ReadonlyMap<string, readonly string[]>;
  /** Order in which files were first reached. */
  readonly #index = new Map<string, number>();
  readonly #path: string[] = [];
  readonly #cycles: string[][] = [];

  constructor(graph: ReadonlyMap<string, readonly string[]>) {
    this.#graph = graph;
  }

  run(): string[][] {
    for (const file of this.#graph.keys()) if (!this.#index.has(file)) this.#visit(file);
    return this.#cycles;
  }

  /** Returns the index of the earliest file on the path that a file leads back to. */
  #visit(file: string): number {
    const index = this.#index.size;
    this.#index.set(file, index);
    this.#path.push(file);
    let low = index;
    const imported = this.#graph.get(file) ?? [];
    for (const next of imported) {
      if (!this.#index.has(next)) low = Math.min(low, this.#visit(next));
      else if (this.#path.includes(next)) low = Math.min(low, this.#index.get(next) ?? index);
    }
    if (low < index) return low;
    const group = this.#path.splice(this.#path.indexOf(file));
    if (group.length > 1 || imported.includes(file)) this.#cycles.push(group.sort());
    return low;
  }
}
