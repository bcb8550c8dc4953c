import { describe, expect, it } from "vitest";
import { normalForm } from "../src/text/normal-form.js";
import { termsOfText } from "../src/text/terms.js";

const terms = (text: string) => termsOfText(text, "query").map(({ term }) => term);

describe("the normal form of a text", () => {
  it.each([
    ["accents, composed or not", "Caf\u00e9", "CAFE\u0301", "cafe"],
    ["full width", "ＡＢＣ１２", "abc12", "abc12"],
    ["German", "STRASSE", "Straße", "strasse"],
    ["Turkish", "ISPARTA", "ısparta", "isparta"],
    ["Turkish with a dot", "İzmir", "izmir", "izmir"],
    ["Greek", "ΣΎΣΚΕΨΗΣ", "σύσκεψης", "συσκεψησ"],
    ["Russian", "Ёлка", "елка", "елка"],
    ["Arabic", "أحمد المكتبةُ", "احمد المكتبه", "احمد المكتبه"],
    ["Hebrew", "שָׁלוֹם", "שלום", "שלומ"],
    ["Hindi", "आँकड़े", "आंकडे", "आंकडे"],
    ["Japanese", "ｶﾞｲﾄﾞ", "ガイド", "ガイド"],
    ["Korean", "회의".normalize("NFD"), "회의", "회의"],
    ["joiners", "می\u200cروم", "میروم", "ميروم"],
  ])("[MEM-321] is the same for both spellings: %s", (_, one, other, form) => {
    expect(normalForm(one)).toBe(form);
    expect(normalForm(other)).toBe(form);
  });
});

describe("the terms of a text", () => {
  it("[MEM-321] are overlapping groups of characters where a script has no spaces", () => {
    expect(terms("预算会议")).toEqual(["预算", "算会", "会议"]);
    expect(terms("茶")).toEqual(["茶"]);
    expect(terms("회의를")).toEqual(["회의를", "회의", "의를"]);
    expect(terms("แมว")).toContain("แมว");
    expect(terms("GPT-4の会議")).toEqual(["gpt", "4", "の会", "会議"]);
  });

  it("[MEM-321] are stems of English words, without those that say nothing", () => {
    expect(terms("What are the meetings about?")).toEqual(["meet"]);
    expect(
      termsOfText("the meetings of the board", "index").every(({ parts }) => parts.length === 0),
    ).toBe(true);
  });

  it.each([
    ["German", "Wo ist der Fallschirm von Egon?", ["fallschirm", "egon"]],
    ["French", "quel est le code du coffre", ["code", "coffr"]],
    ["Spanish", "¿Cuándo vuelve el barco?", ["vuelv", "barco"]],
    ["Italian", "dove sono le chiavi di Piero", ["chiavi", "piero"]],
    ["Dutch", "waar ligt de tent van oom Jan", ["ligt", "tent", "oom", "jan"]],
    ["Polish", "gdzie jest namiot", ["namiot"]],
    ["Russian", "где лежит скрипка и кто её взял", ["лежит", "скрипка", "взял"]],
    ["Greek", "πού είναι το κλειδί", ["κλειδι"]],
  ])("[MEM-960] of a query are without the function words of %s", (_language, query, expected) => {
    expect(terms(query)).toEqual(expected);
  });

  it("[MEM-960] keep function words of other languages in the index, in English, and where nothing else is left", () => {
    const indexed = termsOfText("Der Schlüssel ist bei der Nachbarin", "index");
    expect(indexed.map(({ word }) => word)).toContain("der");
    expect(terms("what is the man in the van")).toEqual(["man", "van"]);
    expect(terms("man van")).toEqual(["man", "van"]);
    expect(terms("die cast model")).toEqual(["die", "cast", "model"]);
    expect(terms("wo ist sie")).toEqual(["wo", "ist", "sie"]);
  });

  it("[MEM-321] have groups of characters where a word may be inflected or a compound", () => {
    const [compound] = termsOfText("Krankenversicherung", "index");
    const [part] = termsOfText("Versicherung", "query");
    expect(part?.parts.every((each) => compound?.parts.includes(each))).toBe(true);
  });
});
