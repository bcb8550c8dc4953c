import { describe, expect, it } from "vitest";
import { stepDifference } from "../../src/runs/step-difference.js";

const texts = (...sides: [unknown, unknown]) => stepDifference(...sides).map(({ text }) => text);

describe("stepDifference", () => {
  it("lists each field that differs, and no other", () => {
    const expected = { toolName: "exec", params: { command: "ls", cwd: "/" } };
    const got = { toolName: "exec", params: { command: "rm", timeoutMs: 1 } };
    expect(texts(expected, got)).toEqual([
      '- params.command: "ls"',
      '+ params.command: "rm"',
      '- params.cwd: "/"',
      "+ params.timeoutMs: 1",
    ]);
    expect(texts(expected, structuredClone(expected))).toEqual([]);
    expect(texts({ a: [1, 2] }, { a: [1, 3] })).toEqual(["- a.1: 2", "+ a.1: 3"]);
    expect(texts(undefined, "x")).toEqual(['+ "x"']);
  });

  it("shows the part of a long string around the first difference, on one line", () => {
    const [before = "", after = ""] = texts(
      { prompt: `${"a".repeat(500)}one${"b".repeat(500)}` },
      { prompt: `${"a".repeat(500)}two${"b".repeat(500)}` },
    );
    expect(before).toMatch(/^- prompt: …a+oneb+…$/);
    expect(after).toMatch(/^\+ prompt: …a+twob+…$/);
    expect(Math.max(before.length, after.length)).toBeLessThanOrEqual(90);
  });

  it("shows at most twenty lines", () => {
    const many = (value: number) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i, value]));
    expect(texts(many(1), many(2))).toHaveLength(20);
  });
});
