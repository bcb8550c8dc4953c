import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";

/** Function `register` or `activate` of a plugin. */
export type RegisterFunction = (api: OpenClawPluginApi) => unknown;

/** Metadata and `register` function of a plugin's module. */
export interface PluginExport {
  readonly register: RegisterFunction;
  readonly id?: string;
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  readonly kind?: string | readonly string[];
  readonly configSchema?: unknown;
  /** Data port, which is checked when it is used. */
  readonly data?: unknown;
}

/** Supported forms of a plugin's exports, for messages. */
export const EXPORT_FORMS =
  "export default a function; export default an object with register or activate; " +
  "export a function named register or activate; or module.exports a function or such an object";

/**
 * Returns the `register` function of a module (PLUG-019). A default export nested by module interop is unwrapped up to
 * twice. `register` takes precedence over `activate`, and the default export over named exports.
 * @param namespace - the module's exports
 * @returns undefined when the module has none of the four forms
 */
export function readPluginExport(namespace: unknown): PluginExport | undefined {
  let value = namespace;
  for (let depth = 0; depth < 3; depth += 1) {
    const found = asPlugin(value);
    const inner = own(value, "default");
    if (inner === undefined) return found;
    value = inner;
    const nested = asPlugin(inner);
    if (nested !== undefined) return nested;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Describes the exports of a module that does not export a plugin.
 * @param namespace - the module's exports
 */
export function describeExports(namespace: unknown): string {
  if (typeof namespace !== "object" || namespace === null) return `a ${typeof namespace}`;
  const names = Object.keys(namespace).filter((name) => name !== "module.exports");
  if (names.length === 0) return "a module without exports";
  return names.map((name) => `${name} (${typeof own(namespace, name)})`).join(", ");
}

function asPlugin(value: unknown): PluginExport | undefined {
  if (typeof value === "function") return { register: value as RegisterFunction };
  const method = own(value, "register") ?? own(value, "activate");
  if (typeof method !== "function") return undefined;
  const kind = own(value, "kind");
  return {
    // Called as a method, so that `register` can use `this`.
    register: (api) => method.call(value, api),
    ...text(value, "id"),
    ...text(value, "name"),
    ...text(value, "version"),
    ...text(value, "description"),
    ...(typeof kind === "string" || isTexts(kind) ? { kind } : {}),
    configSchema: own(value, "configSchema"),
    data: own(value, "data"),
  };
}

/** Fields may be inherited (class instances), but not from `Object.prototype`. */
function own(value: unknown, field: string): unknown {
  if (typeof value !== "object" || value === null || !(field in value)) return undefined;
  if (field in Object.prototype) return undefined;
  return (value as Record<string, unknown>)[field];
}

function text<Field extends string>(value: unknown, field: Field): { [Key in Field]?: string } {
  const found = own(value, field);
  return typeof found === "string" ? ({ [field]: found } as { [Key in Field]?: string }) : {};
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
