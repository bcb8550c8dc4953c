import type { Range } from "../../../text/range.js";
import { anchored, anchoredMatcher, matchBehind, matchHere } from "../../detector.js";
import { REDACTED_LEAK } from "../../leak-actions.js";
import type { LeakRule } from "../../rule.js";

const REASON = "It gives access to the account that it is written next to.";
const USER = /:\/\/([^\s/?#"'`<>@:\\]{0,128}):/y;
const PASSWORD = /[^\s/?#"'`<>\\]{1,256}(?=@[A-Za-z0-9[])/y;
/** Placeholders of documentation, and default passwords. */
const NO_PASSWORD =
  /^(?:pass(?:word|wd|phrase)?|pwd?|secret|[$<{%[*].*|x{3,}|\*+|\.+|[A-Z_]+|your.*|.*(?:\$\{|\{\{|redacted|changeme|placeholder).*)$/i;

/** Passwords and keys within URLs, commands and files of settings. */
export const CONNECTION_RULES: readonly LeakRule[] = [
  {
    ...rule("url_password", "password in a URL", ["://"], passwordOfUrl),
    examples: {
      match: [
        "postgres://admin:s3cretP@ss@db.example.com:5432/mydb",
        "https://alice:hunter2@example.com/",
        "https://01234567:89abcdef@gems.contribsys.com/",
      ],
      clean: [
        "https://example.com:8080/path@2",
        "postgres://user:password@localhost/db",
        "postgres://postgres:postgres@localhost/db",
        "https://user:[REDACTED]@example.com",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable in a file of settings
        "redis://:${REDIS_PASSWORD}@cache:6379",
      ],
    },
  },
  {
    kind: "leak",
    id: "curl_credentials",
    title: "credentials of curl",
    reason: REASON,
    severity: "high",
    label: "BASIC_AUTH",
    actions: REDACTED_LEAK,
    detector: anchoredMatcher(["curl "], false, credentialsOfCurl),
    examples: {
      match: [
        "curl -s -u alice:hunter2 https://example.com",
        'curl --user "alice:hunter2" https://example.com',
        "curl -H 'X-Api-Key: q8Zr2LmX7vTn' https://example.com",
      ],
      clean: [
        "curl -u alice https://example.com",
        'curl -u "$USER:$PASSWORD" https://example.com',
        "curl -H 'Accept: text/html' https://example.com",
      ],
    },
  },
  {
    kind: "leak",
    id: "kubernetes_secret",
    title: "data of a Kubernetes secret",
    reason: "Base64 is not encryption: anyone who reads the manifest can read the values.",
    severity: "high",
    label: "API_KEY",
    actions: REDACTED_LEAK,
    detector: anchoredMatcher(
      ["kind:"],
      false,
      matchBehind(
        /kind:[ \t]{0,8}["']?Secret["']?[ \t]{0,8}\r?\n(?:(?!data:)[^\n]{0,200}\n){0,12}data:[ \t]{0,8}\r?\n/y,
        /(?:[ \t]+[\w.-]{1,128}:[ \t]{0,8}["']?[A-Za-z0-9+/]{8,4096}={0,2}["']?[ \t]{0,8}(?:\r?\n|$)){1,64}/y,
      ),
    ),
    examples: {
      match: ["kind: Secret\nmetadata:\n  name: db\ndata:\n  password: aHVudGVyMg==\n"],
      clean: ["kind: ConfigMap\ndata:\n  password: aHVudGVyMg==\n", "kind: Secret\ndata: {}\n"],
    },
  },
  {
    kind: "leak",
    id: "nuget_password",
    title: "password of a NuGet source",
    reason: REASON,
    severity: "high",
    label: "PASSWORD",
    actions: REDACTED_LEAK,
    detector: anchored(
      ['Password" value='],
      /(?<=<add key="(?:ClearText)?)Password" value="[^"\r\n]{8,256}"/y,
    ),
    examples: {
      match: ['<add key="ClearTextPassword" value="q8Zr2LmX" />'],
      clean: [
        '<add key="ClearTextPassword" value="" />',
        '<add key="Username" value="q8Zr2LmX" />',
      ],
    },
  },
];

function rule(
  id: string,
  title: string,
  anchors: readonly string[],
  matcher: (text: string, at: number) => Range | undefined,
): Omit<LeakRule, "examples"> {
  return {
    kind: "leak",
    id,
    title,
    reason: REASON,
    severity: "high",
    label: "BASIC_AUTH",
    actions: REDACTED_LEAK,
    detector: anchoredMatcher(anchors, false, matcher),
  };
}

const passwordHere = matchHere(PASSWORD);

/**
 * Finds the password of a URL; a password equal to the user name is a default that everyone knows.
 */
function passwordOfUrl(text: string, at: number): Range | undefined {
  USER.lastIndex = at;
  const user = USER.exec(text);
  const range = user === null ? undefined : passwordHere(text, at + user[0].length);
  if (user === null || range === undefined) return undefined;
  const password = text.slice(...range);
  return password === user[1] || NO_PASSWORD.test(password) ? undefined : range;
}

const LONGEST_COMMAND = 1024;
const CURL_USER =
  /[ \t](?:-u|--user)(?:=|[ \t]{0,5})(?:"[^"\s:$]{1,64}:([^"\s$]{3,128})"|'[^'\s:]{1,64}:([^'\s]{3,128})'|[\w.@-]{1,64}:([\w.@!-]{3,128}))/d;
const CURL_HEADER =
  /[ \t](?:-H|--header)(?:=|[ \t]{0,5})["'](?:[\w-]{0,32}-)?(?:key|token|secret):[ \t]{0,5}([\w=~@.+/-]{8,256})["']/di;

function credentialsOfCurl(text: string, at: number): Range | undefined {
  const end = text.indexOf("\n", at);
  const command = text.slice(at, Math.min(end === -1 ? text.length : end, at + LONGEST_COMMAND));
  const found = CURL_USER.exec(command) ?? CURL_HEADER.exec(command);
  const range = found?.indices?.slice(1).find((indices) => indices !== undefined);
  return range === undefined ? undefined : [at + range[0], at + range[1]];
}
