import { parseUsd } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";
import { MODEL_ROWS } from "../../src/generated/model-rows.js";
import { ModelTable, UNKNOWN_MODEL_PRICE } from "../../src/prices/model-table.js";

const [known] = MODEL_ROWS;
if (known === undefined) throw new Error("the table is empty");
const PAID = { provider: known.provider, modelId: known.model, paid: true };

describe("the table of models", () => {
  it("[LLM-029] has about 40 models, each with exact prices, a source and its date", () => {
    expect(MODEL_ROWS.length).toBeGreaterThanOrEqual(40);
    for (const { price, source, date, provider, model } of MODEL_ROWS) {
      const { above, ...prices } = price;
      const { inputTokens: _size, ...higher } = above ?? { inputTokens: 0 };
      const texts = [...Object.values(prices), ...Object.values(higher)];
      for (const text of texts) {
        const amount = parseUsd(String(text));
        // Whole picodollars per token, so that the cost of a call is exact.
        expect(amount, `${provider}/${model}`).toSatisfy((found) => found % 1_000_000n === 0n);
      }
      expect(source).toMatch(/^https:\/\/\S+$/);
      expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
  });

  it("names each model once, and at most one default per provider", () => {
    const names = MODEL_ROWS.map(({ provider, model }) => `${provider}/${model}`);
    expect(new Set(names).size).toBe(names.length);
    const defaults = MODEL_ROWS.filter(({ isDefault }) => isDefault).map((row) => row.provider);
    expect(new Set(defaults).size).toBe(defaults.length);
  });
});

describe("ModelTable", () => {
  it("[LLM-029] takes the price of a model from the table", () => {
    expect(new ModelTable().priceOf(PAID)).toEqual({ price: known.price, isEstimated: false });
  });

  it("[LLM-029] prefers the price of the configuration, also for a local model", () => {
    const price = { input: "0.01", output: "0.02" };
    const table = new ModelTable({ [`${known.provider}/${known.model}`]: { price } });
    expect(table.priceOf(PAID)).toEqual({ price, isEstimated: false });
    expect(table.priceOf({ ...PAID, paid: false })).toEqual({ price, isEstimated: false });
    const row = table.find(known.provider, known.model);
    expect(row).toMatchObject({ name: known.name, price });
    expect(row).not.toHaveProperty("source");
  });

  it("[LLM-029] prices a local model at 0", () => {
    const free = { price: { input: "0", output: "0" }, isEstimated: false };
    const local = { provider: "ollama", modelId: "any", paid: false };
    expect(new ModelTable().priceOf(local)).toEqual(free);
  });

  it("[LLM-029] estimates an unknown model at 2.50 and 10 US dollars per million tokens", () => {
    const unknown = { provider: "openai", modelId: "no-such", paid: true };
    expect(UNKNOWN_MODEL_PRICE).toEqual({ input: "2.50", output: "10" });
    expect(new ModelTable().priceOf(unknown)).toEqual({
      price: UNKNOWN_MODEL_PRICE,
      isEstimated: true,
    });
    expect(new ModelTable().find("openai", "no-such")).toBeUndefined();
    expect(new ModelTable().find("openai", "toString")).toBeUndefined();
  });

  it("completes a model of the table by single properties of the configuration", () => {
    const table = new ModelTable({ [`${known.provider}/${known.model}`]: { contextTokens: 7 } });
    expect(table.find(known.provider, known.model)).toMatchObject({
      contextTokens: 7,
      price: known.price,
      source: known.source,
    });
  });

  it("lists the models of a provider, the default first", () => {
    const table = new ModelTable({ "openai/added": {}, "mine/one": {} });
    const [first, ...others] = table.modelsOf("openai");
    expect(MODEL_ROWS.find(({ model }) => model === first)?.isDefault).toBe(true);
    expect(others).toContain("added");
    expect(table.modelsOf("mine")).toEqual(["one"]);
  });
});
