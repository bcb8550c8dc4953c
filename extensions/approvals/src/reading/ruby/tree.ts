/** Ends the reading: the program may do more than print values. */
export class NotReading extends Error {}

/** Part of a program of Ruby, as its own parser describes it. */
export interface RubyNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Returns whether a field of a part is a part.
 * @param value - value of the field
 */
export function isNode(value: unknown): value is RubyNode {
  return isRecord(value) && typeof value.type === "string";
}

/**
 * Returns all parts in the fields of a part.
 * @param node - the part
 */
export function childrenOf(node: RubyNode): readonly RubyNode[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

/**
 * Returns the text of a literal; undefined when a part is computed.
 * @param node - part of a program
 */
export function literalOf(node: RubyNode | undefined): string | undefined {
  if (node?.type !== "StringNode" && node?.type !== "SymbolNode") return undefined;
  const { unescaped } = node;
  const isText = isRecord(unescaped) && unescaped.validEncoding === true;
  return isText && typeof unescaped.value === "string" ? unescaped.value : undefined;
}

/** Returns whether a value has fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/**
 * Returns the name of a class or module with those around it; undefined when it is computed.
 * @param node - part of a program
 */
export function constantName(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  const { type, name, parent } = node;
  if (type === "ConstantReadNode") return String(name);
  if (type !== "ConstantPathNode" || !isNode(parent)) return undefined;
  const outer = constantName(parent);
  return outer === undefined ? undefined : `${outer}::${String(name)}`;
}

/**
 * Returns the parts of a field that is a list.
 * @param value - value of the field
 */
export function listOf(value: unknown): readonly RubyNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}
