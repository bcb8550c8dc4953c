import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readRuby } from "../src/reading/ruby/code.js";
import { evaluationPlace } from "./support/evaluation.js";
import { generatedCases } from "./support/generated-cases.js";
import { HOSTILE_RUBY, READING_RUBY } from "./support/ruby-programs.js";

const RUBY = "/usr/bin/ruby";
const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());

const isRead = async (words: readonly string[]) => !("unknown" in (await readRuby(words)));

async function readOf(lists: readonly (readonly string[])[]): Promise<(readonly string[])[]> {
  const read: (readonly string[])[] = [];
  for (const words of lists) if (await isRead(words)) read.push(words);
  return read;
}

describe("program of Ruby in a command", () => {
  it("[APPR-503] is read when it only computes and prints values", async () => {
    expect(await readOf(READING_RUBY)).toEqual(READING_RUBY);
    expect("unknown" in (await readRuby([], "puts 1 + 2\n"))).toBe(false);
  });

  it("[APPR-503] needs approval when it could do more", async () => {
    expect(HOSTILE_RUBY.length).toBeGreaterThan(240);
    expect(await readOf(HOSTILE_RUBY)).toEqual([]);
  });

  it.each([
    "ruby -ne print .env",
    "ruby -ne print /etc/passwd",
    "ruby -ne print src/link.txt",
    `ruby -e 'puts File.read(".env")'`,
    `ruby -e 'puts File.read("/etc/passwd")'`,
    `ruby -e 'puts Dir.children("..")'`,
    `ruby -e 'puts File.size("/etc/shadow")'`,
    "RUBYOPT=-r./made ruby -e 'puts 1'",
    "RUBYLIB=. ruby -rjson -e 'puts 1'",
    "printf '|id' | xargs ruby -ne print",
  ])("[APPR-503] needs approval for a path that is private or outside: %s", async (command) => {
    expect((await place.evaluate(command)).decision).not.toBe("run");
  });

  it("[APPR-503] needs approval when a reading program contains code that does more", async () => {
    const codes = READING_RUBY.filter(([option]) => option === "-e").map(([, code = ""]) => code);
    const reader = fc.constantFrom(...codes);
    const writer = fc.constantFrom(
      'system("id")',
      "`id`",
      'File.write("made", "x")',
      'ENV["HOME"]',
      'eval("1")',
      '"a".send(:x)',
      '"#{`id`}"',
      'open("|id")',
      "[1].each(&:system)",
      "Kernel",
    );
    const shape = fc.constantFrom<(one: string, other: string) => string>(
      (one, other) => `${one}\n${other}`,
      (one, other) => `q = ${other}\n${one}`,
      (one, other) => `${one}\np [1, { a: ${other} }]`,
      (one, other) => `[1].each { |q| ${other} }\n${one}`,
      (one, other) => `if ${other} then 1 end\n${one}`,
      (one, other) => `def own(q = ${other}) = q\n${one}`,
      (one, other) => `q = ->(v) { ${other} }\n${one}`,
      (one, other) => `${one}\np "#{${other}}"`,
      (one, other) => `begin; 1; rescue; ${other}; end\n${one}`,
      (one, other) => `END { ${other} }\n${one}`,
      (one, other) => `q = {}\nq[${other}] = 1\n${one}`,
    );
    await fc.assert(
      fc.asyncProperty(reader, writer, shape, async (one, other, compose) => {
        const code = compose(one, other);
        expect(await isRead(["-e", code]), code).toBe(false);
      }),
      { seed: 20_261_130, ...generatedCases(300) },
    );
  });

  it.skipIf(!existsSync(RUBY))("[APPR-503] is a program that Ruby runs as it was read", () => {
    // Each start of Ruby takes a while.
    const some = READING_RUBY.filter((_, index) => index % 4 === 0);
    const failed = some.flatMap((words) => {
      const { stderr, status } = spawnSync(RUBY, words, {
        cwd: place.workspaceDir,
        encoding: "utf8",
        input: "a\n",
      });
      return status === 0 ? [] : [`${words.join(" ")}: ${stderr}`];
    });
    expect(failed).toEqual([]);
  });
});
