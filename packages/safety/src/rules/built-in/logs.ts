import type { Range } from "../../text/range.js";
import type { ContextActions } from "../action.js";
import { anchored, anchoredMatcher, matchBehind, matchHere } from "../detector.js";
import type { LogLabel, LogRule } from "../rule.js";
import { ALONE } from "./word-boundary.js";

const LOG_ONLY: ContextActions = {
  params: "allow",
  output: "allow",
  input: "allow",
  network: "allow",
  file: "allow",
  log: "redact",
};
const DATABASES = [
  "postgres",
  "mysql",
  "mariadb",
  "mongodb",
  "redis",
  "amqp",
  "mssql",
  "sqlserver",
  "oracle",
  "clickhouse",
  "cockroachdb",
  "libsql",
  "couchbase",
  "cassandra",
  "nats",
];
const LONGEST_LOCAL_PART = 64;
const LOCAL_PART = /[A-Za-z0-9._%+-]/;
const REASON =
  "Logs are copied, shipped and archived, so their content leaves its owner's control.";

/**
 * Data that is removed from logs in addition to leaks (SAFE-055). Where several rules overlap, the
 * first one labels the replacement.
 */
export const LOG_RULES: readonly LogRule[] = [
  rule("log_connection_string", "database connection string", "CONNECTION_STRING", {
    detector: anchored(
      DATABASES,
      new RegExp(
        `${ALONE}(?:${DATABASES.join("|")})(?:ql|s|\\+srv)?://[^\\s"'<>:]{0,256}:[^\\s"'<>]{1,256}@[^\\s"'<>]{0,1024}`,
        "iy",
      ),
    ),
    match: ["postgres://admin:s3cretP@ss@db.example.com:5432/mydb", "redis://:pw@cache:6379"],
    clean: ["postgres://db.example.com:5432/mydb", "mysql is up"],
  }),
  rule("log_basic_auth", "basic authentication", "BASIC_AUTH", {
    detector: anchoredMatcher(["basic"], true, basicAuth),
    match: ["Authorization: Basic dXNlcjpwYXNz"],
    clean: ["Basic authentication failed", "Basic dXNlcg=="],
  }),
  rule("log_url_password", "password in a URL", "BASIC_AUTH", {
    detector: anchoredMatcher(
      ["://"],
      false,
      matchBehind(/:\/\//y, /[^\s/?#"'<>@:]{0,128}:[^\s/?#"'<>]{1,256}(?=@)/y),
    ),
    match: ["GET https://user:hunter2@example.com/"],
    clean: ["GET https://example.com:8080/", "GET https://example.com/?at=a@b"],
  }),
  rule("log_bearer", "short bearer token", "BEARER", {
    detector: anchored(
      ["bearer"],
      /bearer\s{1,8}(?=[A-Za-z._~+/=-]{0,64}\d)[A-Za-z0-9._~+/=-]{8,}/iy,
    ),
    match: ["authorization=Bearer abc12345"],
    clean: ["Bearer authentication failed"],
  }),
  rule("log_hex_secret", "labelled hexadecimal secret", "HEX_SECRET", {
    detector: anchoredMatcher(
      ["key", "secret", "token", "password", "seed"],
      true,
      matchBehind(
        /(?:key|secret|token|password|seed)["']?\s{0,4}[:=]\s{0,4}["']?(?:0x)?/iy,
        /[0-9A-Fa-f]{64,}/y,
      ),
    ),
    match: [`key=${"ab".repeat(32)}`, `"secret": "${"0f".repeat(32)}"`],
    clean: [`hash: ${"ab".repeat(32)}`, `key: ${"ab".repeat(16)}`],
  }),
  rule("log_password", "password in an assignment", "PASSWORD", {
    detector: anchoredMatcher(
      ["password", "passwd", "pwd", "secret", "token", "api_key", "apikey"],
      true,
      matchBehind(
        /(?:password|passwd|pwd|secret|token|api_?key)(?:=|["']\s{0,4}[:=]\s{0,4}(?=["']))/iy,
        /(?:(?<==)[^\s&"'<>,;[{}\]]{4,}|["'](?!\[REDACTED)[^"'\r\n]{4,1024}["'])/y,
      ),
    ),
    match: ["DB_PASSWORD=hunter2", '{"password": "correct horse"}', "?token=abc123"],
    clean: ["password: required", "PASSWORD=", "password=[REDACTED_PASSWORD]"],
  }),
  rule("log_email", "e-mail address", "EMAIL", {
    detector: anchoredMatcher(["@[A-Za-z0-9]"], false, emailAddress),
    match: ["login of alice.smith@example.com"],
    clean: ["npm i @scope/name", "git@host", "a @ b.com"],
  }),
];

interface LogRuleParts {
  readonly detector: LogRule["detector"];
  readonly match: readonly string[];
  readonly clean: readonly string[];
}

function rule(
  id: string,
  title: string,
  label: LogLabel,
  { detector, match, clean }: LogRuleParts,
): LogRule {
  return {
    kind: "log",
    id,
    title,
    reason: REASON,
    severity: "high",
    label,
    actions: LOG_ONLY,
    detector,
    examples: { match, clean },
  };
}

const BASIC = matchHere(/basic\s{1,8}[A-Za-z0-9+/]{4,1024}={0,2}/iy);
const NAME_AND_PASSWORD = /^[\x20-\x7e]*:[\x20-\x7e]*$/;

/** Matches only text that decodes to `name:password`; the word also begins sentences. */
function basicAuth(text: string, at: number): Range | undefined {
  const range = BASIC(text, at);
  if (range === undefined) return undefined;
  const encoded = text.slice(...range).replace(/^basic\s+/i, "");
  const decoded = Buffer.from(encoded, "base64").toString("latin1");
  return NAME_AND_PASSWORD.test(decoded) ? range : undefined;
}

const DOMAIN = matchHere(/@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,8}[A-Za-z]{2,24}/y);

/** Text before the password of a URL, which is followed by an at sign too. */
const USERINFO = /:\/\/[^\s/?#]*:$/;
const USERINFO_REACH = 128;

/** Matches an e-mail address; the anchor follows the local part, which is read backwards. */
function emailAddress(text: string, at: number): Range | undefined {
  let start = at;
  while (at - start < LONGEST_LOCAL_PART && LOCAL_PART.test(text.charAt(start - 1))) start -= 1;
  if (start === at || USERINFO.test(text.slice(Math.max(0, start - USERINFO_REACH), start))) {
    return undefined;
  }
  const range = DOMAIN(text, at);
  return range === undefined ? undefined : [start, range[1]];
}
