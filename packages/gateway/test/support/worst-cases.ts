/** Tool calls of one model reply that kept, or could keep, the gateway busy. */
export interface WorstCase {
  readonly name: string;
  /** Tool calls, with their arguments as the model writes them. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/** Maximum size of a parsed command in bytes (APPR-045). */
const LONGEST_COMMAND = 16_384;
/** Maximum size of the arguments of a call. */
const LONGEST_ARGUMENTS = 256 * 1024;
const MANY_CALLS = 10_000;
const KEY_HEADER = "-----BEGIN RSA PRIVATE KEY-----\n";

/** Commands of the maximum size, each repeating one construct as often as possible. */
const COMMANDS: Readonly<Record<string, string>> = {
  "path segments": filled("cat ", "a/"),
  "path segments of cd": filled("cd ", "a/"),
  "parent folders": filled("cat ", "../"),
  "removal through parents": filled("rm -rf ", "a/../"),
  "nested substitutions": filled("echo ", "$(echo "),
  "nested parentheses": filled("", "("),
  "nested braces": filled("echo ", "{a,"),
  pipes: filled("", "a|", "a"),
  "and lists": filled("", "a&&", "a"),
  "folder changes": filled("", "cd a;", "ls"),
  words: filled("ls ", "a "),
  "different words": `cat ${Array.from({ length: 2500 }, (_, word) => `f${word}`).join(" ")}`,
  "words that read like commands": filled("ls ", "rm "),
  options: filled("sort ", "--key=1 "),
  quotes: filled("ls ", `''""`),
  redirections: filled("ls ", ">a "),
  "input redirections": filled("cat ", "<a "),
  "here-documents": filled("", "cat <<a\n"),
  wrappers: filled("", "env ", "ls"),
  "code in code": filled("", "eval ", "ls"),
  "commands of find": filled("find . ", "-exec a ; "),
  "commands of parallel": filled("parallel echo ::: ", "a "),
  aliases: filled("alias ", "a=b "),
  functions: filled("", "f(){ f;};", "f"),
  substitutions: filled("cat ", "<(a) "),
  variables: filled("ls ", "$a"),
  arithmetic: filled("ls ", "$(("),
  assignments: filled("", "a=b ", "ls"),
  "invisible characters": filled("ls ", "\u200b", "", LONGEST_COMMAND / 3),
  "headers of keys": filled("ls #", KEY_HEADER),
  "over the limit": filled("ls ", "a/", "", LONGEST_ARGUMENTS / 2),
};

/** File contents of the maximum size for the arguments of a call, each of them hard for one kind of rule. */
const CONTENTS: Readonly<Record<string, string>> = {
  lines: fill("The quick brown fox jumps over the lazy dog.\\n"),
  "headers of keys": fill("-----BEGIN RSA PRIVATE KEY-----\\n"),
  tokens: fill(`ghp_${"aB3dE6".repeat(6)} `),
  "beginnings of tokens": fill("sk-"),
  "percent encoding": fill("%2525"),
  entities: fill("&amp;"),
  "parent folders": fill("../"),
  "one letter": fill("a"),
};

/** All worst cases, by name. */
export const WORST_CASES: readonly WorstCase[] = [
  ...Object.entries(COMMANDS).map(([name, command]) => ({
    name: `command: ${name}`,
    calls: [{ name: "exec", arguments: JSON.stringify({ command }) }],
  })),
  ...Object.entries(CONTENTS).map(([name, content]) => ({
    name: `content: ${name}`,
    calls: [{ name: "write", arguments: `{"path":"a.txt","content":"${content}"}` }],
  })),
  {
    name: "content: ten times the limit",
    calls: [
      {
        name: "write",
        arguments: `{"path":"a.txt","content":"${"a".repeat(LONGEST_ARGUMENTS * 10)}"}`,
      },
    ],
  },
  {
    name: "path: segments",
    calls: [{ name: "write", arguments: `{"path":"${"a/".repeat(100_000)}b","content":""}` }],
  },
  {
    name: "path: segments of the longest path",
    calls: [{ name: "write", arguments: `{"path":"${"a/".repeat(1900)}b","content":""}` }],
  },
  {
    name: "patch: spaces behind a file name",
    calls: [
      {
        name: "apply_patch",
        arguments: `{"input":"*** Add File: a${" ".repeat(LONGEST_ARGUMENTS - 100)}b"}`,
      },
    ],
  },
  { name: "calls: many of one tool", calls: manyCalls('{"path":"a.txt","content":"x"}') },
  {
    name: "calls: as many commands of 8 KiB as are read",
    calls: Array.from({ length: 64 }, (_, index) => ({
      name: "exec",
      arguments: JSON.stringify({ command: `${filled("cat ", "a/", "", 8_192)}${index}` }),
    })),
  },
  { name: "calls: many unknown", calls: manyCalls("{}", "nothing") },
  { name: "calls: many malformed", calls: manyCalls("{") },
  {
    name: "arguments: many values",
    calls: [{ name: "write", arguments: `{"path":[${"1,".repeat(125_000)}1]}` }],
  },
  {
    name: "arguments: as many texts as are read",
    calls: [{ name: "write", arguments: `{"path":[${'"texts",'.repeat(9000)}"x"]}` }],
  },
  {
    name: "arguments: as many fields as are read",
    calls: [
      {
        name: "write",
        arguments: `{${Array.from({ length: 9000 }, (_, field) => `"token ${field}":"x"`).join(",")}}`,
      },
    ],
  },
  {
    name: "arguments: deep",
    calls: [{ name: "write", arguments: `{"path":${"[".repeat(100_000)}${"]".repeat(100_000)}}` }],
  },
];

function filled(start: string, part: string, end = "", length = LONGEST_COMMAND): string {
  const count = Math.floor((length - start.length - end.length) / part.length);
  return start + part.repeat(count) + end;
}

function fill(part: string): string {
  return part.repeat(Math.floor((LONGEST_ARGUMENTS - 200) / part.length));
}

function manyCalls(text: string, name = "write"): WorstCase["calls"] {
  return Array.from({ length: MANY_CALLS }, () => ({ name, arguments: text }));
}
