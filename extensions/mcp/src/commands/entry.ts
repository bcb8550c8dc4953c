import { resolve } from "node:path";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import { McpEntryInvalidError } from "../errors.js";
import { fields, readServer } from "../settings.js";

/** Options of `mcp add`. */
export interface AddOptions {
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly cwd?: string;
  readonly sandbox?: readonly string[];
  readonly transport?: string;
}

/** Entry of the configuration, as it is written. */
type WrittenEntry = Readonly<Record<string, unknown>>;

/**
 * Returns the entry of a server for the configuration, in the form that READMEs of servers give it: a command with its
 * arguments, or a URL.
 * @param name - name of the server
 * @param target - program and arguments, or one URL
 * @param options - variables, headers and folder
 * @throws McpEntryInvalidError
 */
export function entryOf(
  name: string,
  [first, ...rest]: readonly string[],
  { env = [], header = [], cwd, sandbox, transport }: AddOptions,
): WrittenEntry {
  if (first === undefined) {
    throw new McpEntryInvalidError(
      "expected a command or a URL",
      `write \`openclaw mcp add ${name} -- COMMAND ARGUMENTS\` or \`openclaw mcp add ${name} https://…/mcp\``,
    );
  }
  const isUrl = /^https?:\/\//i.test(first);
  if (transport === "sse") {
    throw new McpEntryInvalidError(
      "the transport sse is not supported",
      "use the URL of the server for streamable HTTP, which often ends with /mcp",
    );
  }
  if (isUrl && rest.length > 0) {
    throw new McpEntryInvalidError("a URL has no arguments", "put headers into --header");
  }
  const isLocal = env.length > 0 || cwd !== undefined || sandbox !== undefined;
  if (isUrl ? isLocal : header.length > 0) {
    throw new McpEntryInvalidError(
      isUrl ? "--env, --cwd and --sandbox are for a command" : "--header is for a URL",
      isUrl ? "use --header" : "use --env",
    );
  }
  const entry = isUrl
    ? { url: first, ...filled("headers", pairs(header, ":", "--header", "Name: value")) }
    : {
        command: first,
        ...(rest.length === 0 ? {} : { args: rest.map(literal) }),
        ...filled("env", pairs(env, "=", "--env", "NAME=value")),
        ...defined({
          cwd,
          sandbox: sandbox && { folders: sandbox.map((folder) => resolve(folder)) },
        }),
      };
  const read = readServer(name, fields(entry));
  if ("problem" in read) throw new McpEntryInvalidError(`the entry ${read.problem}`, read.nextStep);
  return entry;
}

/** An argument is passed as it is; variables and headers may refer to `${NAME}` and `${secret:NAME}`. */
function literal(text: string): string {
  return text.replaceAll("${", "$${");
}

function pairs(
  given: readonly string[],
  separator: string,
  option: string,
  form: string,
): Record<string, string> {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf(separator);
      if (at < 1) {
        throw new McpEntryInvalidError(`${option} expected ${form}`, `got ${JSON.stringify(pair)}`);
      }
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

function filled(key: string, value: Record<string, string>): object {
  return Object.keys(value).length === 0 ? {} : { [key]: value };
}

/**
 * Returns the names of variables and headers whose values are written literally although their names say that they are
 * secrets.
 * @param entry - entry as it is written
 */
export function literalSecrets(entry: WrittenEntry): readonly string[] {
  const all = { ...fields(entry.env), ...fields(entry.headers) };
  return Object.entries(all).flatMap(([key, value]) =>
    SECRET_NAME.test(key) && !String(value).includes("${") ? [key] : [],
  );
}

const SECRET_NAME = /token|secret|passw|credential|authorization|key/i;
