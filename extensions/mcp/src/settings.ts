import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { defined, headerFault } from "@openclaw/plugin-sdk/plugin-entry";

/** Program that speaks MCP over its standard streams. */
interface StdioTarget {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  /** Folders that the program sees and can change; outside a sandbox when absent. */
  readonly sandbox?: { readonly folders: readonly string[] };
}

/** Settings of the login at an HTTP server. */
export interface OAuthSettings {
  /** Client that the operator registered at the authorization server. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** URL of a document that describes the client. */
  readonly clientMetadataUrl?: string;
  readonly scopes?: readonly string[];
}

/** Server that speaks MCP over HTTP. */
interface HttpTarget {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True for a server of HTTP+SSE, the transport of 2024. */
  readonly isOld?: true;
  readonly oauth?: OAuthSettings;
}

/** Place in which the entry of a server is written. */
export interface EntryPlace {
  /** Identifies the server in the store. */
  readonly key: string;
  /** Place for a person: a key of the configuration, or a file. */
  readonly title: string;
  /** File of a workspace; absent for an entry of the configuration. */
  readonly file?: string;
  /** Folder of programs whose entry names none; the workspace of the host when absent. */
  readonly folder?: string;
}

/** Entry of a server, as it is used. */
export interface ServerSettings {
  readonly name: string;
  readonly place: EntryPlace;
  readonly target: StdioTarget | HttpTarget;
  readonly start: "eager" | "lazy";
  readonly approval: "hints" | "never" | "unless-granted" | "always";
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[];
  readonly startupTimeoutMs: number;
  readonly timeoutMs: number;
  /** Identifies the program or URL with everything that is passed to it. */
  readonly hash: string;
}

/** Entry of a server that is not used. */
export interface RefusedEntry {
  readonly name: string;
  /** File of a workspace; absent for an entry of the configuration. */
  readonly file?: string;
  /** Command or URL, where a person must see it. */
  readonly target?: string;
  /** Reason, as the end of a sentence that begins with the server. */
  readonly problem: string;
  readonly nextStep: string;
  /** True when it is not used on purpose, so that nothing is to be corrected. */
  readonly isOff: boolean;
  /** True for a server of a workspace that no person has allowed. */
  readonly isUndecided?: true;
}

/** Entries that are used, and those that are not. */
export interface ReadServers<Server = ServerSettings> {
  readonly servers: readonly Server[];
  readonly refused: readonly RefusedEntry[];
}

/** Name of a header (RFC 9110). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const STARTUP_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS = 60_000;
/** An entry that restricts its program must not run with less than it says. */
const NO_HOSTS =
  "has `sandbox.hosts`, which this version cannot enforce: a sandbox has no network at all; remove it, or run the server outside a sandbox or over HTTP";

/**
 * Reads the section `mcpServers`, whose shape the host has checked.
 * @param section - servers by name
 */
export function readServers(section: unknown): ReadServers {
  const servers: ServerSettings[] = [];
  const refused: RefusedEntry[] = [];
  for (const [name, entry] of Object.entries(fields(section))) {
    const read = readServer(name, fields(entry));
    if ("problem" in read) refused.push(read);
    else servers.push(read);
  }
  return { servers, refused };
}

/**
 * Reads the entry of one server.
 * @param name - name of the server
 * @param entry - fields of the entry; those of other clients are ignored
 * @param place - place of the entry; the configuration when absent
 */
export function readServer(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  place: EntryPlace = { key: name, title: `mcpServers.${name}` },
): ServerSettings | RefusedEntry {
  const { title, file } = place;
  const refuse = (problem: string, nextStep: string, isOff = false): RefusedEntry => ({
    ...{ name, problem, nextStep, isOff },
    ...defined({ file }),
  });
  if (entry.enabled === false) {
    return refuse("is disabled", `set ${title}.enabled to true to use it`, true);
  }
  const target = targetOf(entry);
  if (typeof target === "string") return refuse(target, `correct ${title}`);
  const { start, approval, startupTimeoutMs, timeoutMs } = entry;
  const tools = fields(entry.tools);
  return {
    name,
    place,
    target,
    start: start === "eager" ? "eager" : "lazy",
    approval:
      approval === "never" || approval === "unless-granted" || approval === "always"
        ? approval
        : "hints",
    allow: Array.isArray(tools.allow) ? strings(tools.allow) : undefined,
    deny: strings(tools.deny),
    startupTimeoutMs: typeof startupTimeoutMs === "number" ? startupTimeoutMs : STARTUP_TIMEOUT_MS,
    timeoutMs: typeof timeoutMs === "number" ? timeoutMs : CALL_TIMEOUT_MS,
    hash: createHash("sha256").update(JSON.stringify(target)).digest("hex"),
  };
}

/**
 * Returns the command or the URL of a server for a person.
 * @param target - target of a server
 */
export function targetText(target: ServerSettings["target"]): string {
  return target.kind === "http" ? target.url : [target.command, ...target.args].join(" ");
}

function targetOf(entry: Readonly<Record<string, unknown>>): StdioTarget | HttpTarget | string {
  const { type, command, url, cwd } = entry;
  if (command !== undefined && url !== undefined) {
    return "has both `command` and `url`, expected one of them";
  }
  if (type === "stdio" && command === undefined) return "has type `stdio` without a `command`";
  if (type !== undefined && type !== "stdio" && url === undefined) {
    return `has type \`${String(type)}\` without a \`url\``;
  }
  if (typeof command === "string") {
    const { folders: listed, ...others } = fields(entry.sandbox);
    const [unknown] = Object.keys(others);
    if (unknown === "hosts") return NO_HOSTS;
    if (unknown !== undefined) return `has the unknown key \`sandbox.${unknown}\``;
    const folders = strings(listed);
    const relative = folders.find((folder) => !isAbsolute(folder));
    if (relative !== undefined) return `has the sandbox folder ${relative}, which is not absolute`;
    if (entry.oauth !== undefined) return "has `oauth`, which is for a `url` only";
    if (type !== undefined && type !== "stdio") return `has type \`${String(type)}\` and a command`;
    if (command.trim() === "") return "has an empty `command`";
    return {
      kind: "stdio",
      command,
      args: strings(entry.args),
      env: texts(entry.env),
      cwd: typeof cwd === "string" ? cwd : undefined,
      ...(entry.sandbox === undefined ? {} : { sandbox: { folders } }),
    };
  }
  if (entry.sandbox !== undefined) return "has `sandbox`, which is for a `command` only";
  if (typeof url !== "string") return "has neither a `command` nor a `url`";
  if (type === "stdio") return "has type `stdio` and a `url`";
  const parsed = URL.parse(url);
  if (parsed === null || !["http:", "https:"].includes(parsed.protocol)) {
    return "has a `url` that is not an http or https URL";
  }
  const headers = texts(entry.headers);
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) return `has a header with the name ${JSON.stringify(name)}`;
    const fault = headerFault(value);
    if (fault !== undefined) return `has the header ${name} with a wrong value: ${fault}`;
  }
  const login = oauthOf(entry.oauth);
  return {
    ...{ kind: "http", url, headers },
    ...(type === "sse" ? { isOld: true } : {}),
    ...defined({ oauth: login }),
  };
}

function oauthOf(value: unknown): OAuthSettings | undefined {
  if (value === undefined) return undefined;
  const { clientId, clientSecret, clientMetadataUrl } = texts(value);
  const { scopes } = fields(value);
  return defined({
    ...{ clientId, clientSecret, clientMetadataUrl },
    scopes: scopes === undefined ? undefined : strings(scopes),
  });
}

/**
 * Returns the fields of an object, and none of any other value.
 * @param value - any value
 */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function texts(value: unknown): Record<string, string> {
  const entries = Object.entries(fields(value));
  return Object.fromEntries(
    entries.flatMap(([key, text]) => (typeof text === "string" ? [[key, text]] : [])),
  );
}
