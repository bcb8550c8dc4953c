import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadWordEmbeddings } from "../src/index.js";
import paraphrases from "./paraphrases.json" with { type: "json" };

const model = loadWordEmbeddings();

function similarity(left: string, right: string): number {
  const other = model.embed(right);
  return model.embed(left).reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

describe("word embeddings", () => {
  it("[MEM-022] are named with their version and have vectors of length 1", () => {
    expect(model.id).toBe("embeddings-en-v2");
    const vector = model.embed("The backup of the database runs every night.");
    expect(vector).toHaveLength(model.dimensions);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it("find paraphrases that share no words", () => {
    const ranks = paraphrases.map(({ query, note }) => {
      const own = similarity(query, note);
      return paraphrases.filter((other) => similarity(query, other.note) > own).length;
    });
    const within = (most: number) => ranks.filter((rank) => rank < most).length / ranks.length;
    expect(within(1)).toBeGreaterThanOrEqual(0.6);
    expect(within(5)).toBeGreaterThanOrEqual(0.9);
  });

  it("give the same vector to the same text, however it is written", () => {
    const vector = model.embed("the café's menu");
    expect(model.embed("The CAFE menu")).toEqual(vector);
    expect(model.embed("The cafe\u0301’s menu!")).toEqual(vector);
    // Pins the vectors: a change of the model or of the division into words needs a new version.
    expect([...vector.slice(0, 3)].map((value) => value.toFixed(4))).toEqual([
      "0.2356",
      "0.0092",
      "-0.1218",
    ]);
  });

  it("place misspelt, inflected and compound words near the known ones", () => {
    const pairs = [
      ["kubernetis cluster", "kubernetes cluster", "banana bread"],
      ["refactorization", "refactoring", "piano"],
      ["getUserName", "user name", "winter tyres"],
      ["ticket ORX-4411", "ORX-4411", "ORX-9907"],
    ] as const;
    for (const [text, near, far] of pairs) {
      expect(similarity(text, near), text).toBeGreaterThan(similarity(text, far) + 0.3);
    }
  });

  it("tell how much of a text the model knows", () => {
    expect(model.coverage("The dog runs over the street")).toBe(1);
    expect(model.coverage("getUserName")).toBe(1);
    expect(model.coverage("Der Hund läuft schnell über die Straße")).toBeLessThan(0.6);
    expect(model.coverage("这是一个测试")).toBe(0);
    expect(model.coverage("...")).toBe(0);
  });

  it("[MEM-323] give no vector to words of other scripts, whose characters say nothing to the model", () => {
    const zero = new Float32Array(model.dimensions);
    for (const text of ["这是一个测试", "회의를", "بحث", "Совещание"]) {
      expect(model.embed(text)).toEqual(zero);
    }
    expect(model.embed("Совещание budget")).toEqual(model.embed("budget"));
  });

  it("give a zero vector to a text without words, and a finite one to any other", () => {
    expect(model.embed(" … !?")).toEqual(new Float32Array(model.dimensions));
    for (const text of ["\u0000", "a", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 😀", "这是一个测试", "\ud800", "x".repeat(1e6)]) {
      expect(model.embed(text).every(Number.isFinite), text.slice(0, 10)).toBe(true);
    }
  });
});

describe("model file", () => {
  it("is the one of the notice, within 16 MB", async () => {
    const { createHash } = await import("node:crypto");
    const file = readFileSync(new URL("../model/embeddings-en.bin", import.meta.url));
    const notice = readFileSync(new URL("../NOTICE", import.meta.url), "utf8");
    expect(notice).toContain(createHash("sha256").update(file).digest("hex"));
    expect(file.length).toBeLessThan(16e6);
  });
});
