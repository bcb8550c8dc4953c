import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PartPreview } from "../src/preview.js";
import { masked } from "../src/profanity/mask.js";
import { ProfanityMatcher } from "../src/profanity/matcher.js";
import { profanityPreview } from "../src/profanity/preview.js";
import { SensitiveDataDetector } from "../src/sensitive-data/detector.js";
import { PhoneNumbers } from "../src/sensitive-data/phone.js";
import { sensitiveDataPreview } from "../src/sensitive-data/preview.js";

const matcher = new ProfanityMatcher();
const detector = new SensitiveDataDetector({
  findSecrets: () => [],
  phones: new PhoneNumbers(["US", "DE"]),
});
const kinds = new Set(["iban", "card", "email", "phone"] as const);
const redact = (text: string, from = 0) => detector.redact(text, kinds, from).text;

const word = fc.constantFrom(
  ...["the", "offer", "is", "a", "I", "on", "and", "call", "at", "x", "ext.", "—", "(or", "you),"],
  ...["fuck", "f u c k", "s.h.i.t", "sh1t", "f**k", "class", "б", "ё", "日本", "ass.", "phuck"],
  ...["ana@example.com", "ana [at] example.com", "ana", "(at)", "example.org.", "@ana", "a@b"],
  ...[
    "+1 650 253 0000",
    "(650) 253-0000",
    "650",
    "253",
    "0000",
    "tel:",
    "030 901820",
    "2026-11-23",
  ],
  ...["4111 1111 1111 1111", "4111", "1111", "DE89 3704 0044 0532 0130 00", "GB29 NWBK 6016", "12"],
);
const text = fc
  .array(fc.tuple(word, fc.constantFrom(" ", " ", " ", "\n", "  ", ", ", ".\n\n", "-")), {
    maxLength: 14,
  })
  .map((words) => words.flat().join(""));

/** Returns what a preview shows of a text that arrives in parts of some lengths. */
function shownOf(preview: PartPreview, whole: string, lengths: readonly number[]): string {
  let shown = "";
  let at = 0;
  for (let part = 0; at < whole.length; part += 1) {
    const next = at + (lengths[part % lengths.length] ?? 1);
    shown += preview.push(whole.slice(at, next));
    at = next;
  }
  return shown + preview.flush();
}

const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 });

describe("previews of replies", () => {
  it.each([
    ["profanity", () => profanityPreview(matcher), (all: string) => masked(all, matcher.find(all))],
    ["sensitive data", () => sensitiveDataPreview(redact), (all: string) => redact(all)],
  ] as const)(
    "[DHOOK-050] without %s are the complete reply without it, however it is divided",
    (_name, open, complete) => {
      fc.assert(
        fc.property(text, lengths, (whole, parts) => {
          expect(shownOf(open(), whole, parts)).toBe(complete(whole));
        }),
        { numRuns: 3000 },
      );
    },
  );

  it("[DHOOK-050] stay few words behind ordinary text, and start again after a reply", () => {
    const prose = "This is the second offer, and it includes the installation of the new machine. ";
    for (const preview of [profanityPreview(matcher), sensitiveDataPreview(redact)]) {
      for (let reply = 0; reply < 2; reply += 1) {
        const shown = preview.push(prose.repeat(10));
        expect(prose.length * 10 - shown.length).toBeLessThan(40);
        expect(shown + preview.flush()).toBe(prose.repeat(10));
      }
    }
  });
});
