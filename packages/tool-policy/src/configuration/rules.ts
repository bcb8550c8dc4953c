import { LIST_NAMES, type ListName, type PolicyEntry, type PolicyLayer } from "../layers/layer.js";
import type { ConfigNode } from "./node.js";

/** The lists of one object as the configuration has them. */
export type WrittenLists = Readonly<Partial<Record<ListName, readonly string[]>>>;

/** The lists of one object of the configuration, with the places of their entries. */
export type ConfigLists = Readonly<Partial<Record<ListName, readonly PolicyEntry[]>>>;

/** An object of the configuration that holds lists. */
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
        '"allow" and "alsoAllow" stand in the same object',
        'move the entries of "alsoAllow" into "allow", or remove "allow"',
      );
  }
  return { node, lists };
}

/** A layer made of the lists of an object, with its place. */
export function layerOf(
  { node, lists }: ConfigRules,
  rest: Omit<PolicyLayer, ListName | "source">,
): PolicyLayer {
  return { ...rest, ...lists, source: node.source };
}

/**
 * Leaves out the allow lists of an agent's own file where the main configuration has some: deny
 * lists unite, of the allow lists the main one counts (POL-011).
 * @param rules - from the agent's own file
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
      `the allow list here gives way to ${winner.source.key} of the main configuration`,
      "keep the list in one of the two files",
    );
  }
  return { node, lists: kept };
}
