import type { ConfigurationDocument } from "../document.js";
import { ConfigurationError, NOTHING_WRITTEN } from "../errors.js";
import { type LocatedValue, locatedAt } from "../located-value.js";
import { editConfiguration } from "./edit.js";

/** Path of a value and the value; an undefined value removes the key. */
export type ConfigurationChange = readonly [path: readonly [string, ...string[]], value: unknown];

/**
 * Makes a change in the text of the file that has the key, also an included one.
 * @param change - path of the value and the value
 * @param document - configuration that the files make
 * @param contents - content by file, which is replaced
 * @param compose - returns the configuration of other contents
 * @returns the configuration with the change
 */
export async function applyChange(
  [path, value]: ConfigurationChange,
  document: ConfigurationDocument,
  contents: Map<string, string>,
  compose: (contents: ReadonlyMap<string, string>) => Promise<ConfigurationDocument>,
): Promise<ConfigurationDocument> {
  let current = document;
  // A removed key may still have a value in an included file.
  for (;;) {
    if (value === undefined && !current.has(path)) return current;
    const { file, keys } = ownerOf(current, path, value);
    const text = contents.get(file) ?? "";
    const edited = editConfiguration(text, keys, value);
    if (edited === text) return current;
    contents.set(file, edited);
    current = await compose(contents);
    if (value !== undefined) return current;
  }
}

/** Returns the file that has a key or would get it, and the path of the key in that file. */
function ownerOf(
  { root, file: main }: ConfigurationDocument,
  path: readonly string[],
  value: unknown,
): { file: string; keys: readonly string[] } {
  for (let length = path.length; length >= 0; length--) {
    let owner = locatedAt(root, path.slice(0, length));
    if (owner === undefined) continue;
    // The value of a whole file is removed together with the include that names the file.
    while (value === undefined && owner.ownPath.length === 0 && owner.includedBy !== undefined) {
      owner = owner.includedBy;
    }
    const keys = [...owner.ownPath, ...path.slice(length)];
    const list = listAbove(path.slice(0, length + 1), root);
    if (list !== undefined || owner.ownPath.some((step) => typeof step === "number")) {
      throw listError(owner, path, list);
    }
    return { file: owner.place.file, keys: keys.map(String) };
  }
  return { file: main, keys: path };
}

/** Returns the path of the list that a path passes; undefined when it passes none. */
function listAbove(path: readonly string[], root: LocatedValue): readonly string[] | undefined {
  const length = path.findIndex(
    (_, index) => locatedAt(root, path.slice(0, index))?.content.kind === "list",
  );
  return length < 0 ? undefined : path.slice(0, length);
}

function listError(
  { place }: LocatedValue,
  path: readonly string[],
  list: readonly string[] | undefined,
): ConfigurationError {
  const problem = {
    key: path.join("."),
    message: "an item of a list cannot be changed alone",
    suggestion: `set the whole list${list === undefined ? "" : ` ${list.join(".")}`}`,
    ...place,
  };
  return new ConfigurationError([problem], NOTHING_WRITTEN);
}
