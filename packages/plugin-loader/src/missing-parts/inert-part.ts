/** Read by promises; a value with a method of this name would be awaited. */
const NOT_MEMBERS: ReadonlySet<string> = new Set(["then", "prototype", "__esModule", "$$typeof"]);

/**
 * Creates the value that a plugin gets for a function that only the set-up of an older host uses (PLUG-522). A call, a
 * construction and a read of a member return such a value again; as a list, an object or a text it is empty.
 * @param path - expression that leads to the value, for example `createSetupWizard()`
 */
export function inertPart(path: string): object {
  const members = new Map<string, object>();
  const memberOf = (key: string): object => {
    const member = members.get(key) ?? inertPart(`${path}.${key}`);
    members.set(key, member);
    return member;
  };
  const target = function inert() {}.bind(undefined);
  return new Proxy(target, {
    apply: () => inertPart(`${path}()`),
    construct: () => inertPart(`${path}()`),
    get(_target, key) {
      if (key === Symbol.toPrimitive) return () => "";
      if (key === Symbol.iterator) return [][Symbol.iterator];
      if (typeof key !== "string" || NOT_MEMBERS.has(key)) return undefined;
      if (key === "name") return path;
      if (key === "length") return 0;
      if (key === "toJSON" || key === "valueOf") return () => undefined;
      if (key === "toString") return () => "";
      return memberOf(key);
    },
    has: () => false,
    ownKeys: () => [],
    getOwnPropertyDescriptor: () => undefined,
  });
}
