import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readPerl } from "../src/reading/perl/code.js";
import { evaluationPlace } from "./support/evaluation.js";
import { generatedCases } from "./support/generated-cases.js";
import { BOUNDED_PERL, HOSTILE_PERL, READING_PERL } from "./support/perl-programs.js";

const PERL = "/usr/bin/perl";
const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());

const isRead = (words: readonly string[]) => !("unknown" in readPerl(words));

/** Runs Perl as the host would, with a variable of its environment that it must not show. */
function run(words: readonly string[]) {
  const { stdout, stderr } = spawnSync(PERL, words, {
    cwd: place.workspaceDir,
    env: { HOME: "/planted-home" },
    encoding: "utf8",
    input: "",
    timeout: 10_000,
  });
  return { stdout, stderr };
}

/** Separates the options, which load modules, from the code and its operands. */
function splitAtCode(words: readonly string[]): readonly (readonly string[])[] {
  const at = words.findIndex((word) => /^-\w*[eE]$/.test(word));
  return [words.slice(0, at), words.slice(at)];
}

describe("program of Perl in a command", () => {
  it("[APPR-502] is read when it only computes and prints values", () => {
    expect(READING_PERL.filter((words) => !isRead(words))).toEqual([]);
    expect("unknown" in readPerl([], "print 1 + 2;\n")).toBe(false);
  });

  it("[APPR-502] needs approval when it could do more", () => {
    expect(HOSTILE_PERL.length).toBeGreaterThan(200);
    expect(HOSTILE_PERL.filter(isRead)).toEqual([]);
  });

  it("[APPR-502] runs with references by name and changes by input forbidden", async () => {
    const verdict = await place.evaluate("perl -ne 'print if /foo/' README.md");
    expect(verdict.decision).toBe("run");
    const [program] = verdict.run?.pipelines[0]?.programs ?? [];
    expect(program?.arguments.slice(0, 2)).toEqual(["-T", "-Mstrict=refs"]);
  });

  it.each([
    "perl -ne print .env",
    "perl -ne print ../outside/secret.txt",
    "perl -ne print /etc/passwd",
    "perl -ne print src/link.txt",
    `perl -e 'open my $f, "<", ".env"; print <$f>'`,
    `perl -e 'open my $f, "<", "/etc/passwd"; print <$f>'`,
    "PERL5OPT=-Mlib=. perl -e 'print 1'",
    "PERL5LIB=. perl -MList::Util=sum -e 'print 1'",
    "printf 'id|' | xargs perl -ne print",
    "perl -ne print $(echo 'id|')",
  ])("[APPR-502] needs approval for a path that is private or outside: %s", async (command) => {
    expect((await place.evaluate(command)).decision).not.toBe("run");
  });

  it("[APPR-502] needs approval when a reading program contains code that does more", () => {
    const reader = fc.constantFrom(
      ...READING_PERL.filter(([option]) => option === "-e").map(([, code = ""]) => code),
    );
    const writer = fc.constantFrom(
      'system("id")',
      "`id`",
      'open(my $g, ">", "made")',
      "$ENV{HOME}",
      'eval("1")',
      "unlink('x')",
      '"@{[ `id` ]}"',
      "s/x/`id`/e",
      "/(?{ `id` })/",
      "<*.md>",
    );
    const shape = fc.constantFrom<(one: string, other: string) => string>(
      (one, other) => `${one}; ${other}`,
      (one, other) => `${other}; ${one}`,
      (one, other) => `my $q = ${other}; ${one}`,
      (one, other) => `${one}; print [1, { a => ${other} }]`,
      (one, other) => `for my $q (1) { ${other} } ${one}`,
      (one, other) => `if (${other}) { 1 } ${one}`,
      (one, other) => `${one}; print map { ${other} } 1`,
      (one, other) => `${one}; print sort { ${other} } @q`,
      (one, other) => `${one}; $q{${other}} = 1`,
      (one, other) => `${one}; $_ = 1 if ${other}`,
      (one, other) => `END { ${other} } ${one}`,
      (one, other) => `${one}; s/x/${other.replaceAll("/", "\\/")}/e`,
      (one, other) => `${one}; print $q ? ${other} : 1`,
    );
    fc.assert(
      fc.property(reader, writer, shape, (one, other, compose) => {
        const code = compose(one, other);
        expect(isRead(["-e", code]), code).toBe(false);
      }),
      { seed: 20_261_130, ...generatedCases(1500) },
    );
  });

  describe.skipIf(!existsSync(PERL))("that runs", () => {
    it("[APPR-502] shows nothing of its environment when a reference is made of a name", () => {
      for (const code of BOUNDED_PERL) {
        const read = readPerl(["-e", code]);
        if ("unknown" in read) continue;
        const { stdout, stderr } = run(read.words ?? []);
        expect(stdout, code).not.toMatch(/planted|ran|set|HOME/);
        expect(stderr, code).toMatch(/strict refs|not allowed|Insecure/);
      }
    });

    it("[APPR-502] compiles without the operations that change files or run programs", () => {
      // The compiler of Perl itself rejects what the reader should have found.
      const mask =
        "-Mops=:base_core,:base_mem,:base_loop,:base_orig,:base_io,:base_math,:filesys_open,sort,entertry,leavetry,time,localtime,gmtime,tie,bless,require,caller,exit";
      const { stderr: missing } = run([mask, "-e", "1"]);
      expect(missing).toBe("");
      for (const words of READING_PERL.filter((_, index) => index % 2 === 0)) {
        const read = readPerl(words);
        if ("unknown" in read) throw new Error(words.join(" "));
        const [options = [], code = []] = splitAtCode(read.words ?? []);
        const { stderr } = run(["-c", ...options, mask, ...code]);
        expect(stderr, words.join(" ")).toMatch(/syntax OK/);
      }
      expect(run([mask, "-e", 'system "id"']).stderr).toContain("trapped by operation mask");
      expect(existsSync(join(place.workspaceDir, "made"))).toBe(false);
    });
  });
});
