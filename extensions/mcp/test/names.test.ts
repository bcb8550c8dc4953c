import { describe, expect, it } from "vitest";
import { serverPrefixes, toolNames } from "../src/tools/names.js";

describe("names of tools", () => {
  it("[EXT-011] replaces characters that models do not accept, and keeps at most 64", () => {
    expect(serverPrefixes(["my files", "a__b"])).toEqual(
      new Map([
        ["my files", "my_files"],
        ["a__b", "a_b"],
      ]),
    );
    const long = "x".repeat(100);
    const name = toolNames("files", [long]).get(long) ?? "";
    expect(name).toMatch(/^files__x+_[0-9a-f]{8}$/);
    expect(name).toHaveLength(64);
  });

  it("[EXT-011] [HOST-033] gives names that would be equal a part of their hash, in any order", () => {
    const tools = ["a.b", "a_b", "a b"];
    const names = toolNames("s", tools);
    expect(names.get("a_b")).toBe("s__a_b");
    expect(new Set(names.values()).size).toBe(3);
    expect(toolNames("s", tools.toReversed())).toEqual(new Map([...names].toReversed()));
  });
});
