import { describe, expect, it } from "vitest";
import { plugin, textOf, tool, turnHost } from "../support/turn-host.js";

/** Parameters of a tool with two actions, as older plugins describe them. */
const CALLS = {
  anyOf: [
    {
      type: "object",
      properties: {
        action: { const: "start", type: "string" },
        to: { type: "string" },
        limit: { type: "number" },
      },
      required: ["action", "to"],
    },
    {
      type: "object",
      properties: { action: { const: "stop", type: "string" }, limit: { type: "string" } },
      required: ["action"],
    },
  ],
};

const calling = (params: Record<string, string>) => [
  { toolCalls: [{ toolName: "phone", params }] },
  { text: "done" },
];

function host(parameters: object, params: Record<string, string>) {
  const phone = tool("phone", { parameters, execute: () => "rang" });
  const plugins = [plugin("calls", (api) => void api.registerTool(phone))];
  return turnHost({ script: calling(params), plugins });
}

describe("parameters without a type", () => {
  it("[PLUG-115] a union of objects is offered as one object, and decides which arguments are valid", async () => {
    const valid = await host(CALLS, { action: "start", to: "+1" });
    await valid.run();
    expect(valid.requests[0]?.tools?.[0]).toMatchObject({
      name: "phone",
      inputSchema: {
        type: "object",
        properties: {
          action: { type: "string", enum: ["start", "stop"] },
          to: { type: "string" },
          limit: { anyOf: [{ type: "number" }, { type: "string" }] },
        },
        required: ["action"],
      },
    });
    expect(valid.requests[0]?.tools?.[0]).not.toHaveProperty("inputSchema.anyOf");
    expect(textOf((await valid.toolResults())[0])).toBe("rang");

    const invalid = await host(CALLS, { action: "start" });
    await invalid.run();
    expect(textOf((await invalid.toolResults())[0])).toContain("Invalid parameters for phone");
  });

  it("[PLUG-115] a schema that only lists properties is one of an object", async () => {
    const turn = await host({ properties: { to: { type: "string" } } }, { to: "+1" });
    await turn.run();
    expect(textOf((await turn.toolResults())[0])).toBe("rang");
  });

  it("[PLUG-115] an empty schema is one of an object", async () => {
    const turn = await host({}, {});
    await turn.run();
    expect(textOf((await turn.toolResults())[0])).toBe("rang");
  });

  it.each([
    ["a union with another type", { anyOf: [...CALLS.anyOf, { type: "string" }] }],
    ["an empty union", { anyOf: [] }],
  ])("%s is not taken for an object", async (_what, parameters) => {
    const turn = await host(parameters, { to: "+1" });
    await turn.run();
    expect(textOf((await turn.toolResults())[0])).toContain("Unknown tool: phone");
  });
});
