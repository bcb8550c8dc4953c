import type { ParsedEntry } from "./entry.js";
import type { Glob } from "./glob.js";

interface IndexedGlob<T> {
  readonly glob: Glob;
  readonly value: T;
}

const NOTHING: readonly never[] = [];

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** Finds values by the entries that they were added under. Values keep their insertion order. */
export class EntryIndex<T> {
  readonly #names = new Map<string, T[]>();
  readonly #plugins = new Map<string, T[]>();
  readonly #groups = new Map<string, T[]>();
  /** By length of the literal prefix, then by that prefix: a name meets only globs it may match. */
  readonly #globs = new Map<number, Map<string, IndexedGlob<T>[]>>();

  /**
   * Adds a value to the index.
   * @param entry - the entry that finds the value
   */
  add(entry: ParsedEntry, value: T): void {
    switch (entry.kind) {
      case "name":
        append(this.#names, entry.name, value);
        if (entry.pluginId !== undefined) append(this.#plugins, entry.pluginId, value);
        return;
      case "plugin":
        append(this.#plugins, entry.pluginId, value);
        return;
      case "group":
        append(this.#groups, entry.group, value);
        return;
      case "glob": {
        const { prefix } = entry.glob;
        let byPrefix = this.#globs.get(prefix.length);
        if (byPrefix === undefined) {
          byPrefix = new Map();
          this.#globs.set(prefix.length, byPrefix);
        }
        append(byPrefix, prefix, { glob: entry.glob, value });
      }
    }
  }

  /** @param name - a canonical tool name */
  named(name: string): readonly T[] {
    return this.#names.get(name) ?? NOTHING;
  }

  /** @param pluginId - normalised */
  ofPlugin(pluginId: string): readonly T[] {
    return this.#plugins.get(pluginId) ?? NOTHING;
  }

  /** @param group - name without `group:` */
  ofGroup(group: string): readonly T[] {
    return this.#groups.get(group) ?? NOTHING;
  }

  /**
   * Returns the values added under globs that match a name.
   * @param name - a canonical tool name
   * @param characters - the same, split
   * @param literalOnly - omit globs of wildcards alone
   */
  matching(name: string, characters: readonly string[], literalOnly: boolean): readonly T[] {
    if (this.#globs.size === 0) return NOTHING;
    const found: T[] = [];
    for (const [length, byPrefix] of this.#globs) {
      if (length > name.length) continue;
      for (const { glob, value } of byPrefix.get(name.slice(0, length)) ?? NOTHING) {
        if (literalOnly && !glob.hasLiteral) continue;
        // Most globs fail here, before their wildcards are tried.
        if (name.endsWith(glob.suffix) && glob.matches(characters)) found.push(value);
      }
    }
    return found;
  }
}
