import { describe, expect, it } from "vitest";
import {
  definePluginEntry,
  defineProvider,
  defineTool,
  emptyPluginConfigSchema,
} from "../src/index.js";

describe("definePluginEntry", () => {
  it("returns the plugin with the empty schema filled in", () => {
    const register = () => {};
    const plugin = definePluginEntry({ id: "hello", name: "Hello", register });
    expect(plugin).toEqual({
      id: "hello",
      name: "Hello",
      register,
      configSchema: emptyPluginConfigSchema,
    });
  });

  it("keeps the schema it was given", () => {
    const configSchema = { type: "object" };
    expect(definePluginEntry({ id: "hello", configSchema, register() {} }).configSchema).toBe(
      configSchema,
    );
  });

  it("offers an empty schema that cannot be changed", () => {
    expect(Object.isFrozen(emptyPluginConfigSchema)).toBe(true);
    expect(Object.isFrozen(emptyPluginConfigSchema.properties)).toBe(true);
  });
});

describe("defineTool and defineProvider", () => {
  it("return what they were given", () => {
    const tool = { name: "t", description: "", parameters: {}, execute: () => "" };
    expect(defineTool(tool)).toBe(tool);
    const provider = {
      id: "p",
      defaultModel: "m",
      paid: false,
      setup: "nothing",
      languageModel: () => Promise.reject(new Error("not here")),
    };
    expect(defineProvider(provider)).toBe(provider);
  });
});
