import fc from "fast-check";

/** Hides a command inside another one that runs it. */
type Disguise = (command: string) => string;

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const doubleQuote = (text: string) => `"${text.replaceAll(/[\\"$`]/g, "\\$&")}"`;

/** Quotes a text for `env -S`, which interprets escapes between single quotes too. */
const quoteForEnv = (text: string) => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;

/** Ways to hide any command. */
const DISGUISES: Readonly<Record<string, Disguise>> = {
  after: (command) => `ls; ${command}`,
  afterLine: (command) => `ls\n${command}`,
  and: (command) => `true && ${command}`,
  or: (command) => `false || ${command}`,
  before: (command) => `${command}\nls`,
  piped: (command) => `ls | {\n${command}\n}`,
  subshell: (command) => `(\n${command}\n)`,
  group: (command) => `{\n${command}\n} 2>/dev/null`,
  background: (command) => `{\n${command}\n} & wait`,
  negated: (command) => `! {\n${command}\n}`,
  condition: (command) => `if true; then\n${command}\nfi`,
  otherwise: (command) => `if false; then ls; else\n${command}\nfi`,
  loop: (command) => `while true; do\n${command}\nbreak; done`,
  each: (command) => `for i in 1; do\n${command}\ndone`,
  choice: (command) => `case a in\na)\n${command}\n;; esac`,
  defined: (command) => `f() {\n${command}\n}; f`,
  substituted: (command) => `echo $(\n${command}\n)`,
  quotedSubstitution: (command) => `echo "$(\n${command}\n)"`,
  hereDocument: (command) => `cat <<END_OF_TEXT\n$(\n${command}\n)\nEND_OF_TEXT`,
  hereString: (command) => `cat <<< "$(\n${command}\n)"`,
  read: (command) => `cat <(\n${command}\n)`,
  shell: (command) => `bash -c ${quote(command)}`,
  loginShell: (command) => `bash -lc ${doubleQuote(command)}`,
  cluster: (command) => `sh -eux -c ${quote(command)}`,
  wrapped: (command) => `env A=1 nohup nice -n 5 timeout 9 sh -c ${quote(command)}`,
  timed: (command) => `time -p bash -c ${quote(command)}`,
  split: (command) => `env -S ${quote(`bash -c ${quoteForEnv(command)}`)}`,
  evaluated: (command) => `eval ${quote(command)}`,
  elevated: (command) => `sudo -u me bash -c ${quote(command)}`,
  trapped: (command) => `trap ${quote(command)} EXIT`,
  aliased: (command) => `alias x=${quote(command)}; x`,
  remote: (command) => `ssh host ${quote(command)}`,
  printed: (command) => `printf '%s' ${quote(command)} | bash`,
  encoded: (command) => `echo ${Buffer.from(command).toString("base64")} | base64 -d | sh`,
  // `xargs` would replace `{}` inside the command as well.
  eachLine: (command) => `echo x | xargs -I@@ bash -c ${quote(command)}`,
  repeated: (command) => `watch -n 1 ${quote(command)}`,
  recorded: (command) => `script -q -c ${quote(command)} /dev/null`,
  locked: (command) => `flock -n README.md -c ${quote(command)}`,
};

/** Different spellings of the same word. */
const SPELLINGS: readonly ((word: string) => string)[] = [
  (word) => word,
  quote,
  doubleQuote,
  (word) => [...word].map((letter) => `\\${letter}`).join(""),
  (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
  (word) => `""${word}`,
  (word) =>
    `$'${[...Buffer.from(word)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`,
  (word) =>
    `$'${[...Buffer.from(word)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}'`,
  (word) => `$(echo ${quote(word)})`,
];

/** A few disguises, nested in each other. */
export const disguises = fc
  .array(fc.constantFrom(...Object.entries(DISGUISES)), { minLength: 1, maxLength: 4 })
  .map((chosen) => ({
    names: chosen.map(([name]) => name),
    hide: (command: string) => chosen.reduce((hidden, [, disguise]) => disguise(hidden), command),
  }));

/** Spellings of each word of a command of plain words. */
export const spellings = fc
  .array(fc.constantFrom(...SPELLINGS), { minLength: 8, maxLength: 8 })
  .map(
    (chosen) => (words: readonly string[]) =>
      words.map((word, index) => (chosen[index % chosen.length] ?? quote)(word)).join(" "),
  );
