import { fields } from "../settings.js";
import type { WrittenEntry } from "./found-server.js";
import { secretName } from "./placeholders.js";

/** Secret that an entry had literally. */
export interface LiteralSecret {
  /** Name under which it is stored. */
  readonly name: string;
  readonly value: string;
}

/** Entry whose secrets are references. */
export interface SeparatedEntry {
  readonly entry: WrittenEntry;
  readonly secrets: readonly LiteralSecret[];
}

const SECRET_KEY = /token|secret|passw|credential|authorization|api.?key|access.?key|\bkey$|_key$/i;
/** Option whose value is a secret, alone or with its value. */
const SECRET_OPTION =
  /^(--?[\w-]*(?:token|secret|password|credential|api-?key)[\w-]*)(?:=(.+))?$/is;
/** Scheme of an `Authorization` header. */
const SCHEME = /^((?:Bearer|Basic|Token)\s+)(.+)$/is;

/**
 * Takes the literal secrets out of an entry: values of variables, headers, options and parameters of a URL whose names say
 * that they are secrets.
 * @param server - name of the server, with which the names of the secrets begin
 * @param entry - entry as found
 * @param taken - names of stored secrets, which are not overwritten
 */
export function separateSecrets(
  server: string,
  entry: WrittenEntry,
  taken: ReadonlySet<string>,
): SeparatedEntry {
  const secrets: LiteralSecret[] = [];
  const stored = (key: string, value: string): string => {
    const wanted = secretName("MCP", server, key);
    let name = wanted;
    const isTaken = () => taken.has(name) || secrets.some((each) => each.name === name);
    for (let number = 2; isTaken(); number += 1) name = `${wanted}_${number}`;
    secrets.push({ name, value: value.replaceAll("$${", "${") });
    return `\${secret:${name}}`;
  };
  const texts = (section: unknown) =>
    Object.fromEntries(
      Object.entries(fields(section)).map(([key, value]) => {
        const text = String(value);
        if (!SECRET_KEY.test(key) || !isLiteral(text)) return [key, text];
        const [, scheme = "", secret = text] = SCHEME.exec(text) ?? [];
        return [key, scheme + stored(key, secret)];
      }),
    );
  const changed: Record<string, unknown> = { ...entry };
  if (entry.env !== undefined) changed.env = texts(entry.env);
  if (entry.headers !== undefined) changed.headers = texts(entry.headers);
  if (Array.isArray(entry.args)) changed.args = separateOptions(entry.args.map(String), stored);
  if (typeof entry.url === "string") changed.url = separateParameters(entry.url, stored);
  return { entry: changed, secrets };
}

function separateOptions(
  args: readonly string[],
  stored: (key: string, value: string) => string,
): readonly string[] {
  let option: string | undefined;
  return args.map((arg) => {
    const before = option;
    option = undefined;
    if (before !== undefined && !arg.startsWith("-") && isLiteral(arg)) return stored(before, arg);
    const [, name, value] = SECRET_OPTION.exec(arg) ?? [];
    if (name === undefined) return arg;
    if (value === undefined) {
      option = name;
      return arg;
    }
    return isLiteral(value) ? `${name}=${stored(name, value)}` : arg;
  });
}

function separateParameters(url: string, stored: (key: string, value: string) => string): string {
  return url.replaceAll(
    /([?&]([^=&#]+)=)([^&#]+)/g,
    (whole, start: string, key: string, value: string) =>
      SECRET_KEY.test(key) && isLiteral(value) ? start + stored(key, value) : whole,
  );
}

/** A value with a variable names its secret already. */
function isLiteral(text: string): boolean {
  return text !== "" && !/(?<!\$)\$\{/.test(text);
}
