import { entrySource, entryValue, type PolicyEntry } from "../layers/layer.js";
import type { PolicySource } from "../layers/source.js";
import { entryDigest, type ParsedEntry, parseEntry } from "./entry.js";
import { EntryIndex } from "./entry-index.js";
import type { ToolFacts } from "./group-index.js";
import { compareText } from "./text-order.js";
import { normalizeName } from "./tool-name.js";

/** An entry of a compiled list. */
export interface ListedRule {
  /** The entry as written, normalised. */
  readonly rule: string;
  /** The entry as written. */
  readonly value: string;
  readonly source: PolicySource | undefined;
}

/** The entry that matches a tool. */
export interface RuleMatch extends ListedRule {
  /** The name the tool is implied by, where the entry names that and not the tool (POL-020). */
  readonly impliedBy?: string;
}

interface SortedRule extends ListedRule {
  readonly entry: ParsedEntry;
  readonly position: number;
}

/** A compiled allow or deny list. The matching entry does not depend on the order of the list. */
export class EntryList {
  /** True for a list without entries, which has no effect. */
  readonly isEmpty: boolean;
  /** Location of the start of the list, if known. */
  readonly source: PolicySource | undefined;
  /** Input of the policy hash: normal forms of the entries, sorted, without duplicates. */
  readonly digests: readonly string[];
  readonly #index = new EntryIndex<SortedRule>();

  /**
   * @param entries - valid entries
   * @param knownNames - canonical names of known tools
   */
  constructor(entries: readonly PolicyEntry[], knownNames: ReadonlySet<string>) {
    this.isEmpty = entries.length === 0;
    this.source = entries.map(entrySource).find((source) => source !== undefined);
    const rules = entries
      .map((written) => {
        const value = entryValue(written);
        const entry = parseEntry(value, knownNames);
        return { entry, rule: normalizeName(value), value, source: entrySource(written) };
      })
      .sort(
        (left, right) =>
          compareText(left.entry.text, right.entry.text) || compareText(left.rule, right.rule),
      );
    for (const [position, rule] of rules.entries()) {
      this.#index.add(rule.entry, { ...rule, position });
    }
    this.digests = [...new Set(rules.map(({ entry }) => entryDigest(entry)))];
  }

  /**
   * The entry that speaks for a tool: its name before its plugin, a group, a glob and a name that
   * implies it; among equals the first in the order of their text.
   */
  find(tool: ToolFacts): RuleMatch | undefined {
    const direct = this.#named(tool) ?? this.#grouped(tool.groups) ?? this.#globbed(tool, false);
    if (direct !== undefined || tool.impliedBy === undefined) return direct;
    const implied = this.#index.named(tool.impliedBy)[0] ?? this.#grouped(tool.impliedGroups);
    return implied === undefined ? undefined : { ...implied, impliedBy: tool.impliedBy };
  }

  /**
   * Returns the entry that opts an optional tool in: by name, plugin or a glob with a literal part.
   */
  findNaming(tool: ToolFacts): ListedRule | undefined {
    return this.#named(tool) ?? this.#grouped(tool.namingGroups) ?? this.#globbed(tool, true);
  }

  #named(tool: ToolFacts): SortedRule | undefined {
    for (const name of tool.names) {
      const [rule] = this.#index.named(name);
      if (rule !== undefined) return rule;
    }
    return tool.pluginId === undefined ? undefined : this.#index.ofPlugin(tool.pluginId)[0];
  }

  #grouped(groups: readonly string[]): SortedRule | undefined {
    for (const group of groups) {
      const [rule] = this.#index.ofGroup(group);
      if (rule !== undefined) return rule;
    }
    return undefined;
  }

  #globbed(tool: ToolFacts, literalOnly: boolean): SortedRule | undefined {
    let first: SortedRule | undefined;
    for (const rule of this.#index.matching(tool.name, tool.characters, literalOnly)) {
      if (first === undefined || rule.position < first.position) first = rule;
    }
    return first;
  }
}
