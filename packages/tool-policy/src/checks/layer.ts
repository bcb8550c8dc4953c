import { didYouMean, nearestName } from "@openclaw/foundation";
import {
  entrySource,
  LAYER_NAMES,
  LIST_NAMES,
  layerKey,
  type PolicyEntry,
  type PolicyLayer,
} from "../layers/layer.js";
import { type PolicyProblem, type PolicyWarning, placeOf } from "../layers/problem.js";
import type { PolicySource } from "../layers/source.js";
import { readEntry } from "../matching/entry.js";
import { BUILT_IN_GROUP_NAMES, groupCycles, type PolicyGroup } from "../matching/tool-group.js";
import { normalizeName } from "../matching/tool-name.js";

/** The most entries a policy may hold, groups included (POL-037). */
const MAXIMUM_ENTRIES = 10_000;

/** The problem of a list that is none. */
function notAList(source: PolicySource, value: unknown): PolicyProblem {
  return {
    code: "POLICY_NOT_A_LIST",
    ...placeOf(source),
    message: `expected a list of tool names, got ${value === null ? "null" : typeof value}`,
    suggestion: `write it as a list, for example ${JSON.stringify(["exec"])}`,
  };
}

/** The problem of an entry that cannot name anything. */
export function badEntry(source: PolicySource, fault: string): PolicyProblem {
  return {
    code: "POLICY_BAD_ENTRY",
    ...placeOf(source),
    message: `bad entry: ${fault}`,
    suggestion: "write a tool name, a pattern, group:<name> or plugin:<id>",
  };
}

/** The problem of a policy with more entries than anyone can oversee. */
function tooLarge(source: PolicySource, count: number): PolicyProblem {
  return {
    code: "POLICY_TOO_LARGE",
    ...placeOf(source),
    message: `expected at most ${MAXIMUM_ENTRIES} entries in all lists and groups, got ${count}`,
    suggestion: "name groups, plugins or patterns in place of single tools",
  };
}

/** What is wrong with the name of a group, if anything. */
function groupNameProblem(name: string, source: PolicySource): PolicyProblem | undefined {
  const { fault } = readEntry(name);
  if (fault !== undefined) return badEntry(source, `group name: ${fault}`);
  const normalized = normalizeName(name);
  if (normalized.startsWith("group:")) {
    return {
      ...badEntry(source, `a group is defined without "group:", got "${name}"`),
      suggestion: `write "${normalized.slice("group:".length)}"`,
    };
  }
  if (!BUILT_IN_GROUP_NAMES.has(normalized)) return undefined;
  return {
    ...badEntry(source, `group "${normalized}" ships with the product and cannot be redefined`),
    suggestion: `choose another name, for example "my-${normalized}"`,
  };
}

/** Finds what is wrong with finished layers and groups, and lists that say nothing. */
export class LayerCheck {
  readonly problems: PolicyProblem[] = [];
  readonly warnings: PolicyWarning[] = [];
  readonly #seen = new Set<unknown>();
  #entries = 0;

  /**
   * @param layers - as given to `compilePolicy`
   * @param groups - as given to `compilePolicy`
   * @param root - where the policy as a whole is written
   */
  constructor(
    layers: readonly PolicyLayer[],
    groups: readonly PolicyGroup[],
    root: PolicySource = { key: "tools" },
  ) {
    this.#checkLayers(layers);
    this.#checkGroups(groups);
    if (this.#entries > MAXIMUM_ENTRIES) this.problems.push(tooLarge(root, this.#entries));
  }

  #checkLayers(layers: readonly PolicyLayer[]): void {
    if (this.#seen.has(layers)) return;
    this.#seen.add(layers);
    for (const definition of layers) {
      const key = layerKey(definition);
      if (!LAYER_NAMES.includes(definition.layer)) {
        const near = nearestName(String(definition.layer), LAYER_NAMES);
        this.problems.push({
          code: "POLICY_UNKNOWN_KEY",
          ...placeOf(definition.source ?? { key }),
          message: `there is no layer "${definition.layer}"`,
          suggestion: didYouMean(near) ?? `use one of ${LAYER_NAMES.join(", ")}`,
        });
      }
      for (const list of LIST_NAMES) {
        const entries = definition[list];
        if (entries === undefined) continue;
        const source = { ...definition.source, key: `${key}.${list}` };
        const empty = Array.isArray(entries) && entries.length === 0;
        if (empty && !this.#seen.has(entries)) this.#warnOfEmptyList(source);
        this.#checkEntries(entries, source, definition.builtIn === true);
      }
      if (definition.within !== undefined) this.#checkLayers(definition.within);
    }
  }

  #checkGroups(groups: readonly PolicyGroup[]): void {
    const byName = new Map<string, PolicyGroup>();
    for (const group of groups) {
      const source = group.source ?? { key: `groups.${group.name}` };
      const fault = groupNameProblem(group.name, source);
      if (fault !== undefined) this.problems.push(fault);
      this.#checkEntries(group.members, source, false);
      const name = normalizeName(group.name);
      if (byName.has(name)) {
        this.problems.push({
          code: "POLICY_BAD_VALUE",
          ...placeOf(source),
          message: `group "${name}" is defined twice`,
          suggestion: "merge the two; names are compared without regard to case",
        });
      }
      byName.set(name, group);
    }
    if (this.problems.length === 0) this.problems.push(...groupCycles(byName));
  }

  #checkEntries(entries: readonly PolicyEntry[], source: PolicySource, builtIn: boolean): void {
    if (this.#seen.has(entries)) return;
    this.#seen.add(entries);
    if (!Array.isArray(entries)) {
      this.problems.push(notAList(source, entries));
      return;
    }
    const good = entries.filter((entry: unknown) => {
      const located = typeof entry === "object" && entry !== null && "value" in entry;
      const { fault } = readEntry(located ? entry.value : entry);
      if (fault !== undefined) this.problems.push(badEntry(source, fault));
      return fault === undefined;
    });
    if (builtIn) return;
    this.#entries += good.filter((entry) => entrySource(entry)?.builtIn !== true).length;
  }

  #warnOfEmptyList(source: PolicySource): void {
    this.warnings.push({
      code: "POLICY_EMPTY_LIST",
      severity: "warning",
      ...placeOf(source),
      message: "the list is empty and therefore says nothing",
      suggestion: 'remove it; to deny every tool, write deny: ["*"]',
    });
  }
}
