import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { createTestHost, plugin } from "../support/host.js";

const tool = (name: string, parameters: object): AnyAgentTool => ({
  name,
  description: "A tool.",
  parameters,
  execute: () => "done",
});

async function registered(...tools: readonly AnyAgentTool[]) {
  const { runtime } = createTestHost([
    plugin((api) => {
      for (const each of tools) api.registerTool(each);
    }, "maker"),
  ]);
  const { tools: kept, diagnostics } = await runtime.load();
  return {
    names: kept.flatMap(({ names }) => names),
    problems: diagnostics.map(({ level, code, message }) => ({ level, code, message })),
  };
}

describe("api.registerTool with parameters that are not a schema of an object", () => {
  it.each<[string, object, RegExp]>([
    ["a misspelled type", { type: "objekt" }, /at \/type: .*"objekt"; did you mean "object"\?$/],
    [
      "a misspelled type below",
      { type: "object", properties: { a: { type: "strng" } } },
      /at \/properties\/a\/type: .*did you mean "string"\?$/,
    ],
    ["a type that is not an object", { type: "string" }, /must have type "object", got string/],
    ["a union with another type", { anyOf: [{ type: "string" }] }, /must have type "object"/],
    [
      "a required name without a property",
      { type: "object", properties: {}, required: ["toString", "b"] },
      /require "toString", "b", which they do not describe$/,
    ],
    [
      "a Standard Schema without JSON Schema",
      { "~standard": { version: 1, vendor: "own", validate: () => ({ value: {} }) } },
      /are a Standard Schema of own that cannot be converted to JSON Schema$/,
    ],
  ])("[PLUG-440] leaves out only the tool, and names %s", async (_what, parameters, message) => {
    const { names, problems } = await registered(tool("bad", parameters), tool("fine", {}));
    expect(names).toEqual(["fine"]);
    expect(problems).toEqual([
      { level: "error", code: "tool-parameters-invalid", message: expect.stringMatching(message) },
    ]);
    expect(problems[0]?.message).toMatch(/^tool "bad" of plugin "maker" is left out: its /);
  });

  it("[PLUG-115] accepts {} for a tool without parameters", async () => {
    expect(await registered(tool("fine", {}))).toEqual({ names: ["fine"], problems: [] });
  });
});

describe("tools of one plugin that models mix up", () => {
  it("[PLUG-481] draw a warning when their names differ only in form, and remain", async () => {
    const { names, problems } = await registered(
      tool("read_file", {}),
      tool("readFile", {}),
      tool("read-files", {}),
    );
    expect(names).toEqual(["read_file", "readFile", "read-files"]);
    expect(problems).toEqual([
      {
        level: "warn",
        code: "tool-names-similar",
        message:
          'the tools "read_file" and "readFile" of plugin "maker" have names that differ only in form',
      },
    ]);
  });

  it("[PLUG-481] draw a warning when they give one parameter different types", async () => {
    const taking = (type: string) => ({ type: "object", properties: { limit: { type } } });
    const { problems } = await registered(
      tool("list", taking("number")),
      tool("count", taking("integer")),
      tool("search", taking("string")),
    );
    expect(problems).toEqual([
      {
        level: "warn",
        code: "tool-parameters-differ",
        message: expect.stringContaining('a parameter "limit" of type number in tool "list"'),
      },
    ]);
  });
});
