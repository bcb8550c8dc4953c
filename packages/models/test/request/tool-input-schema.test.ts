import { describe, expect, it } from "vitest";
import { createScriptedModel, InvalidToolSchemaError, streamModel } from "../../src/index.js";
import { collect, request } from "../support/collect.js";

const tool = (parameters: object) => ({
  name: "t",
  description: "d",
  parameters: { ...parameters },
});

describe("functionTools", () => {
  it("keeps a schema and adds a missing type", async () => {
    const model = createScriptedModel([{ text: "ok" }]);
    const schema = { properties: { a: { type: "string", minLength: 2 } }, required: ["a"] };
    await collect(streamModel(model, request({ tools: [tool(schema)] })));
    expect(model.requests[0]?.tools).toEqual([
      { type: "function", name: "t", description: "d", inputSchema: { type: "object", ...schema } },
    ]);
  });

  it.each(["array", ["object", "null"], "string"])("rejects the type %j", async (type) => {
    const model = createScriptedModel([{ text: "ok" }]);
    const asked = collect(streamModel(model, request({ tools: [tool({ type })] })));
    await expect(asked).rejects.toThrow(InvalidToolSchemaError);
    await expect(asked).rejects.toThrow('tool "t" cannot be offered to a model');
    expect(model.requests).toHaveLength(0);
  });
});
