import { type MissingSdkPart, SdkPartMissingError } from "../errors.js";

/** Read by the language itself, by promises and by inspection of a value; each is what a function has. */
const OF_ANY_FUNCTION: ReadonlySet<string> = new Set([
  ...["then", "prototype", "constructor", "caller", "arguments"],
  ...["call", "apply", "bind", "asymmetricMatch", "nodeType", "tagName", "$$typeof", "__esModule"],
]);

/** Reads the content of a value, which a missing part does not have. */
const OF_CONTENT: ReadonlySet<PropertyKey> = new Set([
  ...[Symbol.toPrimitive, Symbol.iterator, Symbol.asyncIterator],
  ...["toJSON", "toString", "valueOf", "length"],
]);

/**
 * Creates the value that a plugin gets for a missing part (PLUG-140). It can be imported, exported, extended and compared.
 * A call, a construction, and a read of its content throw; while the plugin's modules are evaluated, a call returns
 * another such value, so that a constant of a module costs only the code that uses it.
 * @param isLoading - returns true while the plugin's modules are evaluated
 * @param path - expression that leads to the value, for example `createLogger().child`
 */
export function missingPart(
  part: MissingSdkPart,
  isLoading: () => boolean,
  path = part.name,
): object {
  const members = new Map<string, object>();
  const resultOf = (): object => {
    if (!isLoading()) throw new SdkPartMissingError(part, path);
    return missingPart(part, isLoading, `${path}()`);
  };
  return new Proxy(class {}, {
    apply: resultOf,
    construct: resultOf,
    get(target, key) {
      if (OF_CONTENT.has(key)) throw new SdkPartMissingError(part, path);
      if (typeof key !== "string" || OF_ANY_FUNCTION.has(key)) return Reflect.get(target, key);
      if (key === "name") return path;
      const member = members.get(key) ?? missingPart(part, isLoading, `${path}.${key}`);
      members.set(key, member);
      return member;
    },
    ownKeys() {
      throw new SdkPartMissingError(part, path);
    },
  });
}
