import { isGiven, readWords, type Words } from "../parsed-arguments.js";
import { INLINE_CODE, isReadingCode } from "./inline-code.js";

/** Returns whether a program with these words would write, use the network, or not end. */
type Refusal = (words: Words) => boolean;

const ANY: Refusal = () => false;
const VERSION = /^(?:--version|-V|--help|version|help)$/;
/** Programs whose `-v` prints their version. */
const SHORT_VERSION =
  /^(?:node|nodejs|npm|pnpm|yarn|npx|bun|deno|ruby|php|perl|tsc|docker|nginx|go|java|javac|cargo|rustc|gcc|g\+\+|clang|make|cmake|python[\d.]*)$/;
const LONGEST_SLEEP_S = 10;

/** Programs that only read, print or count, whatever their words are. */
const PLAIN =
  ": [ ack ag apropos arch b2sum base32 base64 basename bat batcat bc break cal cat cd cksum cloc cmp col colordiff column comm continue cut dc declare df diff diff3 dir dirname dirs du echo egrep env exit expand export expr factor false fgrep file fmt fold free getconf getent grep groups head hexdump id iconv join jq let local locale look ls lsblk lscpu md5 md5sum more less nl nm nproc numfmt objdump od paste pathchk pgrep popd pr printenv printf ps pushd pwd rev read readarray mapfile readelf readlink readonly realpath return rg scc sdiff set sha1sum sha224sum sha256sum sha384sum sha512sum shasum shift shopt size stat strings sum tac test tokei tr true tsort tty type uname unexpand unset uptime vdir vmstat wait wc whatis whereis which who whoami xargs zcat bzcat xzcat zstdcat zgrep zegrep zfgrep zdiff zcmp zless zmore zipinfo";

const operandsOf = (words: Words, letters = "") => readWords(words, { letters }).operands;

/** Programs that only read with some of their words. */
const LIMITED: Readonly<Record<string, Refusal>> = {
  awk: writesFromAwk,
  gawk: writesFromAwk,
  mawk: writesFromAwk,
  nawk: writesFromAwk,
  bash: isNoSyntaxCheck,
  sh: isNoSyntaxCheck,
  bzip2: isNoListing,
  gzip: isNoListing,
  xz: isNoListing,
  zstd: isNoListing,
  command: ([first]) => first !== "-v" && first !== "-V",
  date: (words) => isGiven(readWords(words, { letters: "dfr" }), "s", ["set"]),
  find: (words) =>
    words.some((word) => /^-(?:delete|ok(?:dir)?|f(?:print(?:0|f)?|ls))$/.test(word ?? "")),
  go: (words) => !/^(?:version|env)$/.test(words.join(" ")),
  hostname: (words) =>
    operandsOf(words).length > 0 || isGiven(readWords(words), "Fb", ["file", "boot"]),
  npm: isNoQuery,
  pnpm: isNoQuery,
  pip: isNoPackageList,
  pip3: isNoPackageList,
  sed: (words) => isGiven(readWords(words, { letters: "efl" }), "i", ["in-place"]),
  seq: (words) => !words.every((word) => word === undefined || /^(?:-?\d{1,6}|-w)$/.test(word)),
  shuf: (words) => isGiven(readWords(words, { letters: "ni" }), "or", ["output", "repeat"]),
  sleep: ([time, ...more]) => more.length > 0 || !(Number(time) <= LONGEST_SLEEP_S),
  sort: (words) => isGiven(readWords(words, { letters: "ktST" }), "o", ["output"]),
  tail: (words) => isGiven(readWords(words, { letters: "cns" }), "fF", ["follow", "retry"]),
  tar: ([first, ...rest]) =>
    !/^(?:-?[a-zA-Z]*t[a-zA-Z]*|--list)$/.test(first ?? "") ||
    /^[^-]*[xcruA]/.test((first ?? "").replace(/^-+(?:list)?/, "")) ||
    rest.some((word) => /^--(?!list|file|exclude|strip|gzip|verbose)/.test(word ?? "")),
  tee: (words) => words.some((word) => word !== "/dev/null"),
  top: (words) =>
    !words.some((word) => /^-\w*b/.test(word ?? "")) ||
    !words.some((word) => /^-\w*n/.test(word ?? "")),
  tree: (words) => isGiven(readWords(words, { letters: "ILPH" }), "oR"),
  uniq: (words) => operandsOf(words, "fsw").length > 1,
  unzip: (words) => !words.some((word) => /^-\w*[lZvtpc]/.test(word ?? "")),
  xxd: (words) =>
    isGiven(readWords(words, { letters: "lsgcon" }), "r") || operandsOf(words, "lsgcon").length > 1,
  yq: (words) => words.some((word) => /^(?:-\w*i|--in-?place)/.test(word ?? "")),
};

const READERS: ReadonlyMap<string, Refusal> = new Map([
  ...PLAIN.split(" ").map((name): [string, Refusal] => [name, ANY]),
  ...Object.entries(LIMITED),
]);

/** Programs that only run another one, which is evaluated by itself. */
const RUNNERS = new Set(
  "time timeout nice ionice stdbuf command builtin env xargs find bash sh dash".split(" "),
);

/**
 * Returns whether a program is meant to read only, so that the read-only sandbox does not make it fail. The sandbox, not
 * this answer, keeps it from writing and from the network.
 * @param name - name of the program without folder
 * @param words - words after the program; undefined where they are computed at run time
 * @param input - text of its standard input; undefined when it is not known
 */
export function isReader(name: string, words: Words, input?: string): boolean {
  const [first = ""] = words;
  if (
    words.length === 1 &&
    (VERSION.test(first) || (/^-{1,2}v(?:ersion)?$/.test(first) && SHORT_VERSION.test(name)))
  ) {
    return true;
  }
  if (INLINE_CODE.test(name)) return isReadingCode(name, words, input);
  const refuses = READERS.get(name);
  return refuses !== undefined && !refuses(words);
}

/** Returns whether a program only runs another one. */
export function isRunner(name: string): boolean {
  return RUNNERS.has(name);
}

/** Output of awk goes to a file or a program after `>` and `|`; neither is part of a regular expression here. */
function writesFromAwk(words: Words): boolean {
  return words.some(
    (word) =>
      /^(?:-i|--in-?place|--inplace)/.test(word ?? "") ||
      />\s*(?:["(/]|\w+\s*[;}])|>>|\bsystem\s*\(/.test(word ?? ""),
  );
}

function isNoSyntaxCheck(words: Words): boolean {
  return words[0] !== "-n" || words.length !== 2;
}

function isNoListing(words: Words): boolean {
  return !words.some(
    (word) => /^-\w*[clt]/.test(word ?? "") || /^--(?:stdout|list|test)$/.test(word ?? ""),
  );
}

/** Queries of package managers that need neither the network nor a script of the project. */
function isNoQuery([first = "", second, ...more]: Words): boolean {
  if (/^(?:ls|list|ll|la|why|explain|root|prefix|bin)$/.test(first)) return false;
  if (first === "run" || first === "run-script") return second !== undefined;
  return !(
    (first === "config" || first === "pkg") &&
    (second === "get" || second === "list") &&
    more.length < 2
  );
}

function isNoPackageList([first = ""]: Words): boolean {
  return !/^(?:list|show|freeze|check)$/.test(first);
}
