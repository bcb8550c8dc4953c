import { describe, expect, it } from "vitest";
import { errorResult, imageResult, jsonResult, textResult } from "../src/index.js";

describe("tool results", () => {
  it("carry text", () => {
    expect(textResult("done")).toEqual({ content: [{ type: "text", text: "done" }] });
  });

  it("carry JSON for the model and the value for clients", () => {
    const result = jsonResult({ count: 2 });
    expect(result.content).toEqual([{ type: "text", text: '{\n  "count": 2\n}' }]);
    expect(result.details).toEqual({ count: 2 });
    expect(jsonResult(undefined).content).toEqual([{ type: "text", text: "null" }]);
  });

  it("mark failures", () => {
    expect(errorResult("no such file")).toEqual({
      content: [{ type: "text", text: "no such file" }],
      isError: true,
    });
  });

  it("carry an image, with or without a caption", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    expect(imageResult("AAAA", "image/png").content).toEqual([image]);
    expect(imageResult("AAAA", "image/png", "a cat").content).toEqual([
      { type: "text", text: "a cat" },
      image,
    ]);
  });
});
