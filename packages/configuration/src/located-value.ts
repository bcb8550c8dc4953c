import type { Json5Document, TextPlace, ValuePath } from "@openclaw/foundation/json-document";

/** Location of a value: its file, line and column. */
export interface ConfigurationPlace extends TextPlace {
  readonly file: string;
}

/** String with references, before their substitution. */
export interface WrittenText {
  readonly text: string;
  /** Names of the environment variables in it. */
  readonly variables: readonly string[];
  /** Names of the stored secrets in it. */
  readonly secrets: readonly string[];
}

/** Value of a configuration with the location of each of its parts, which may be in several files. */
export interface LocatedValue {
  readonly place: ConfigurationPlace;
  /** Path of the value inside its file, which differs from its path in the configuration for an included file. */
  readonly ownPath: ValuePath;
  readonly content:
    | { readonly kind: "object"; readonly members: ReadonlyMap<string, LocatedValue> }
    | { readonly kind: "list"; readonly items: readonly LocatedValue[] }
    | {
        readonly kind: "scalar";
        readonly value: unknown;
        /** Number as it is written, when the value has it rounded. */
        readonly inexact?: string | undefined;
        readonly written?: WrittenText | undefined;
      };
  /** Object with the `$include` that this value of a whole file comes from. */
  readonly includedBy?: LocatedValue | undefined;
  /** Values of included files that this one replaces, nearest first. */
  readonly shadowed: readonly LocatedValue[];
}

/**
 * Converts a parsed file to a value with locations.
 * @param document - parsed file
 * @param file - path of the file
 */
export function locateDocument(document: Json5Document, file: string): LocatedValue {
  const inexact = new Map(document.inexact.map(({ path, written }) => [path.join("\0"), written]));
  const locate = (value: unknown, path: ValuePath): LocatedValue => ({
    place: { file, ...document.place(path) },
    ownPath: path,
    content: contentOf(value, path, locate, inexact.get(path.join("\0"))),
    shadowed: [],
  });
  return locate(document.value, []);
}

function contentOf(
  value: unknown,
  path: ValuePath,
  locate: (value: unknown, path: ValuePath) => LocatedValue,
  inexact: string | undefined,
): LocatedValue["content"] {
  if (Array.isArray(value)) {
    return { kind: "list", items: value.map((item, index) => locate(item, [...path, index])) };
  }
  if (typeof value !== "object" || value === null) return { kind: "scalar", value, inexact };
  const members = Object.entries(value).map(
    ([key, member]) => [key, locate(member, [...path, key])] as const,
  );
  return { kind: "object", members: new Map(members) };
}

/**
 * Lays a value over another: objects are merged by key, everything else replaces the value below it.
 * @param below - value of an included file
 * @param above - value that takes precedence
 */
export function mergeLocated(below: LocatedValue, above: LocatedValue): LocatedValue {
  if (below.content.kind !== "object" || above.content.kind !== "object") {
    return { ...above, shadowed: [...above.shadowed, below, ...below.shadowed] };
  }
  const members = new Map(below.content.members);
  for (const [key, member] of above.content.members) {
    const replaced = members.get(key);
    members.set(key, replaced === undefined ? member : mergeLocated(replaced, member));
  }
  return { ...above, content: { kind: "object", members } };
}

/**
 * Returns the value at a path; undefined if there is none.
 * @param root - value of the whole configuration
 * @param path - keys and indexes from the root
 */
export function locatedAt(root: LocatedValue, path: ValuePath): LocatedValue | undefined {
  let value: LocatedValue | undefined = root;
  for (const step of path) {
    if (value === undefined || value.content.kind === "scalar") return undefined;
    value =
      value.content.kind === "object"
        ? value.content.members.get(String(step))
        : value.content.items[Number(step)];
  }
  return value;
}

/** Returns the value without locations. */
export function plainValue({ content }: LocatedValue): unknown {
  if (content.kind === "scalar") return content.value;
  if (content.kind === "list") return content.items.map(plainValue);
  const object: Record<string, unknown> = {};
  for (const [key, member] of content.members) {
    // A key named __proto__ must become a normal property.
    Object.defineProperty(object, key, {
      value: plainValue(member),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}

/**
 * Calls a function for every scalar of a value.
 * @param root - value to visit
 * @param visit - receives the path and the scalar
 */
export function visitScalars(
  root: LocatedValue,
  visit: (path: readonly string[], value: LocatedValue) => void,
  path: readonly string[] = [],
): void {
  const { content } = root;
  if (content.kind === "scalar") visit(path, root);
  else if (content.kind === "list") {
    for (const [index, item] of content.items.entries()) {
      visitScalars(item, visit, [...path, String(index)]);
    }
  } else {
    for (const [key, member] of content.members) visitScalars(member, visit, [...path, key]);
  }
}
