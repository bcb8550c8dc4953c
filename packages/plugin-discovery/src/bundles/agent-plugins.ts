import { join } from "node:path";
import { defined } from "@openclaw/foundation";
import type { Bundle, BundlePart, FoundBundle } from "./bundle.js";
import { fieldsOf, isFile, isFolder, pathIn, readJson, skillsIn } from "./files.js";

const MANIFEST_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
const SERVERS_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";
const TEXTS = ["version", "description", "homepage", "repository", "license"];
const KNOWN = new Set(["$schema", "name", "author", "keywords", "extensions", ...TEXTS]);
const NAME = /^(?=.{1,64}$)[a-z0-9](?:[a-z0-9]|[-.](?![-.]))*(?<![-.])$/;

const STDIO = new Set(["type", "command", "args", "env", "cwd"]);
const REMOTE = new Set(["type", "url", "headers"]);

/**
 * Returns true when a value is a manifest of the Agent Plugins specification, of any version.
 * @param value - content of `plugin.json`
 */
export function isAgentPlugin(value: unknown): boolean {
  const { $schema } = fieldsOf(value);
  return typeof $schema === "string" && $schema.startsWith("https://agent-plugins.org/");
}

/**
 * Reads a bundle of the Agent Plugins specification 1.0.0. An unknown field has no effect; another mistake of the manifest
 * rejects the bundle, one of a server only that server.
 * @param root - real path of the bundle
 * @param marker - absolute path of `plugin.json`
 * @param value - its content
 */
export function readAgentPlugin(root: string, marker: string, value: unknown): FoundBundle {
  const manifest = fieldsOf(value);
  const problem = problemOf(manifest);
  if (problem !== undefined) return { file: marker, problem };
  const unsupported: BundlePart[] = Object.keys(manifest)
    .filter((field) => !KNOWN.has(field))
    .map((name) => unsupportedPart("field", name, "the specification does not have this field"));
  for (const namespace of Object.keys(fieldsOf(manifest.extensions))) {
    unsupported.push(unsupportedPart("extension", namespace, "it is for the client of that name"));
  }
  const skills = pathIn(root, "skills");
  const isUsable = skills !== undefined && isFolder(skills);
  if (skills !== undefined && !isUsable) {
    unsupported.push(unsupportedPart("skills", "skills", "it is not a folder"));
  }
  const bundle: Bundle = {
    format: "agent-plugins",
    marker,
    name: String(manifest.name),
    ...defined({ version: textOf(manifest.version), description: textOf(manifest.description) }),
    skills: isUsable && skillsIn(skills).length > 0 ? ["skills"] : [],
    ...{ commands: [], agents: [], hooks: [], context: [], unsupported },
    mcpServers: readServers(root, unsupported),
  };
  return { bundle };
}

function problemOf(manifest: Readonly<Record<string, unknown>>): string | undefined {
  const { $schema, name, author, keywords } = manifest;
  if ($schema !== MANIFEST_SCHEMA) {
    return `is for a version of the Agent Plugins specification that this host does not read (${String($schema)}); it reads 1.0.0`;
  }
  if (typeof name !== "string" || !NAME.test(name)) {
    return `has no usable name, expected 1 to 64 lower-case letters, digits, hyphens and periods, found ${JSON.stringify(name)}`;
  }
  const wrong = TEXTS.find((field) => !isTextOrAbsent(manifest[field]));
  if (wrong !== undefined) return `has a ${wrong} that is not a string`;
  const isAuthor =
    author === undefined ||
    (isObject(author) &&
      Object.entries(author).every(
        ([key, each]) => ["name", "email", "url"].includes(key) && typeof each === "string",
      ));
  if (!isAuthor) return "has an author that is not an object with name, email and url as strings";
  const isKeywords =
    keywords === undefined ||
    (Array.isArray(keywords) && keywords.every((each) => typeof each === "string"));
  return isKeywords ? undefined : "has keywords that are not a list of strings";
}

function readServers(root: string, unsupported: BundlePart[]): Readonly<Record<string, unknown>> {
  const path = join(root, "mcp.json");
  const real = pathIn(root, "mcp.json");
  if (real === undefined) return {};
  const reject = (name: string, reason: string) => {
    unsupported.push(unsupportedPart("MCP server", name, reason));
  };
  const read = isFile(path) ? readJson(real) : { problem: "is not a file" };
  if ("problem" in read) {
    reject("mcp.json", `it ${read.problem}`);
    return {};
  }
  const document = fieldsOf(read.value);
  const extra = Object.keys(document).find((key) => !["$schema", "mcpServers"].includes(key));
  if (
    document.$schema !== SERVERS_SCHEMA ||
    !isObject(document.mcpServers) ||
    extra !== undefined
  ) {
    reject("mcp.json", `expected only "$schema": "${SERVERS_SCHEMA}" and "mcpServers"`);
    return {};
  }
  const servers: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(document.mcpServers)) {
    const problem = serverProblem(fieldsOf(entry));
    if (problem === undefined) servers[name] = clientEntry(fieldsOf(entry));
    else reject(name, problem);
  }
  return servers;
}

function serverProblem(entry: Readonly<Record<string, unknown>>): string | undefined {
  const { type, command, args, env, cwd, url, headers } = entry;
  const known = type === "stdio" ? STDIO : REMOTE;
  if (type !== "stdio" && type !== "streamable-http" && type !== "sse") {
    return `its type is ${JSON.stringify(type)}, expected stdio, streamable-http or sse`;
  }
  const unknown = Object.keys(entry).find((key) => !known.has(key));
  if (unknown !== undefined) return `it has the field ${unknown}, which type ${type} does not have`;
  if (type === "stdio") {
    const isToken =
      typeof command === "string" &&
      command !== "" &&
      (/^[^\s/\\]+$/.test(command) || (command.startsWith("./") && !command.includes("..")));
    if (!isToken) return "its command is neither the name of a program nor a path from ./";
    if (args !== undefined && !(Array.isArray(args) && args.every(isText)))
      return "its args are not a list of strings";
    if (env !== undefined && !isTexts(env)) return "its env is not an object of strings";
    const isPlace =
      cwd === undefined ||
      (isText(cwd) && /^(?:\.\/|\$\{PLUGIN_(?:ROOT|DATA)\}(?:\/|$))/.test(cwd) && !hasUp(cwd));
    return isPlace ? undefined : "its cwd is not a folder of the bundle or of its data";
  }
  if (headers !== undefined && !isTexts(headers)) return "its headers are not an object of strings";
  const names = Object.keys(fieldsOf(headers)).map((name) => name.toLowerCase());
  if (new Set(names).size < names.length) return "it has a header twice";
  const parsed = isText(url) ? URL.parse(url) : null;
  if (parsed === null || !["http:", "https:"].includes(parsed.protocol))
    return "its url is not an http or https URL";
  if (parsed.username !== "" || parsed.password !== "" || parsed.hash !== "")
    return "its url has a user or a fragment";
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(parsed.hostname);
  return parsed.protocol === "http:" && !isLocal ? "its url needs https" : undefined;
}

/** Returns an entry in the form of the other formats. */
function clientEntry({ type, ...entry }: Readonly<Record<string, unknown>>): unknown {
  return { ...entry, type: type === "streamable-http" ? "http" : type };
}

function hasUp(path: string): boolean {
  return path.split(/[\\/]/).includes("..");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isText);
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isText(value);
}

function textOf(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unsupportedPart(kind: string, name: string, reason: string): BundlePart {
  return { kind, name, status: "unsupported", reason };
}
