import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { StoreArgumentError } from "../errors.js";

/** Location of a database: a file, a schema of a PostgreSQL server, or a database of a libSQL server. */
export type DatabasePlace =
  | { readonly engine: "sqlite"; readonly file: string }
  | ({ readonly engine: "libsql" } & LibsqlPlace)
  | ({ readonly engine: "postgres"; readonly file?: undefined } & PostgresPlace);

/** A file that libSQL opens, or a database of a server. */
export type LibsqlPlace = { readonly file: string } | LibsqlServerPlace;

/** A database of a libSQL server. */
export interface LibsqlServerPlace {
  readonly file?: undefined;
  /** URL for the client, including any token. */
  readonly connection: string;
  /** URL for display, without the token. */
  readonly name: string;
}

/** A schema of a PostgreSQL server. */
export interface PostgresPlace {
  /** Connection string for libpq, including any password. */
  readonly connection: string;
  readonly schema: string;
  /** Connection string for display, without the password. */
  readonly name: string;
}

/** Parameters of the URL of a libSQL server; its client knows no others. */
const LIBSQL_PARAMETERS = new Set(["authToken", "tls"]);
const DEFAULT_SCHEMA = "openclaw";
/** PostgreSQL silently truncates longer names, so two of them could become the same name. */
const LONGEST_NAME_BYTES = 63;

/**
 * Parses the URL of a database (SCALE-002).
 * @param url - `file:<path>`, `postgres://<user>@<host>/<database>` with an optional `?schema=`, `libsql:<path>`, or
 *   `libsql://<host>` with an optional `?authToken=` and `?tls=0`
 * @param folder - base folder of a relative file path; default the current folder
 * @throws StoreArgumentError for another scheme or an invalid URL
 */
export function databasePlace(url: string, folder = "."): DatabasePlace {
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(url)?.[0].toLowerCase();
  switch (scheme) {
    case "file":
      return { engine: "sqlite", file: filePath(url, folder) };
    case "postgres":
    case "postgresql":
      return { engine: "postgres", ...postgresPlace(url) };
    case "libsql":
      return { engine: "libsql", ...libsqlPlace(url, folder) };
    default:
      throw refused("a file:, libsql: or postgres: URL", url);
  }
}

/**
 * Parses the URL of a PostgreSQL database.
 * @param url - `postgres:` or `postgresql:`
 * @throws StoreArgumentError for an invalid URL, or a schema whose name is too long
 */
export function postgresPlace(url: string): PostgresPlace {
  if (!URL.canParse(url)) throw refused("a URL such as postgres://user@host/database", url);
  const parsed = new URL(url);
  if (parsed.host === "" && parsed.pathname.length < 2 && parsed.search === "") {
    throw refused("a host or a database, as in postgres://user@host/database", url);
  }
  const schema = parsed.searchParams.get("schema") ?? DEFAULT_SCHEMA;
  const length = Buffer.byteLength(schema);
  if (length < 1 || length > LONGEST_NAME_BYTES || schema.includes("\0")) {
    throw refused(`a schema of 1 to ${LONGEST_NAME_BYTES} bytes`, url);
  }
  parsed.searchParams.delete("schema");
  const connection = parsed.href;
  return { connection, schema, name: `${withoutSecrets(parsed)}?schema=${schema}` };
}

/** `libsql:<path>` is a file, as in `file:<path>`; with a host it is a server. */
function libsqlPlace(url: string, folder: string): LibsqlPlace {
  const rest = url.slice("libsql:".length);
  if (!rest.startsWith("//") || rest.startsWith("///")) {
    return { file: filePath(`file:${rest}`, folder) };
  }
  if (!URL.canParse(url)) throw refused("a URL such as libsql://host", url);
  const parsed = new URL(url);
  const tls = parsed.searchParams.get("tls");
  if (parsed.username !== "" || parsed.password !== "") {
    throw refused("a token as ?authToken=, and no user in the URL", url);
  }
  const unknown = [...parsed.searchParams.keys()].find((name) => !LIBSQL_PARAMETERS.has(name));
  if (unknown !== undefined) throw refused("no parameter but authToken and tls", url);
  if (tls !== null && tls !== "0" && tls !== "1") throw refused("tls=0 or tls=1", url);
  if (tls === "0" && parsed.port === "") {
    throw refused("a port with tls=0, as in libsql://localhost:8080?tls=0", url);
  }
  const name = withoutSecrets(parsed);
  // The client replaces what follows the last slash.
  if (!parsed.pathname.endsWith("/")) parsed.pathname = `${parsed.pathname}/`;
  return { connection: parsed.href, name };
}

/**
 * Removes secrets from a URL, including its parameters, which may contain the path of a key or a password.
 */
function withoutSecrets(url: URL): string {
  const user = url.username === "" ? "" : `${url.username}@`;
  return `${url.protocol}//${user}${url.host}${url.pathname}`;
}

function filePath(url: string, folder: string): string {
  if (url.startsWith("file://")) {
    try {
      return fileURLToPath(url);
    } catch {
      throw refused("a file: URL with an absolute path", url);
    }
  }
  const path = url.slice("file:".length);
  if (path === "") throw refused("a file: URL with a path", url);
  return isAbsolute(path) ? path : resolve(join(folder, path));
}

function refused(expected: string, url: string): StoreArgumentError {
  const shown = URL.canParse(url) ? withoutSecrets(new URL(url)) : "something else";
  return new StoreArgumentError("openStore", "url", expected, shown);
}

/**
 * Returns true for the URL of a PostgreSQL server, which several nodes share.
 * @param url - URL of a database
 */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:/i.test(url);
}
