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

/** Maximum number of entries in a policy, including groups (POL-037). */
const MAXIMUM_ENTRIES = 10_000;

/** Returns the problem of a value that is not a list. */
function notAList(source: PolicySource, value: unknown): PolicyProblem {
  return {
    code: "POLICY_NOT_A_LIST",
    ...placeOf(source),
    message: `expected a list of tool names, got ${value === null ? "null" : typeof value}`,
    suggestion: `write it as a list, for example ${JSON.stringify(["exec"])}`,
  };
}

/** Returns the problem of an invalid entry. */
export function badEntry(source: PolicySource, fault: string): PolicyProblem {
  return {
    code: "POLICY_BAD_ENTRY",
    ...placeOf(source),
    message: `bad entry: ${fault}`,
    suggestion: "write a tool name, a pattern, group:<name> or plugin:<id>",
  };
}

/** Returns the problem of a policy with too many entries. */
function tooLarge(source: PolicySource, count: number): PolicyProblem {
  return {
    code: "POLICY_TOO_LARGE",
    ...placeOf(source),
    message: `expected at most ${MAXIMUM_ENTRIES} entries in all lists and groups, got ${count}`,
    suggestion: "name groups, plugins or patterns instead of single tools",
  };
}

/** Returns the problem with the name of a group, if any. */
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

/** Finds problems of finished layers and groups, and lists without effect. */
export class LayerCheck {
  readonly problems: PolicyProblem[] = [];
  readonly warnings: PolicyWarning[] = [];
  readonly #seen = new Set<unknown>();
  #entries = 0;

  /**
   * @param layers - as given to `compilePolicy`
   * @param groups - as given to `compilePolicy`
   * @param root - location of the whole policy
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
          message: `unknown layer "${definition.layer}"`,
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
          suggestion: "merge the two; names are case-insensitive",
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
      message: "the list is empty and has no effect",
      suggestion: 'remove it; to deny every tool, write deny: ["*"]',
    });
  }
}
