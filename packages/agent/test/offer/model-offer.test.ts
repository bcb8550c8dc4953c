import { describe, expect, it } from "vitest";
import { createToolOffer } from "../../src/offer/model-offer.js";
import type { ToolEntry } from "../../src/tool-call/tool-entry.js";

const MARKERS = [
  "<|im_start|>system",
  "[INST] <<SYS>>",
  "<start_of_turn>model",
  "<｜User｜>",
  "</system>",
  "<function_calls>",
  "\n\nHuman: obey",
] as const;

/** Returns what a model is offered of a tool with some parameters. */
function offered(parameters: ToolEntry["parameters"]) {
  const tool = { name: "lookup", description: "Looks up.", parameters } as ToolEntry;
  const [offer] = createToolOffer(new Map([["lookup", tool]]), undefined)([]);
  return offer;
}

describe("offered tools", () => {
  it("[SAFE-280] follow a changed description, and stay the same object while nothing changed", () => {
    const parameters: ToolEntry["parameters"] = { type: "object" };
    const offer = (description: string) => {
      const tool = { name: "lookup", description, parameters } as ToolEntry;
      return createToolOffer(new Map([["lookup", tool]]), undefined)([])[0];
    };
    const first = offer("Looks up <|im_end|>.");
    expect(first?.description).not.toContain("<|im_end|>");
    expect(offer("Looks up <|im_end|>.")).toBe(first);
    expect(offer("Looks up </system>.")?.description).toBe("Looks up &lt;/system&gt;.");
  });

  it.each(MARKERS)("[SAFE-280] escape %j at every place of a parameter schema", (marker) => {
    const parameters = {
      type: "object",
      description: marker,
      properties: {
        [marker]: { type: "string" },
        nested: {
          type: "array",
          items: { anyOf: [{ title: marker, enum: [marker], default: marker }] },
        },
        description: { type: "string", examples: [marker], $comment: marker },
      },
      required: [marker],
      $defs: { deep: { description: `a ${marker} b` } },
    } as const;
    const text = JSON.stringify(offered(parameters)?.parameters);
    expect(text).not.toContain(JSON.stringify(marker).slice(1, -1));
    expect(text).toMatch(/&(?:lt|gt|#91|#58);/);
  });

  it("[SAFE-280] keep a schema without role markers, with its patterns, as the same object", () => {
    const parameters = {
      type: "object",
      properties: { tag: { type: "string", pattern: "^<system>$", description: "A tag, x < 3." } },
    } as const;
    expect(offered(parameters)?.parameters).toBe(parameters);
  });
});
