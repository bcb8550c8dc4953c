/** Purpose of a parameter, which decides the rules that apply to it (SAFE-041). */
export type ParameterRole = "path" | "url" | "command" | "prose" | "unknown";

const PARAMETER_ROLES: readonly ParameterRole[] = ["path", "url", "command", "prose", "unknown"];

const NAMES: ReadonlyMap<string, ParameterRole> = new Map([
  ...roleOfNames("path", [
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filepath",
    "dir",
    "directory",
    "folder",
    "cwd",
    "workdir",
    "root",
  ]),
  ...roleOfNames("url", ["url", "urls", "uri", "href", "endpoint", "link", "links"]),
  ...roleOfNames("command", ["command", "commands", "cmd", "script", "shell", "commandline"]),
  ...roleOfNames("prose", [
    "content",
    "contents",
    "text",
    "body",
    "prompt",
    "message",
    "messages",
    "description",
    "comment",
    "summary",
    "title",
    "subject",
    "note",
    "notes",
  ]),
]);
const PHRASES = /(?:old|new)_?(?:string|text)$/;
const FORMATS: ReadonlyMap<string, ParameterRole> = new Map([
  ...roleOfNames("url", ["uri", "uri-reference", "iri", "url"]),
  ...roleOfNames("path", ["path", "file-path", "directory-path"]),
  ...roleOfNames("command", ["command", "shell"]),
  ...roleOfNames("prose", ["text", "markdown", "html", "multiline"]),
]);

/** Schema keyword that names the role directly. */
const ROLE_KEYWORD = "x-safety-role";

/**
 * Returns the role of a parameter: from its schema, otherwise from its name, otherwise from the
 * parameter that contains it.
 * @param name - key of the parameter
 * @param schema - JSON Schema of its value, if it has one
 * @param around - role of the parameter that contains it
 */
export function parameterRole(name: string, schema: unknown, around: ParameterRole): ParameterRole {
  return schemaRole(schema) ?? nameRole(name) ?? around;
}

function schemaRole(schema: unknown): ParameterRole | undefined {
  const stated = memberOf(schema, ROLE_KEYWORD);
  const role = PARAMETER_ROLES.find((known) => known === stated);
  if (role !== undefined) return role;
  const format = memberOf(schema, "format");
  return typeof format === "string" ? FORMATS.get(format) : undefined;
}

/** The last word of a name counts: `target_path` and `targetPath` are paths. */
function nameRole(name: string): ParameterRole | undefined {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  if (PHRASES.test(words)) return "prose";
  return NAMES.get(words.replace(/^.*[^a-z0-9]/s, ""));
}

/** Returns an own member of an object; undefined for any other value. */
export function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

function roleOfNames(
  role: ParameterRole,
  names: readonly string[],
): (readonly [string, ParameterRole])[] {
  return names.map((name) => [name, role] as const);
}
