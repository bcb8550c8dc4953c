import { canonicalJson, sha256 } from "@openclaw/foundation";
import {
  LAYER_NAMES,
  type LayerName,
  LIST_NAMES,
  type ListName,
  type PolicyEntry,
  type PolicyLayer,
} from "../layers/layer.js";
import { EntryList } from "../matching/entry-list.js";
import { compareText } from "../matching/text-order.js";
import type { PolicyContext } from "./context.js";
import { normalizeScope, type Scoped, ScopeIndex, scopeValues } from "./scope-index.js";

/** The lists of one layer, ready to match. */
export interface LayerRules {
  readonly definition: PolicyLayer;
  readonly lists: Readonly<Partial<Record<ListName, EntryList>>>;
}

/** A layer, ready to be found and matched. */
export interface CompiledLayer extends LayerRules, Scoped {
  readonly within: ScopeIndex<CompiledLayer> | undefined;
}

interface CompiledLayers {
  readonly index: ScopeIndex<CompiledLayer>;
  readonly digest: string;
}

/** The rules that speak in one context, by layer. */
export type ApplicableRules = Readonly<Record<LayerName, readonly LayerRules[]>>;

/** Why a layer does not apply to a context at all. */
export function inapplicable(layer: LayerName, context: PolicyContext): string | undefined {
  if (layer === "group" && context.groupId === undefined) return "not in a group";
  if (layer === "sandbox" && !context.sandboxed) return "not sandboxed";
  if (layer === "subagent" && context.subagentDepth < 1) return "not a subagent";
  return undefined;
}

/** Compiles layers; lists and nested layers used in several places are compiled once. */
export class LayerCompiler {
  readonly #knownNames: ReadonlySet<string>;
  readonly #lists = new Map<readonly PolicyEntry[], EntryList>();
  readonly #nested = new Map<readonly PolicyLayer[], CompiledLayers>();

  /** @param knownNames - canonical names of known tools */
  constructor(knownNames: ReadonlySet<string>) {
    this.#knownNames = knownNames;
  }

  /** @param layers - any number of any names */
  compile(layers: readonly PolicyLayer[]): CompiledLayers {
    const known = this.#nested.get(layers);
    if (known !== undefined) return known;
    const digested = layers.map((definition) => {
      const lists = this.#listsOf(definition);
      const when = normalizeScope(definition.when ?? {});
      const within = definition.within === undefined ? undefined : this.compile(definition.within);
      const digest = canonicalJson({
        layer: definition.layer,
        when,
        slot: definition.slot,
        yields: definition.yieldsToAlsoAllow === true ? true : undefined,
        within: within?.digest,
        // An empty list has the same effect as no list.
        ...Object.fromEntries(
          Object.entries(lists).map(([name, list]) => [
            name,
            list.isEmpty ? undefined : list.digests,
          ]),
        ),
      });
      return { definition, lists, when, slot: definition.slot, within: within?.index, digest };
    });
    // Sorted, so that neither hash nor outcome depends on the order of keys in a file.
    digested.sort((left, right) => compareText(left.digest, right.digest));
    const compiled = {
      index: new ScopeIndex<CompiledLayer>(digested.map((layer, order) => ({ ...layer, order }))),
      digest: sha256(JSON.stringify(digested.map((layer) => layer.digest))),
    };
    this.#nested.set(layers, compiled);
    return compiled;
  }

  /** @param entries - the same array gives the same list */
  list(entries: readonly PolicyEntry[]): EntryList {
    let list = this.#lists.get(entries);
    if (list === undefined) {
      list = new EntryList(entries, this.#knownNames);
      this.#lists.set(entries, list);
    }
    return list;
  }

  #listsOf(definition: PolicyLayer): Partial<Record<ListName, EntryList>> {
    const lists: Partial<Record<ListName, EntryList>> = {};
    for (const name of LIST_NAMES) {
      const entries = definition[name];
      if (entries !== undefined) lists[name] = this.list(entries);
    }
    return lists;
  }
}

/**
 * Picks the rules that speak in a context.
 * @param index - all layers
 * @param context - where the decision is made
 */
export function applicableRules(
  index: ScopeIndex<CompiledLayer>,
  context: PolicyContext,
): ApplicableRules {
  const values = scopeValues(context);
  const rules: Record<LayerName, LayerRules[]> = {
    profile: [],
    provider: [],
    global: [],
    agent: [],
    group: [],
    sandbox: [],
    subagent: [],
  };
  const collect = (layers: readonly CompiledLayer[]) => {
    for (const layer of layers) {
      rules[layer.definition.layer].push(layer);
      if (layer.within !== undefined) collect(layer.within.resolve(values));
    }
  };
  collect(index.resolve(values));
  for (const layer of LAYER_NAMES) {
    if (inapplicable(layer, context) !== undefined) rules[layer] = [];
  }
  return rules;
}
