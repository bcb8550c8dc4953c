import { describe, expect, it } from "vitest";
import { parseConfigurationDocument } from "../src/document.js";
import { ConfigurationError } from "../src/errors.js";

const parse = (text: string) => parseConfigurationDocument(text, "openclaw.json");

describe("parseConfigurationDocument", () => {
  it("returns the value of the file and the location of each part", () => {
    const document = parse("{ gateway: { port: 1 } } // the port");
    expect(document).toMatchObject({ file: "openclaw.json", value: { gateway: { port: 1 } } });
    expect(document.place(["gateway", "port"])).toMatchObject({ line: 1, column: 14 });
  });

  it.each([
    ["an open bracket", "{\n  gateway: { port: 1\n", 2, 21],
    ["a missing comma", "{ a: 1 b: 2 }", 1, 8],
    ["nothing but a comment", "// later", 1, 9],
    ["an object that ends within a list", "{\n  a: [", 2, 7],
    ["nothing at all", "", 1, 1],
  ])("reports the location of %s", (_, text, line, column) => {
    const error = catchError(() => parse(text));
    expect(error.problems).toEqual([
      expect.objectContaining({ file: "openclaw.json", line, column, key: "" }),
    ]);
    expect(error.message).toContain(`openclaw.json:${line}:${column}`);
    expect(error.message).toContain("JSON5");
  });
});

function catchError(work: () => unknown): ConfigurationError {
  try {
    work();
  } catch (error) {
    if (ConfigurationError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
