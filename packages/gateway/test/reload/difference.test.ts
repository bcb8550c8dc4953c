import { describe, expect, it } from "vitest";
import { changedPaths, withKeysOf } from "../../src/reload/difference.js";

describe("changedPaths", () => {
  it.each([
    ["equal objects", { a: { b: [1] } }, { a: { b: [1] } }, []],
    ["a changed value", { a: { b: 1, c: 2 } }, { a: { b: 3, c: 2 } }, [["a", "b"]]],
    [
      "a new section, key by key",
      {},
      { a: { b: 1, c: 2 } },
      [
        ["a", "b"],
        ["a", "c"],
      ],
    ],
    ["a removed section", { a: { b: { c: 1 } } }, {}, [["a", "b", "c"]]],
    ["nothing for an empty section", {}, { a: {} }, []],
    ["lists as a whole", { a: [1, 2] }, { a: [1] }, [["a"]]],
    ["an object instead of a string", { a: "x" }, { a: { b: 1 } }, [["a"]]],
  ])("returns %s", (_, before, after, paths) => {
    expect(changedPaths(before, after)).toEqual(paths);
  });
});

describe("withKeysOf", () => {
  it("takes keys from the other configuration, also when it does not have them", () => {
    const running = { gateway: { port: 1 }, logging: { level: "info" as const } };
    const next = {
      gateway: { port: 2, auth: { token: "t" } },
      logging: { level: "warn" as const },
    };
    const kept = [
      ["gateway", "port"],
      ["gateway", "auth", "token"],
    ] as const;
    expect(withKeysOf(next, kept, running)).toEqual({
      gateway: { port: 1 },
      logging: { level: "warn" },
    });
    expect(withKeysOf({}, [["gateway", "port"]], running)).toEqual({ gateway: { port: 1 } });
  });
});
