import { GivenWords, type Words } from "./given-words.js";
import { files, UNKNOWN_FILES, type WrittenPath } from "./written-path.js";

type Writer = (words: Words) => readonly WrittenPath[];

const UNKNOWN = [UNKNOWN_FILES];
const CURL_FILES = [
  "-o",
  "--output",
  "-D",
  "--dump-header",
  "-c",
  "--cookie-jar",
  "--trace",
  "--trace-ascii",
  "--stderr",
  "--libcurl",
  "--etag-save",
  "--hsts",
  "--alt-svc",
];
const CURL_VALUES = [
  "-K",
  "--config",
  "--output-dir",
  "--url",
  "--data",
  "--data-raw",
  "--data-binary",
  "--header",
  "--request",
  "--user",
  "--user-agent",
  "--form",
  "--referer",
  "--cookie",
  "--max-time",
  "--connect-timeout",
  "--retry",
  "--write-out",
  "--proxy",
  "--cert",
  "--key",
  "--cacert",
  "--range",
  "--upload-file",
];

const curl: Writer = (words) => {
  const names = [...CURL_FILES, ...CURL_VALUES].filter((name) => name.startsWith("--"));
  const given = new GivenWords(words, { letters: "oDcKAbCdeEFHhmPQrTtuUwxXyYz", names });
  if (given.has("-K", "--config")) return UNKNOWN;
  const isNamedByServer = given.has("-J", "--remote-header-name");
  const [folder = "."] = given.values("--output-dir");
  const inFolder = (path: string | undefined) =>
    path === undefined || folder === "." || /^[/~]/.test(path) ? path : `${folder}/${path}`;
  const named = files(
    given
      .values(...CURL_FILES)
      .filter((path) => path !== "-")
      .map(inFolder),
  );
  if (!given.has("-O", "--remote-name", "--remote-name-all")) return named;
  return isNamedByServer
    ? UNKNOWN
    : [
        ...named,
        ...files(
          [...given.operands, ...given.values("--url")].map((url) =>
            inFolder(url && lastName(url)),
          ),
        ),
      ];
};

const wget: Writer = (words) => {
  const given = new GivenWords(words, {
    letters: "OoaPitTwQDRAIUeBlXY",
    names: [
      "--output-document",
      "--output-file",
      "--append-output",
      "--directory-prefix",
      "--input-file",
      "--tries",
      "--timeout",
      "--wait",
      "--header",
      "--user-agent",
      "--save-cookies",
      "--load-cookies",
      "--post-data",
      "--execute",
      "--config",
    ],
  });
  const logs = files(
    given.values("-o", "--output-file", "-a", "--append-output", "--save-cookies"),
  );
  if (given.has("-O", "--output-document")) {
    return [
      ...logs,
      ...files(given.values("-O", "--output-document").filter((path) => path !== "-")),
    ];
  }
  if (given.has("--spider")) return logs;
  const isUnread = given.has(
    "-r",
    "--recursive",
    "-m",
    "--mirror",
    "-i",
    "--input-file",
    "-x",
    "--force-directories",
    "-p",
    "--page-requisites",
    "--content-disposition",
    "--trust-server-names",
    "-e",
    "--execute",
    "--config",
  );
  if (isUnread) return UNKNOWN;
  const [folder] = given.values("-P", "--directory-prefix");
  return [
    ...logs,
    ...files(given.operands.map((url) => url && [folder, lastName(url)].filter(Boolean).join("/"))),
  ];
};

const aria: Writer = (words) => {
  const given = new GivenWords(words, {
    letters: "odilj",
    names: ["--out", "--dir", "--input-file", "--log"],
  });
  const named = given.values("-o", "--out", "-l", "--log");
  return named.length === 0 ? UNKNOWN : files(named);
};

/** Returns the name that a download of a URL has. */
function lastName(url: string): string {
  const path = url.replace(/[?#].*$/, "").replace(/^[a-z]+:\/\/[^/]*/i, "");
  const name = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Programs that download files. */
export const writtenByDownload: Readonly<Record<string, Writer>> = { curl, wget, aria2c: aria };
