import { nearestName, nearestNames } from "@openclaw/foundation";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("nearestName", () => {
  it.each([
    ["exce", ["read", "exec"], "exec"],
    ["exec", ["exec"], "exec"],
    ["EXCE", ["read", "exec"], "exec"],
    ["chat_tokn", ["chat_token_open", "chat_token", "eval_call"], "chat_token"],
    ["config", ["main.ts", "app.config.production.ts"], "app.config.production.ts"],
    ["elephants", ["read", "exec"], undefined],
    ["abcd", ["wxyz"], undefined],
    ["ab", ["xy"], undefined],
    ["ab", ["a_longer_name_with_ab"], undefined],
    ["exec", [], undefined],
  ])("finds for %s among %j: %s", (name, known, expected) => {
    expect(nearestName(name, known)).toBe(expected);
  });

  it("finds every name with one letter missing", () => {
    const word = fc.string({ unit: "grapheme-ascii", minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(word, fc.nat(), (wanted, at) => {
        const position = at % wanted.length;
        const misspelled = wanted.slice(0, position) + wanted.slice(position + 1);
        expect(nearestName(misspelled, [wanted])).toBe(wanted);
      }),
    );
  });
});

describe("nearestNames", () => {
  it("returns the closest first, up to the requested number", () => {
    const known = ["tool_start", "tools", "tool", "told", "turn"];
    expect(nearestNames("tool", known)).toEqual(["tool", "tools", "told"]);
    expect(nearestNames("tool", known, 1)).toEqual(["tool"]);
  });

  it("puts names that contain the name after misspelled ones", () => {
    const known = ["tool_start_and_end", "tool_starts", "tools"];
    expect(nearestNames("tool", known)).toEqual(["tools", "tool_starts", "tool_start_and_end"]);
  });

  it("sorts equally near names, each once", () => {
    const known = ["settings.ts", "Settings.ts", "settings.ts", "unrelated.md"];
    expect(nearestNames("setings.ts", known)).toEqual(["Settings.ts", "settings.ts"]);
  });
});
