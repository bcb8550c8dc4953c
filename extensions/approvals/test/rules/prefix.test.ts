import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CommandPrefix, matchesPrefix } from "../../src/rules/prefix.js";
import { generatedCases } from "../support/generated-cases.js";

const word = fc.stringMatching(/^[a-z-]{1,4}$/);

describe("matchesPrefix", () => {
  it("[APPR-040] matches exactly the commands that start with the words of a prefix", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
        fc.array(word, { minLength: 1, maxLength: 5 }),
        (positions, words) => {
          const [first = [], ...rest] = positions;
          const prefix: CommandPrefix = [first, ...rest];
          const starts =
            words.length >= positions.length &&
            positions.every((alternatives, index) => alternatives.includes(words[index] ?? ""));
          expect(matchesPrefix(prefix, words)).toBe(starts ? "yes" : "no");
          const chosen = positions.map(([alternative = ""]) => alternative);
          expect(matchesPrefix(prefix, [...chosen, ...words])).toBe("yes");
          expect(matchesPrefix(prefix, chosen.slice(0, -1))).toBe("no");
        },
      ),
      generatedCases(300),
    );
  });

  it("returns maybe for a word that is computed at run time", () => {
    const prefix: CommandPrefix = ["git", ["push", "pull"]];
    expect(matchesPrefix(prefix, ["git", undefined])).toBe("maybe");
    expect(matchesPrefix(prefix, [undefined, "push"])).toBe("maybe");
    // The word can be empty, or several words.
    expect(matchesPrefix(prefix, [undefined, "log"])).toBe("maybe");
    expect(matchesPrefix(prefix, ["git", undefined, "log"])).toBe("maybe");
    expect(matchesPrefix(prefix, ["git", "pus[h]"])).toBe("maybe");
    expect(matchesPrefix(prefix, ["git", "push", undefined])).toBe("yes");
  });

  it("matches a program by its name or by its file", () => {
    expect(matchesPrefix(["npm"], ["/usr/bin/npm"])).toBe("yes");
    expect(matchesPrefix(["node"], ["nodejs"], ["/usr/bin/nodejs", "/opt/node"])).toBe("yes");
    expect(matchesPrefix(["/opt/*"], ["nodejs"], ["/usr/bin/nodejs", "/opt/node"])).toBe("yes");
    expect(matchesPrefix(["/opt/*"], ["node"])).toBe("no");
  });
});
