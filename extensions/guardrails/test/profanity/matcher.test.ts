import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { profanityFilter } from "../../src/profanity/guard.js";
import { masked } from "../../src/profanity/mask.js";
import { ProfanityMatcher } from "../../src/profanity/matcher.js";
import { documentedQuality } from "../support/documented-quality.js";
import { installGuard } from "../support/installed-guard.js";
import { labelledCases, qualityOf } from "../support/labelled-cases.js";

interface ProfanityCase {
  readonly id: string;
  readonly profane: boolean;
  readonly text: string;
  readonly words?: readonly string[];
}

const cases = labelledCases<ProfanityCase>("profanity");
const matcher = new ProfanityMatcher();
const clean = (text: string, using = matcher) => masked(text, using.find(text));

describe("profanity_filter", () => {
  it("[DHOOK-045] has the documented precision and recall on the labelled cases", () => {
    expect(cases.map(({ profane }) => profane).filter(Boolean)).toHaveLength(50);
    expect(cases).toHaveLength(100);
    const quality = qualityOf(
      cases,
      ({ profane }) => profane,
      ({ text, words }) =>
        words === undefined
          ? clean(text) !== text
          : words.every((word) => !clean(text).includes(word)),
    );
    expect(quality).toEqual({ precision: 50 / 51, recall: 1, missed: [], false: ["neg-19"] });
    expect(documentedQuality("profanity_filter")).toEqual(["98 %", "100 %"]);
  });

  it("[DHOOK-036] masks whole words with as many stars, leet and invisible characters included", () => {
    expect(clean("What the FUCK, sh1t and f\u200buck!")).toBe("What the ****, **** and *****!");
    expect(clean("Scunthorpe, assess the class")).toBe("Scunthorpe, assess the class");
    expect(clean("f u c k off")).toBe("******* off");
    expect(clean("f.u-c k off")).toBe("******* off");
    // The next sentence is not the ending of "shited".
    expect(clean("s h i t. e.d.")).toBe("*******. e.d.");
    expect(clean("a b. s h i t. ")).toBe("a b. *******. ");
    expect(clean("𝓯𝓾𝓬𝓴")).toBe("****");
  });

  it("[DHOOK-036] finds every word of the list in any disguise, and changes nothing else", () => {
    const disguise = fc.constantFrom(
      (word: string) => word.toUpperCase(),
      (word: string) => [...word].join("\u200d"),
      (word: string) => word.replaceAll("i", "1").replaceAll("s", "$"),
      (word: string) => [...word].join(" "),
      (word: string) => `${word.slice(0, -1)}${(word.at(-1) ?? "").repeat(4)}`,
    );
    const word = fc.constantFrom("shit", "fuck", "bitch", "kurwa", "arschloch", "mierda");
    const around = fc.stringMatching(/^(?:[a-e]{0,6}[ ,.]){0,4}$/);
    fc.assert(
      fc.property(around, word, disguise, around, (before, plain, hide, after) => {
        const hidden = hide(plain);
        const text = `${before} ${hidden}. ${after}`;
        const result = clean(text);
        expect(result).toBe(`${before} ${"*".repeat([...hidden].length)}. ${after}`);
      }),
      {
        examples: [
          ["", "shit", (word) => [...word].join(" "), "e.d."],
          ["a b.", "shit", (word) => [...word].join(" "), ""],
        ],
      },
    );
  });

  it("finds the same words in a text of ASCII characters and in one with others", () => {
    const piece = fc.constantFrom(
      ...["shit", "sh1t", "f u c k", "f**k", "!fuck!", "ass", "assess", "4$$", "|ass+", "phuck"],
      ...["a", " ", ".", "-", "*", "_", "455", "hello ", "\n", "fuuuuck", "@sshole", "—", "’"],
    );
    const matcher = new ProfanityMatcher();
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        // A word of another script, apart from the text, has no influence on its words.
        expect(new ProfanityMatcher().find(`${text}\n\nжё`)).toEqual(matcher.find(text));
      }),
      { numRuns: 300 },
    );
  });

  it("[DHOOK-036] adds words and allows others", () => {
    const own = new ProfanityMatcher({ words: ["Frobnicate"], allow: ["bastard", "shit"] });
    expect(clean("frobnicate that bastard shit, fr0bn1cate", own)).toBe(
      "********** that bastard shit, **********",
    );
  });

  it("[DHOOK-036] masks or blocks in both directions, and counts", async () => {
    const masking = await installGuard(profanityFilter);
    expect(await masking.fire("message_receiving", { content: "oh shit" })).toEqual({
      content: "oh ****",
    });
    expect(await masking.fire("message_sending", { content: "oh shit" })).toEqual({
      content: "oh ****",
    });
    expect(await masking.fire("message_sending", { content: "oh dear" })).toBeUndefined();
    expect(masking.counts).toEqual({ seen: 3, changed: 2, blocked: 0, failed: 0 });

    const blocking = await installGuard(profanityFilter, { mode: "block", inbound: true });
    expect(await blocking.fire("message_receiving", { content: "oh shit" })).toEqual({
      cancel: true,
      cancelReason: "profanity_filter: the message contains a word that is not allowed",
      reply: "Your message was not processed because it contains a word that is not allowed here.",
    });
    expect(await blocking.fire("message_sending", { content: "oh shit" })).toMatchObject({
      cancel: true,
    });
    expect(blocking.counts).toMatchObject({ blocked: 2 });
    expect((await installGuard(profanityFilter, { inbound: false })).hooks).toEqual([
      "message_sending",
    ]);
  });
});
