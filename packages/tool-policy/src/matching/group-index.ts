import { entryValue } from "../layers/layer.js";
import { parseEntry } from "./entry.js";
import { EntryIndex } from "./entry-index.js";
import { charactersOf } from "./glob.js";
import type { PolicyTool } from "./tool.js";
import { BUILT_IN_GROUPS, GROUP_OF_ORIGIN, type PolicyGroup } from "./tool-group.js";
import { canonicalToolName, impliedByName, normalizeName } from "./tool-name.js";

/** Properties of a tool that lists match. */
export interface ToolFacts {
  /** Canonical. */
  readonly name: string;
  /** The canonical name, then the tool's own aliases. */
  readonly names: readonly string[];
  readonly characters: readonly string[];
  readonly pluginId: string | undefined;
  /** The name whose entries also count for this tool. */
  readonly impliedBy: string | undefined;
  /** Groups that contain the tool, sorted. */
  readonly groups: readonly string[];
  /** Groups that contain it by its name, its plugin or a glob with a literal part (POL-023). */
  readonly namingGroups: readonly string[];
  /** Groups that contain the name it is implied by. */
  readonly impliedGroups: readonly string[];
}

/** Resolves the groups of a tool, including nested groups. */
export class GroupIndex {
  readonly #members = new EntryIndex<string>();

  /**
   * @param groups - the groups of the configuration, free of cycles
   * @param knownNames - canonical names of known tools
   */
  constructor(groups: Iterable<PolicyGroup>, knownNames: ReadonlySet<string>) {
    for (const group of [...BUILT_IN_GROUPS, ...groups]) {
      const name = normalizeName(group.name);
      for (const member of group.members) {
        this.#members.add(parseEntry(entryValue(member), knownNames), name);
      }
    }
  }

  /** @param tool - any tool, known or not */
  factsOf(tool: PolicyTool): ToolFacts {
    const name = canonicalToolName(tool.name);
    const names = [...new Set([name, ...tool.aliases.map(canonicalToolName)])];
    const characters = charactersOf(name);
    const pluginId = tool.pluginId === undefined ? undefined : normalizeName(tool.pluginId);
    const impliedBy = impliedByName(name);
    const named = names.flatMap((each) => this.#members.named(each));
    if (pluginId !== undefined) named.push(...this.#members.ofPlugin(pluginId));
    const origin = GROUP_OF_ORIGIN[tool.origin];
    const globbed = this.#members.matching(name, characters, false);
    const literal = this.#members.matching(name, characters, true);
    return {
      name,
      names,
      characters,
      pluginId,
      impliedBy,
      groups: this.#closure([...named, ...globbed, origin]),
      namingGroups: this.#closure([
        ...named,
        ...literal,
        ...(tool.origin === "plugin" ? [origin] : []),
      ]),
      impliedGroups: impliedBy === undefined ? [] : this.#closure(this.#members.named(impliedBy)),
    };
  }

  #closure(groups: readonly string[]): readonly string[] {
    const reached = new Set(groups);
    // A set also iterates over items that are added during the iteration.
    for (const group of reached) {
      for (const holder of this.#members.ofGroup(group)) reached.add(holder);
    }
    return [...reached].sort();
  }
}
