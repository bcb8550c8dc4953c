import { LIST_NAMES, type ListName, type PolicyEntry, type PolicyLayer } from "../layers/layer.js";
import type { ConfigNode } from "./node.js";

/** The lists of one object as the configuration has them. */
export type WrittenLists = Readonly<Partial<Record<ListName, readonly string[]>>>;

/** The lists of one object of the configuration, with the locations of their entries. */
export type ConfigLists = Readonly<Partial<Record<ListName, readonly PolicyEntry[]>>>;

/** An object of the configuration that contains lists. */
export interface ConfigRules {
  readonly node: ConfigNode<WrittenLists>;
  readonly lists: ConfigLists;
}

/**
 * Reads the lists of an object. `allow` and `alsoAllow` side by side are an error: the one
 * restricts, the other promises not to (POL-021).
 * @param node - the object
 */
export function readRules(node: ConfigNode<WrittenLists>): ConfigRules {
  const lists: Partial<Record<ListName, readonly PolicyEntry[]>> = {};
  for (const name of LIST_NAMES) {
    const written = node.get(name);
    if (written !== undefined) lists[name] = written.list();
  }
  if (lists.allow !== undefined && lists.alsoAllow !== undefined) {
    node
      .get("alsoAllow")
      ?.error(
        "POLICY_ALLOW_AND_ALSO_ALLOW",
        '"allow" and "alsoAllow" are in the same object',
        'move the entries of "alsoAllow" into "allow", or remove "allow"',
      );
  }
  return { node, lists };
}

/** Returns a layer with the lists and the location of an object. */
export function layerOf(
  { node, lists }: ConfigRules,
  rest: Omit<PolicyLayer, ListName | "source">,
): PolicyLayer {
  return { ...rest, ...lists, source: node.source };
}

/**
 * Omits the allow lists of an agent's own file when the main configuration has some: deny lists are
 * merged, but only the main allow list applies (POL-011).
 * @param rules - rules from the agent's own file
 * @param main - the same object in the main configuration
 */
export function yieldAllow(
  rules: ConfigRules,
  main: ConfigNode<WrittenLists> | undefined,
): ConfigRules {
  const { node, lists } = rules;
  const winner = main?.get("allow") ?? main?.get("alsoAllow");
  if (winner === undefined) return rules;
  const { allow, alsoAllow, ...kept } = lists;
  if (allow !== undefined || alsoAllow !== undefined) {
    node.notice(
      "POLICY_AGENT_ALLOW_IGNORED",
      `the allow list here is overridden by ${winner.source.key} of the main configuration`,
      "keep the list in one of the two files",
    );
  }
  return { node, lists: kept };
}
