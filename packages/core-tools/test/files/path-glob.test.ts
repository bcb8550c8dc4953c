import { describe, expect, it } from "vitest";
import { pathGlob } from "../../src/files/path-glob.js";

describe("path glob", () => {
  it.each([
    ["*.ts", ["a.ts", "src/a.ts", ".ts"], ["a.tsx", "a.ts/b", "ats"]],
    ["src/*.ts", ["src/a.ts"], ["a.ts", "src/deep/a.ts", "x/src/a.ts"]],
    ["/src/*.ts", ["src/a.ts"], ["x/src/a.ts"]],
    ["src/**/*.ts", ["src/a.ts", "src/x/y/a.ts"], ["a.ts", "src2/a.ts"]],
    ["src/**", ["src/a", "src/x/y"], ["src", "a"]],
    ["**/test/*", ["test/a", "x/test/a"], ["test/x/a"]],
    ["*.{ts,tsx}", ["a.ts", "a.tsx", "x/a.ts"], ["a.t", "a.{ts,tsx}"]],
    ["a?c", ["abc", "a.c"], ["ac", "a/c"]],
    ["[a-c]x", ["ax", "cx"], ["dx"]],
    ["[!a-c]x", ["dx"], ["ax", "/x"]],
    ["a,b", ["a,b"], ["a"]],
    ["\\*", ["*"], ["a"]],
    ["a+(b)", ["a+(b)"], ["aab"]],
    ["[", ["["], ["a"]],
    ["a}", ["a}"], ["a"]],
  ])("%s", async (glob, fitting, others) => {
    const matches = pathGlob(glob);
    expect(fitting.filter((path) => !matches(path))).toEqual([]);
    expect(others.filter((path) => matches(path))).toEqual([]);
  });

  it("requires closed braces", async () => {
    expect(() => pathGlob("*.{ts")).toThrow("has a { without its }");
  });
});
