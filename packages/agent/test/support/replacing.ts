/**
 * Returns an object with some members replaced. Its other methods run on the object itself, which may have
 * private state.
 * @param target - the object
 * @param members - the replacements
 */
export function replacing<Target extends object>(target: Target, members: Partial<Target>): Target {
  return new Proxy(target, {
    get(object, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(object, name, object);
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}
