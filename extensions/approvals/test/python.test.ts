import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readPython } from "../src/reading/python/code.js";
import { evaluationPlace } from "./support/evaluation.js";
import { generatedCases } from "./support/generated-cases.js";
import { HOSTILE_PYTHON, OUTSIDE_PYTHON, READING_PYTHON } from "./support/python-programs.js";

const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());

const quoted = (code: string) => `python3 -c '${code.replaceAll("'", "'\\''")}'`;
const isRead = (code: string) => !("unknown" in readPython(["-c", code]));

describe("program of Python in a command", () => {
  it("[APPR-160] is read when it only computes and prints values", () => {
    expect(READING_PYTHON.filter((code) => !isRead(code))).toEqual([]);
    // Also as standard input.
    expect(READING_PYTHON.filter((code) => "unknown" in readPython([], code))).toEqual([]);
  });

  it("[APPR-160] runs in isolated mode, so that no module of the workspace is imported", async () => {
    const verdict = await place.evaluate(quoted("import re; print(re.escape('a.b'))"));
    expect(verdict.decision).toBe("run");
    const [program] = verdict.run?.pipelines[0]?.programs ?? [];
    expect(program?.arguments.slice(0, 2)).toEqual(["-I", "-c"]);
  });

  it("[APPR-160] needs approval when it could do more", () => {
    expect(HOSTILE_PYTHON.length).toBeGreaterThan(180);
    expect(HOSTILE_PYTHON.filter(isRead)).toEqual([]);
  });

  it.each(OUTSIDE_PYTHON)(
    "[APPR-160] needs approval for a path that is private or outside: %s",
    async (code) => {
      expect((await place.evaluate(quoted(code))).decision).toBe("ask");
    },
  );

  it("[APPR-160] needs approval when a reading program contains a statement or value that does more", () => {
    const reader = fc.constantFrom(...READING_PYTHON);
    const writer = fc.constantFrom(
      "open('made', 'w')",
      "__import__('os').system('id')",
      "eval('1')",
      "(lambda: 0).__globals__",
      "open('.e' + 'nv').read()",
      "getattr(1, 'x')",
    );
    const shape = fc.constantFrom<(reader: string, writer: string) => string>(
      (one, other) => `${one}\n${other}`,
      (one, other) => `x = ${other}\n${one}`,
      (one, other) => `${one}\nprint([1, {"a": ${other}}])`,
      (one, other) => `${one}\nprint(f"{${other.replaceAll("'", "")}}")`,
      (one, other) => `for i in [1]:\n    ${other}\n${one}`,
      (one, other) => `if ${other}: pass\n${one}`,
      (one, other) => `${one}\nsorted([1], key=lambda v: ${other})`,
      (one, other) => `${one}\n[v for v in [1] if ${other}]`,
      (one, other) => `d = {}\nd[${other}] = 1\n${one}`,
      (one, other) => `try:\n  pass\nexcept ${other}:\n  pass\n${one}`,
      (one, other) => `with ${other} as f: pass\n${one}`,
    );
    fc.assert(
      fc.property(reader, writer, shape, (one, other, compose) => {
        expect(isRead(compose(one, other)), compose(one, other)).toBe(false);
      }),
      { seed: 20_261_129, ...generatedCases(5000) },
    );
  });
});
