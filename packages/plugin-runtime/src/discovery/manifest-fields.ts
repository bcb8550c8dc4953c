import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";

/** A value of a manifest that has the wrong type. */
export interface FieldFault {
  /** JSON pointer below the field, empty for the field itself. */
  readonly pointer: string;
  readonly expected: string;
  readonly found: string;
}

/** Looks for the first value of the wrong type. */
type FieldCheck = (value: unknown) => FieldFault | undefined;

const ID = /^[a-z0-9@][a-z0-9._/-]{0,99}$/;

const text = is("a string", isText);
const flag = is("true or false", (value) => typeof value === "boolean");
const object = is("an object", isObject);
const texts = listOf("a list of strings", text);
const textOrTexts: FieldCheck = (value) =>
  isText(value) ? undefined : listOf("a string or a list of strings", text)(value);

/** The type of every field of a manifest (PLUG-005); the compiler holds the table complete. */
export const MANIFEST_FIELDS: { readonly [Field in keyof PluginManifest]-?: FieldCheck } = {
  $schema: text,
  id: is(
    "1 to 100 characters: a lower-case letter, digit or @ first, then also . _ / -",
    (value) => isText(value) && ID.test(value),
  ),
  name: text,
  version: text,
  description: text,
  configSchema: object,
  entry: textOrTexts,
  enabledByDefault: flag,
  kind: textOrTexts,
  channels: texts,
  providers: texts,
  skills: texts,
  uiHints: object,
  requiresPlugins: listOf("a list of ids, or of objects with id and version", (value) =>
    isText(value) ? undefined : objectWith({ id: text, version: text }, ["id", "version"])(value),
  ),
  legacyPluginIds: texts,
  contracts: mapOf("an object of lists of strings", texts),
  toolMetadata: object,
  commandAliases: is("an object or a list", isCollection),
  cliCommands: is("an object or a list", isCollection),
  activation: object,
  mcpServers: object,
  permissions: objectWith({
    tools: texts,
    hooks: texts,
    commands: texts,
    routes: texts,
    gatewayMethods: texts,
    channels: texts,
    providers: texts,
    services: texts,
    sessions: texts,
    secrets: texts,
    network: objectWith({ hosts: texts }),
    fs: objectWith({ read: texts, write: texts }),
    exec: texts,
  }),
  isolation: is('"none", "worker" or "process"', (value) =>
    ["none", "worker", "process"].some((known) => known === value),
  ),
  compat: objectWith({ pluginApi: text, minGatewayVersion: text }),
  proposals: texts,
};

function is(expected: string, accepts: (value: unknown) => boolean): FieldCheck {
  return (value) =>
    accepts(value) ? undefined : { pointer: "", expected, found: describe(value) };
}

function listOf(expected: string, item: FieldCheck): FieldCheck {
  return (value) => {
    if (!Array.isArray(value)) return { pointer: "", expected, found: describe(value) };
    for (const [index, element] of value.entries()) {
      const fault = item(element);
      if (fault !== undefined) return below(String(index), fault);
    }
    return undefined;
  };
}

function mapOf(expected: string, item: FieldCheck): FieldCheck {
  return (value) => {
    if (!isObject(value)) return { pointer: "", expected, found: describe(value) };
    for (const [key, element] of Object.entries(value)) {
      const fault = item(element);
      if (fault !== undefined) return below(key, fault);
    }
    return undefined;
  };
}

/** Fields that are not listed are kept unseen. */
function objectWith(
  fields: Readonly<Record<string, FieldCheck>>,
  required: readonly string[] = [],
): FieldCheck {
  return (value) => {
    if (!isObject(value)) return object(value);
    for (const [key, check] of Object.entries(fields)) {
      if (!Object.hasOwn(value, key) && !required.includes(key)) continue;
      const fault = check(Object.hasOwn(value, key) ? value[key] : undefined);
      if (fault !== undefined) return below(key, fault);
    }
    return undefined;
  };
}

function below(key: string, fault: FieldFault): FieldFault {
  return { ...fault, pointer: `/${pointerPart(key)}${fault.pointer}` };
}

/**
 * A key as it stands in a JSON pointer.
 * @param key - of an object, or index of a list
 */
export function pointerPart(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/**
 * Whether a value is an object and no list.
 * @param value - parsed from a manifest
 */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCollection(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/**
 * What a value is, in words; long ones are cut.
 * @param value - parsed from a manifest
 */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  // A plugin given as an object may hold what no file can.
  if (!["string", "number", "boolean"].includes(typeof value)) return `a ${typeof value}`;
  const shown = JSON.stringify(value);
  return `${typeof value} ${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}`;
}
