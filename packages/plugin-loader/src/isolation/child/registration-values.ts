import { PluginIsolationError } from "../errors.js";
import type { FunctionMark } from "../message.js";
import { type FunctionShape, shapeOf } from "../shapes.js";

/** A function of the plugin, with the object that it belongs to. */
export interface OwnFunction {
  readonly shape: FunctionShape;
  readonly owner: unknown;
  readonly call: (...values: never[]) => unknown;
}

/**
 * Returns the arguments of a registration as they cross: each function is kept here and marked by its number.
 * @param member - method of the `api`
 * @param values - arguments of the plugin
 * @param functions - functions of the plugin, to which those of the arguments are added
 * @throws PluginIsolationError for what cannot cross, with its name
 */
export function crossingValues(
  pluginId: string,
  member: string,
  values: readonly unknown[],
  functions: OwnFunction[],
): unknown[] {
  const refuse = (path: string, what: string): never => {
    const [index = "0", ...names] = path.split(".");
    const place = names.length === 0 ? `argument ${Number(index) + 1}` : names.join(".");
    throw new PluginIsolationError(pluginId, member, `${place} is ${what}, which cannot cross`);
  };
  const within = new Set<object>();
  const cross = (value: unknown, path: string, owner: unknown): unknown => {
    if (typeof value === "function") {
      const shape = shapeOf(member, path);
      if (shape === undefined) return refuse(path, "a function");
      functions.push({ shape, owner, call: value as OwnFunction["call"] });
      return { $handle: functions.length - 1 } satisfies FunctionMark;
    }
    if (typeof value === "symbol") return refuse(path, "a symbol");
    if (typeof value !== "object" || value === null) return value;
    if (within.has(value)) return refuse(path, "a part of itself");
    within.add(value);
    try {
      if (Array.isArray(value)) {
        return value.map((item, index) => cross(item, `${path}.${index}`, value));
      }
      return Object.fromEntries(
        namesIn(value).map((name) => [
          name,
          cross(Reflect.get(value, name), `${path}.${name}`, value),
        ]),
      );
    } finally {
      within.delete(value);
    }
  };
  return values.map((value, index) => cross(value, String(index), undefined));
}

/** Own names, and the methods of the class of an object. */
function namesIn(value: object): string[] {
  const names = new Set(Object.keys(value));
  for (
    let prototype: unknown = Object.getPrototypeOf(value);
    typeof prototype === "object" && prototype !== null && prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (name !== "constructor") names.add(name);
    }
  }
  return [...names];
}
