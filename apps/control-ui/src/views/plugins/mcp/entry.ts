import { isRecord } from "../../../components/schema-form/schema.js";
import { call } from "../../../state/link.js";

/** Names of variables and headers whose values are secrets. */
const SECRET_NAME = /token|secret|passw|credential|authorization|key/i;

/** What a person writes about a server. */
export interface WrittenServer {
  readonly name: string;
  /** URL, or a command with its arguments, as a README of a server gives it. */
  readonly target: string;
  /** Variables of a command as `NAME=value`, or headers of a URL as `Name: value`, one a line. */
  readonly values: string;
}

/** Parts of an entry; the names of values that are stored as secrets come with their values. */
export interface ServerEntry {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Returns the entry of the configuration for a server; undefined while a line or a quote is incomplete.
 * @param written - what a person wrote
 */
export function entryOf({ name, target, values }: WrittenServer): ServerEntry | undefined {
  const words = wordsOf(target.trim());
  const [first, ...rest] = words ?? [];
  if (first === undefined) return undefined;
  const isUrl = isUrlOf(first);
  if (isUrl && rest.length > 0) return undefined;
  const pairs = pairsOf(values, isUrl ? ":" : "=");
  if (pairs === undefined) return undefined;
  const secrets: { name: string; value: string }[] = [];
  const kept = pairs.map(([key, value]) => {
    if (!SECRET_NAME.test(key) || value.includes("${")) return [key, value] as const;
    const secret = `mcp_${name}_${key}`.replaceAll(/[^A-Za-z0-9_]/g, "_").toUpperCase();
    secrets.push({ name: secret, value });
    return [key, `\${secret:${secret}}`] as const;
  });
  const given = kept.length === 0 ? {} : { [isUrl ? "headers" : "env"]: Object.fromEntries(kept) };
  const entry = isUrl
    ? { url: first, ...given }
    : { command: first, ...(rest.length === 0 ? {} : { args: rest.map(literal) }), ...given };
  return { entry, secrets };
}

/**
 * Adds or replaces a server, as `openclaw mcp add` does. Values of variables and headers whose names say that they are
 * secrets are stored encrypted.
 * @param name - name of the server
 * @param parts - its entry, with secrets
 */
export async function writeServer(name: string, { entry, secrets }: ServerEntry): Promise<void> {
  for (const secret of secrets) await call("secrets.set", secret);
  await change(name, entry);
}

/**
 * Removes a server from the configuration, as `openclaw mcp remove` does.
 * @param name - name of the server
 * @returns its entry, for what is stored about it
 */
export async function removeServer(name: string): Promise<unknown> {
  const { value } = await call("config.get", {});
  const all = isRecord(value) && isRecord(value.mcpServers) ? value.mcpServers : {};
  await change(name, undefined);
  return all[name];
}

/**
 * Returns true for the target of a server over HTTP.
 * @param target - URL or command
 */
export function isUrlOf(target: string): boolean {
  return /^https?:\/\//i.test(target);
}

async function change(name: string, value: ServerEntry["entry"] | undefined): Promise<void> {
  const { baseHash } = await call("config.get", {});
  const path = ["mcpServers", name];
  const changes = [value === undefined ? { path } : { path, value }];
  await call("config.set", { baseHash, changes });
}

/** An argument is passed as it is; variables and headers may refer to `${NAME}` and `${secret:NAME}`. */
function literal(text: string): string {
  return text.replaceAll("${", "$${");
}

/** Splits a command at spaces outside quotes; undefined while a quote is open. */
function wordsOf(text: string): readonly string[] | undefined {
  if (!/^(?:[^"']|"[^"]*"|'[^']*')*$/.test(text)) return undefined;
  const found = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return found.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

function pairsOf(
  text: string,
  separator: string,
): readonly (readonly [string, string])[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line): readonly [string, string] => {
    const at = line.indexOf(separator);
    return at < 1 ? ["", ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  return pairs.some(([key]) => key === "") ? undefined : pairs;
}
