import { describe, expect, it } from "vitest";
import { type ParsedCommand, parseCommand } from "../../../src/index.js";

async function wordsOf(source: string): Promise<(string | undefined)[][]> {
  const { commands } = await parseCommand(source);
  return commands.map(({ program, arguments: words }) => [program, ...words]);
}

function outline({ commands }: ParsedCommand): string[] {
  return commands.map(
    ({ program, wrappers, position }) => `${[...wrappers, program].join(">")} ${position}`,
  );
}

describe("parseCommand", () => {
  it("resolves quoting, and omits computed words", async () => {
    expect(await wordsOf(`r""m 'a b' "c d" \\e $'\\x41\\n' $"loc" a\\\nb *.txt ~/x`)).toEqual([
      ["rm", "a b", "c d", "e", "A\n", "loc", "ab", "*.txt", "~/x"],
    ]);
    expect(await wordsOf(`echo $x "$x" \${x:-y} $(date) \`date\` $((1+1)) <(ls) a$x`)).toEqual([
      ["echo", ...Array.from({ length: 8 }, () => undefined)],
      ["date"],
      ["date"],
      ["ls"],
    ]);
    expect(await wordsOf("$x a")).toEqual([[undefined, "a"]]);
    expect(await wordsOf("/bin/r? x; +(a|b) y; ./[ab] z")).toEqual([
      [undefined, "x"],
      [undefined, "y"],
      [undefined, "z"],
    ]);
    expect(await wordsOf("ls @(a|b)")).toEqual([["ls", "@(a|b)"]]);
  });

  it("expands braces", async () => {
    expect(
      await wordsOf(`echo {a,b{c,d}}x {1..3} {c..a} {0..4..2} {a,"b,c",'d}',e\\,f,$(g,h)}`),
    ).toEqual([
      [
        "echo",
        "ax",
        "bcx",
        "bdx",
        "1",
        "2",
        "3",
        "c",
        "b",
        "a",
        "0",
        "2",
        "4",
        "a",
        "b,c",
        "d}",
        "e,f",
        undefined,
      ],
      ["g,h"],
    ]);
    expect(await wordsOf("echo {1..1000} x")).toEqual([["echo", undefined, "x"]]);
    expect(await wordsOf(`echo {${"a,".repeat(80)}b}`)).toEqual([["echo", undefined]]);
    expect(await wordsOf(`echo ${"{a,b}".repeat(12)}`)).toEqual([["echo", undefined]]);
    expect(await wordsOf("echo {a} {,} a{b")).toEqual([["echo", "{a}", "a{b"]]);
    expect(await wordsOf("{rm,-rf,/}")).toEqual([["rm", "-rf", "/"]]);
  });

  it("separates words at the field separator", async () => {
    expect(await wordsOf(`rm${"$"}{IFS}-rf$IFS'a b'`)).toEqual([["rm", "-rf", "a b"]]);
    expect(await wordsOf(`echo "a${"$"}{IFS}b"`)).toEqual([["echo", undefined]]);
  });

  it("[SAFE-044] finds commands in words, pipes, lists, substitutions, here-documents and functions", async () => {
    const source = [
      "a | b && { c; } || (d)",
      "if e; then f; elif g; then h; else i; fi",
      "for x in $(j); do k; done; while l; do m; done; until n; do o; done",
      "for ((x=0;x<$(p);x++)); do q; done; select x in y; do r; done",
      "case $(s) in t) u;; esac",
      'f() { v; }; echo "$(w)" <(x) >(y)',
      "cat <<EOF\n$(z)\nEOF",
      `[[ -n $(aa) ]]; (( bb = $(cc) )); x=$(dd); y=(1 $(ee)); echo ${"$"}{z:-$(ff)} $(( $(gg) ))`,
      "coproc hh; ! ii; jj &",
    ].join("\n");
    const parsed = await parseCommand(source);
    expect(parsed.complete).toBe(true);
    const programs = parsed.commands.map(({ program }) => program);
    for (const name of "a b c d e f g h i j k l m n o p q r s u v w x y z aa cc dd ee ff gg hh ii jj".split(
      " ",
    )) {
      expect(programs, name).toContain(name);
    }
    expect(programs).not.toContain("t");
    const positions = new Map(parsed.commands.map(({ program, position }) => [program, position]));
    expect(Object.fromEntries(positions)).toMatchObject({
      a: "pipe",
      b: "pipe",
      c: "top",
      d: "subshell",
      e: "condition",
      i: "condition",
      k: "loop",
      l: "loop",
      m: "loop",
      q: "loop",
      u: "condition",
      v: "function",
      w: "substitution",
      z: "substitution",
      gg: "substitution",
    });
    const inBackground = parsed.commands.filter(({ background }) => background);
    expect(inBackground.map(({ program }) => program)).toEqual(["hh", "jj"]);
  });

  it.each([
    ["sudo -u root /bin/env A=1 rm x", ["sudo -u root", "/bin/env A=1"]],
    ["./env -C / cat x", ["./env -C /"]],
    ["bash -lc 'rm x' y", ["bash -lc rm x y"]],
    ["xargs -n1 cat", ["xargs -n1"]],
    ["timeout $x ls", ["timeout ?"]],
    ["time -p ls", ["time"]],
    ["\\time -o f ls", ["time -o f"]],
    ["ls", []],
  ])("returns the wrappers in %s as written", async (source, wrappers) => {
    const [command] = (await parseCommand(source)).commands;
    const written = command?.wrapperCommands.map(({ program, arguments: words }) =>
      [program, ...words.map((word) => word ?? "?")].join(" "),
    );
    expect(written).toEqual(wrappers);
  });

  it("returns the variable of a loop as an assignment of its body", async () => {
    const { commands } = await parseCommand(
      "for PATH in ./x; do ls; done; select y in a; do w; done",
    );
    expect(commands.map(({ program, assignments }) => [program, ...assignments])).toEqual([
      ["ls", { name: "PATH", value: undefined }],
      ["w", { name: "y", value: undefined }],
    ]);
  });

  it.each([
    [`echo $x \${y} \${#z}; cat < f`, []],
    ["echo $((x))", ["arithmetic"]],
    ["((x)); for ((;;)); do ls; done; a[x]=1", ["arithmetic"]],
    ["bash -c 'ls; a[x]=1'", ["arithmetic"]],
    ["ls {a,$((x))}", ["arithmetic"]],
    ["[[ 'a[$(ls)]' -eq 0 ]] && ls", ["test"]],
    [`echo \${x:=1} \${!y} \${z[0]}`, ["parameter-operation"]],
    [`cat <<EOF\n\${x@P}\nEOF`, ["parameter-operation"]],
    [`case $((x)) in a) ls > \${y:=1} ;; esac`, ["arithmetic", "parameter-operation"]],
    ["diff <(ls) b", ["process-substitution"]],
    ["ls > >(cat)", ["process-substitution"]],
  ])("returns the features of %s", async (source, features) => {
    expect((await parseCommand(source)).features).toEqual(features);
  });

  it.each([
    ["env -i A=1 rm x", "env>rm top"],
    ["env -S 'rm x'", "env>rm top"],
    ["time -p rm x", "time>rm top"],
    ["command time -p rm x", "command>time>rm top"],
    ["nohup rm x", "nohup>rm top"],
    ["bash -lc 'rm x'", "bash>rm top"],
    ["ls | xargs rm", "xargs>rm pipe"],
    ["sudo -u root env rm x", "sudo>env>rm top"],
    ["su root -c 'rm x'", "su>rm top"],
    ["su root -- -c 'rm x'", "su>rm top"],
    ["runuser -u root -- rm x", "runuser>rm top"],
    ["flock -w 3 /tmp/l -c 'rm x'", "flock>rm top"],
    ["sg group -c 'rm x'", "sg>rm top"],
    ["direnv exec . rm x", "direnv>rm top"],
    ["fish --init-command='rm x'", "fish>rm top"],
  ])("[SAFE-044] unwraps %s", async (source, expected) => {
    expect(outline(await parseCommand(source))).toContain(expected);
  });

  it("keeps a program that wraps nothing as the command", async () => {
    for (const source of [
      "env",
      "sudo -l",
      "bash",
      "bash -c ''",
      "xargs",
      "ssh host",
      "command -v x",
      "eval",
      "trap - INT",
      "trap '' INT",
      "trap INT",
      "alias",
      "flock 9",
      "su",
      "runuser -u root --",
      "exec",
      "bash -c",
      "env A=1",
      "parallel ::: $x",
    ]) {
      const { commands } = await parseCommand(source);
      expect(commands.length, source).toBeGreaterThan(0);
    }
    expect(await wordsOf("sudo -l")).toEqual([["sudo", "-l"]]);
    expect(await wordsOf("bash -c '# nothing'")).toEqual([["bash", "-c", "# nothing"]]);
  });

  it("marks a command with unknown or computed wrapper options as incomplete", async () => {
    for (const source of [
      "sudo --unknown x ls",
      "nohup $x",
      'env -S "$x" ls',
      "bash -Z $x",
      "timeout --k 3 5 ls",
      "parallel --unknown ls ::: a",
    ]) {
      expect((await parseCommand(source)).complete, source).toBe(source === "timeout --k 3 5 ls");
    }
  });

  it("links pipes, substitutions, redirections and definitions", async () => {
    const parsed = await parseCommand(
      "f() { a; }; A=1 b <in 2>&1 | { c; d; } >out; sh < <(e) <<<'g'; f | h; echo $(i) > >(j); alias k='l'",
    );
    const index = (name: string) => parsed.commands.findIndex(({ program }) => program === name);
    const command = (name: string) => parsed.commands[index(name)];
    expect(command("b")).toMatchObject({
      assignments: [{ name: "A", value: "1" }],
      redirections: [
        { operator: "<", target: "in" },
        { operator: ">&", target: "1" },
      ],
      input: [],
    });
    expect(command("c")).toMatchObject({
      input: [index("b")],
      redirections: [{ operator: ">", target: "out" }],
    });
    expect(command("d")).toMatchObject({ input: [index("b")] });
    expect(command("g")).toMatchObject({ wrappers: ["sh"] });
    expect(command("h")).toMatchObject({ input: [index("f"), index("a")] });
    expect(command("echo")).toMatchObject({ substitutions: [index("i"), index("j")] });
    expect(command("j")).toMatchObject({ input: [index("echo")] });
    expect(parsed.definitions).toEqual([
      { kind: "function", name: "f", commands: [index("a")] },
      { kind: "alias", name: "k", commands: [index("l")] },
    ]);
  });

  it("reads assignments, also as words and with computed values", async () => {
    const { commands } = await parseCommand(
      "a=1 b=$x c+=2 d=(1 2) e; export f=1 g=$x h=(1); a=1; > out",
    );
    expect(commands[0]?.assignments).toEqual([
      { name: "a", value: "1" },
      { name: "b", value: undefined },
      { name: "c", value: "2" },
      { name: "d", value: undefined },
    ]);
    expect(commands[1]?.arguments).toEqual(["f=1", undefined, undefined]);
    expect(commands.slice(2).map(({ program }) => program)).toEqual(["", ""]);
    expect(
      (await parseCommand('alias a="b $x" c=$(d)')).commands.map(({ program }) => program),
    ).toEqual(["alias", "b", undefined, "d"]);
  });

  it("returns ranges in the source, and for nested code the range of the enclosing command", async () => {
    const source = "echo $(ls) | bash -c 'rm x'; echo `a \\`b\\``";
    const { commands } = await parseCommand(source);
    expect(commands.map(({ program, range }) => [program, source.slice(...range)])).toEqual([
      ["echo", "echo $(ls)"],
      ["ls", "ls"],
      ["rm", "bash -c 'rm x'"],
      ["echo", "echo `a \\`b\\``"],
      ["a", "`a \\`b\\``"],
      ["b", "`a \\`b\\``"],
    ]);
  });

  it("follows known text into the shell that reads it", async () => {
    for (const source of [
      "echo 'rm x' | sh",
      "echo -n 'rm x' | cat | tee log | bash -s",
      "printf '%s %s\\n' rm x | sh",
      "printf -- 'rm x' | sh",
      "printf '%b' 'rm\\x20x%%' | sh",
      "echo -e 'rm\\tx' | sh",
      "echo 'x mr' | rev | sh",
      "printf 'x\\nrm ' | tac | tr -d z | cat; echo 'rm x' | sh",
      "echo cm0geA== | base64 -d | sh",
      "echo 726d2078 | xxd -r -p | sh",
      "cat <<< 'rm x' | sh",
      "sh <<EOF\nrm x\nEOF",
      "bash -c \"$(echo 'rm x')\"",
      "eval \"$(printf 'rm x')\"",
      "{ echo rm; echo x; } | tr '\\n' ' ' | cat; echo rm x | xargs -I% sh -c '%'",
    ]) {
      const { commands } = await parseCommand(source);
      const inner = commands.filter(({ wrappers }) => wrappers.length > 0);
      expect(
        inner.map(({ program }) => program),
        source,
      ).toContain("rm");
    }
  });

  it("does not follow text that is not certain", async () => {
    for (const source of [
      "echo $x | sh",
      "cat file | sh",
      "cat a - <<< x | sh",
      "$x | sh",
      "printf | sh",
      "base64 <<< cm0K | sh",
      "xxd -r <<< 72 | sh",
      "awk 1 <<< x | sh",
      "cat < f | sh",
      "echo x | sh script",
    ]) {
      const { commands } = await parseCommand(source);
      expect(
        commands.filter(({ wrappers }) => wrappers.length > 0),
        source,
      ).toEqual([]);
    }
  });

  it("marks a command beyond the grammar or the limits as incomplete", async () => {
    for (const source of [
      "if then",
      "echo 'open",
      "ls )",
      "$(( $(case x in x) ls;; esac) ))",
      "(( $(case x in x) ls;; esac) ))",
      'bash -c "ls $x"',
      "eval *",
      "eval {1..99999}",
      "a\0b",
      "echo $(ls",
    ]) {
      expect((await parseCommand(source)).complete, source).toBe(false);
    }
    expect((await parseCommand("")).complete).toBe(true);
    expect(await parseCommand(" ".repeat(16_385))).toEqual({
      source: " ".repeat(16_385),
      complete: false,
      commands: [],
      definitions: [],
      features: [],
    });
    const many = await parseCommand("ls; ".repeat(257));
    expect(many.complete).toBe(false);
    expect(many.commands).toHaveLength(256);
    expect((await parseCommand("ls; ".repeat(256))).complete).toBe(true);
    expect((await parseCommand("echo $((1)); ".repeat(256))).complete).toBe(false);
    expect((await parseCommand("echo $((1)); ".repeat(255))).complete).toBe(true);
    expect((await parseCommand("é".repeat(8193))).commands).toEqual([]);
    expect((await parseCommand(`ls ${"x".repeat(16_381)}`)).complete).toBe(true);
  });

  it("follows sixteen levels of nesting, and marks a deeper command as incomplete", async () => {
    const nested = (levels: number) => `${"env ".repeat(levels)}rm x`;
    expect(await parseCommand(nested(16))).toMatchObject({
      complete: true,
      commands: [{ program: "rm" }],
    });
    expect(await parseCommand(nested(17))).toMatchObject({ complete: false });
    const substituted = (levels: number) => `${"$(".repeat(levels)}rm x${")".repeat(levels)}`;
    expect((await parseCommand(substituted(16))).complete).toBe(true);
    expect((await parseCommand(substituted(17))).complete).toBe(false);
    const shells = `${"env ".repeat(16)}sh <<< ls`;
    expect((await parseCommand(shells)).commands).toMatchObject([{ program: "sh" }]);
  });
});
