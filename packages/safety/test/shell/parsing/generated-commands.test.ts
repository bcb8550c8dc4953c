import { generatedCases, generatedTimeout } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyCommand, parseCommand } from "../../../src/index.js";

const LARGE = 8192;
const MOST_MS = 50;
/** Number of attempts, because the first ones run before the code is compiled. */
const ATTEMPTS = 20;

const PIECES = [
  ..."echo x;|(|)|$(|`|'|\"|{a,b}|<<E|if |then |fi;|case x in |esac |f() { |}; |$((|)) |((|[[ |]] |${x:-|${x/|<(|>(|sudo |env -S |find . -exec |sh |xargs |eval |bash -c '|alias a=|trap x EXIT;|parallel ::: |su -c |coproc |time |! |;;|#|&|>a |2>&1 |<<<a |* |~|a=( |for i in a; do |done;|while x; do |function f { |$'\\x41'|\\|é|\u202e".split(
    "|",
  ),
  "|",
  "||",
  "\n",
  "\0",
];

/** Returns processor time in milliseconds, which other load on the machine does not affect. */
async function timeToParse(source: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && best >= MOST_MS; attempt += 1) {
    const { user, system } = process.threadCpuUsage();
    await parseCommand(source);
    const after = process.threadCpuUsage();
    best = Math.min(best, (after.user - user + after.system - system) / 1000);
  }
  return best;
}

describe("generated commands", () => {
  it("[APPR-045] parses and evaluates generated commands without an error", {
    timeout: generatedTimeout(30_000),
  }, async () => {
    const commands = fc
      .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 6 })), { maxLength: 60 })
      .map((pieces) => pieces.join(""));
    const property = fc.asyncProperty(commands, async (source) => {
      const parsed = await parseCommand(source);
      expect(parsed.source).toBe(source);
      const { class: evaluated } = classifyCommand(parsed);
      if (!parsed.complete) expect(evaluated).not.toBe("normal");
    });
    await fc.assert(property, generatedCases(5_000));
  });

  it.each(PIECES)("[APPR-045] parses 8 KiB of %j in at most 50 ms", async (piece) => {
    const source = piece.repeat(Math.ceil(LARGE / piece.length)).slice(0, LARGE);
    expect(await timeToParse(source)).toBeLessThan(MOST_MS);
  });

  it("[APPR-045] parses 8 KiB of mixed parts in at most 50 ms", {
    timeout: generatedTimeout(30_000),
  }, async () => {
    const large = fc
      .array(fc.constantFrom(...PIECES), { minLength: 4000, maxLength: 4000 })
      .map((pieces) => pieces.join("").slice(0, LARGE));
    const property = fc.asyncProperty(large, async (source) => {
      expect(await timeToParse(source)).toBeLessThan(MOST_MS);
    });
    await fc.assert(property, generatedCases(20));
  });

  it("marks a command that nests too deeply for the stack as incomplete", async () => {
    for (const piece of ["coproc ", "! ", "if ", "(", "{ ", "$(", "f() ", "while x; do "]) {
      const { complete } = await parseCommand(`${piece.repeat(1200)}ls`);
      expect({ piece, complete }).toEqual({ piece, complete: piece === "! " });
    }
  });
});
