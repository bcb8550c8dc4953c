import { describe, expect, it } from "vitest";
import { createScriptedModel, streamModel, toolTokens } from "../../../src/index.js";
import { collect, request } from "../../support/collect.js";
import counted from "./counted-definitions.json" with { type: "json" };

async function sent(parameters: object, strict?: boolean) {
  const model = createScriptedModel([{ text: "ok" }]);
  const tool = { name: "t", description: "d", parameters: { ...parameters } };
  const tools = [strict === undefined ? tool : { ...tool, strict }];
  await collect(streamModel(model, request({ tools })));
  return model.requests[0]?.tools?.map((each) => ("inputSchema" in each ? each.inputSchema : each));
}

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  required: ["text"],
  properties: {
    text: { type: "string", minLength: 1, description: "The text.", "x-safety-role": "prose" },
    "x-name": { type: "string", minLength: 2, maxLength: 9, default: "x-safety-role" },
    count: { type: "integer", minimum: 1, maximum: 50, enum: [1, 2] },
    list: { type: "array", items: { type: "object", additionalProperties: false, required: [] } },
    headers: { type: "object", patternProperties: { "^.*$": { type: "string", minLength: 1 } } },
    schema: { type: "object", patternProperties: { "^.*$": {} } },
  },
  additionalProperties: false,
};

describe("schemas of tools in a request", () => {
  it("[LLM-461] leave out what does not help a model, and keep every name, type, choice and larger bound", async () => {
    expect(await sent(SCHEMA)).toEqual([
      {
        type: "object",
        required: ["text"],
        properties: {
          text: { type: "string", description: "The text." },
          "x-name": { type: "string", minLength: 2, maxLength: 9, default: "x-safety-role" },
          count: { type: "integer", maximum: 50, enum: [1, 2] },
          list: { type: "array", items: { type: "object" } },
          headers: { type: "object", additionalProperties: { type: "string" } },
          schema: { type: "object" },
        },
      },
    ]);
  });

  it("[LLM-461] stay complete for a tool whose arguments the provider enforces", async () => {
    expect(await sent(SCHEMA, true)).toMatchObject([{ additionalProperties: false }]);
  });

  it("keep properties by pattern next to others", async () => {
    const patternProperties = { "^x": { type: "string" } };
    expect(await sent({ type: "object", patternProperties })).toEqual([
      { type: "object", patternProperties },
    ]);
    const all = { patternProperties: { "^.*$": { type: "string" } } };
    const others = { additionalProperties: { type: "number" } };
    expect(await sent({ type: "object", ...all, ...others })).toMatchObject([
      { ...all, ...others },
    ]);
  });

  it("[LLM-800] cost nearly the tokens that the encoding o200k has for them", () => {
    let [estimate, actual] = [0, 0];
    for (const { tool, tokens } of counted) {
      const estimated = toolTokens({ ...tool, parameters: { ...tool.parameters } });
      expect(Math.abs(estimated - tokens) / tokens, tool.name).toBeLessThan(0.1);
      estimate += estimated;
      actual += tokens;
    }
    expect(Math.abs(estimate - actual) / actual).toBeLessThan(0.02);
  });
});
