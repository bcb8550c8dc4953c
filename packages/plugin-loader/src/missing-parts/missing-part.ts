import { type MissingSdkPart, SdkPartMissingError } from "../errors.js";

/** Use of a part of the SDK that this host lacks, which failed. */
export interface MissingPartUse {
  readonly pluginId: string;
  readonly specifier: string;
  readonly name: string;
  /** Expression that was used, for example `createLogger().child`. */
  readonly path: string;
  /** Arguments of the call; empty for another use. */
  readonly given: readonly unknown[];
}

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
 * @param part - the part, and the module that imports it
 * @param isLoading - returns true while the plugin's modules are evaluated
 * @param onUse - called before each failure
 * @param path - expression that leads to the value, for example `createLogger().child`
 */
export function missingPart(
  part: MissingSdkPart,
  isLoading: () => boolean,
  onUse: (use: MissingPartUse) => void = () => {},
  path = part.name,
): object {
  const members = new Map<string, object>();
  const fail = (given: readonly unknown[] = []): never => {
    const { pluginId, specifier, name } = part;
    onUse({ pluginId, specifier, name, path, given });
    throw new SdkPartMissingError(part, path);
  };
  const resultOf = (given: readonly unknown[]): object =>
    isLoading() ? missingPart(part, isLoading, onUse, `${path}()`) : fail(given);
  return new Proxy(class {}, {
    apply: (_target, _this, given) => resultOf(given),
    construct: (_target, given) => resultOf(given),
    get(target, key) {
      if (OF_CONTENT.has(key)) return fail();
      if (typeof key !== "string" || OF_ANY_FUNCTION.has(key)) return Reflect.get(target, key);
      if (key === "name") return path;
      const member = members.get(key) ?? missingPart(part, isLoading, onUse, `${path}.${key}`);
      members.set(key, member);
      return member;
    },
    ownKeys: () => fail(),
  });
}
