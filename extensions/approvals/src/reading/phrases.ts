/** Programs that print their version with `--version`, wherever they run. */
const VERSIONED =
  "awk bash bun cargo cmake curl clang clang++ deno docker fd ffmpeg file find g++ gawk gcc gh git grep gzip helm java javac jq kubectl ld less ls make mysql nginx node npm npx openssl perl php pip pip3 pnpm podman psql python python2 python3 redis-cli rg rsync ruby rustc sed sh sqlite3 ssh tar terraform tmux tree tsc unzip vim wget yarn zip zsh";
const SHORT = new Map([
  ["node", "-v"],
  ["npm", "-v"],
  ["ruby", "-v"],
  ["php", "-v"],
  ["perl", "-v"],
  ["tsc", "-v"],
  ["docker", "-v"],
  ["python", "-V"],
  ["python3", "-V"],
  ["pip", "-V"],
  ["pip3", "-V"],
  ["ssh", "-V"],
  ["tmux", "-V"],
  ["java", "-version"],
  ["ldd", "--version"],
  ["nginx", "-v"],
]);

/** Template of single fields, and a filter, which the service applies to its own lists. */
const DOCKER_VIEW =
  " --format[= ](?:json|table|(?:\\{\\{(?:json )?\\.[A-Za-z]*\\}\\}|[\\w:,;/|=@.-]|\\\\[tn])+)| (?:-f|--filter)[= ][a-z-]+=[\\w./:@*-]+";
/** Fields about the state of a container, and not about its settings, which contain secrets. */
const DOCKER_STATE =
  "(?:\\{\\{\\.(?:State\\.[A-Za-z.]+|Name|Id|Created|RestartCount|Config\\.Image|Image|Platform)\\}\\}|[\\w:,;/|=-]|\\\\[tn])+";

/** Whole lists of words with which a program only prints, as one text. */
const PHRASES: Readonly<Record<string, string>> = {
  docker: `(?:container )?(?:ps|ls)(?: -[aqls]+| --no-trunc| --all| -n[= ]?\\d+|${DOCKER_VIEW})*|(?:images|image ls)(?: -[aq]+| --no-trunc| --all|${DOCKER_VIEW})*|(?:volume|network|context) ls(?: -q|${DOCKER_VIEW})*|context show|inspect (?:[\\w.-]+ )?(?:-f|--format)[= ]${DOCKER_STATE}(?: [\\w.-]+)?`,
  git: "version",
  go: "version",
  hostname: "|-[sI]",
  // It prints names of the configuration, without addresses and credentials.
  kubectl:
    "config (?:current-context|get-contexts(?: -o[= ]?name| --no-headers| --output[= ]name)*|get-clusters|get-users)",
  id: "(?:-[ugGnr]+)?",
  // Sockets and their programs; with a name of a host it would ask the network, and `+r` does not end.
  lsof: "(?:-[nPltOR]+|-n?P?i ?(?:4|6)?(?:TCP|UDP|tcp|udp)?(?::\\d[\\d,-]*)?|-sTCP:LISTEN)(?: (?:-[nPltOR]+|-n?P?i ?(?:4|6)?(?:TCP|UDP|tcp|udp)?(?::\\d[\\d,-]*)?|-sTCP:LISTEN))*",
  // `-c` does not end.
  netstat: "(?:-[tulnpaxeowWrsi46]+(?: -[tulnpaxeowWrsi46]+)*)?",
  npm: "(?:ls|list|ll)(?: --depth[= ]\\d| --all| -a| --json| --long| --parseable| --omit=dev| [\\w@][\\w@./-]*)*|root|prefix|run|pkg get(?: [\\w.-]+)*|config get registry",
  openssl: "version",
  pip: `list(?: --format[= ](?:columns|freeze|json)| --not-required| --user)*|show(?: [\\w][\\w.-]*)+`,
  pip3: `list(?: --format[= ](?:columns|freeze|json)| --not-required| --user)*|show(?: [\\w][\\w.-]*)+`,
  pgrep: "(?:-[clx]+ )?[\\w.-]+",
  // Without a dash, `e` shows the environment of processes, as the column `environ` does.
  ps: "(?!.*environ)(?:[aAuxwfljHTr]+|-aux|-[AefFlHjLTw]+|-[AefFlHjLTw]*[opCuU] [a-z\\d,=%_]+|-o [a-z\\d,=%_]+|--no-headers|--headers|--forest|--sort[= ][-+a-z%,]+|[1-9]\\d*)?(?: (?:[auxwfljHTr]+|-[AefFlHjLTw]+|-[AefFlHjLTw]*[opCuU] [a-z\\d,=%_]+|--no-headers|--headers|--forest|--sort[= ][-+a-z%,]+|[1-9]\\d*))*",
  // `-E` does not end, `-K` closes sockets, `-D` and `-F` name files, and `-r` asks the network.
  ss: "(?: ?-[hVnaloempiTsbZz460tSudwxHOQ]+| ?--(?:listening|all|tcp|udp|unix|numeric|processes|summary|no-header)| ?state [a-z-]+| ?[sd]port (?:= )?:\\d+| (?:and|or)(?= ))*",
  uptime: "|-p|-s",
};

const FORMS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(PHRASES).map(([name, form]) => [name, new RegExp(`^(?:${form})$`)]),
);
const WITH_VERSION = new Set(VERSIONED.split(" "));

/** Names of programs with such phrases. */
export const PHRASED_PROGRAMS: readonly string[] = [
  ...new Set([...WITH_VERSION, ...FORMS.keys(), ...SHORT.keys()]),
].filter((name) => name !== "git");

/**
 * Returns whether the words of a program only make it print its version, or facts that no file of the project contains.
 * @param name - name of the program
 * @param words - words after it
 */
export function isPrintingPhrase(name: string, words: readonly string[]): boolean {
  if (words.some((word) => /\s/.test(word) || word === "")) return false;
  const text = words.join(" ");
  if (text === "--version" && WITH_VERSION.has(name)) return true;
  if (text !== "" && text === SHORT.get(name)) return true;
  if (/\benviron?\b/.test(text)) return false;
  return FORMS.get(name)?.test(text) === true;
}
