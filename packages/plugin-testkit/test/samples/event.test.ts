import { HOOK_CATALOG } from "@openclaw/plugin-runtime";
import { HOOK_NAMES } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { sampleContext, sampleEvent } from "../../src/index.js";

describe("sample events", () => {
  it.each(HOOK_NAMES)("of %s have the fields of the catalog", (hook) => {
    const fields: Record<string, { required: boolean; accepts(value: unknown): boolean }> =
      HOOK_CATALOG[hook].event;
    const event: Record<string, unknown> = { ...sampleEvent(hook) };
    for (const [name, value] of Object.entries(event)) {
      expect(Object.hasOwn(fields, name), `${hook}.${name} is catalogued`).toBe(true);
      expect(fields[name]?.accepts(value), `${hook}.${name} has its type`).toBe(true);
    }
    const required = Object.entries(fields).filter(([, field]) => field.required);
    for (const [name] of required) expect(event, hook).toHaveProperty(name);
    expect(sampleContext(hook)).toHaveProperty("callDepth");
  });

  it("are fresh objects for each call, with the given overrides", () => {
    const first = sampleEvent("before_tool_call", { toolName: "exec" });
    first.params.path = "changed";
    expect(sampleEvent("before_tool_call")).toMatchObject({
      toolName: "read",
      params: { path: "a.txt" },
    });
    expect(first.toolName).toBe("exec");
    expect(sampleContext("before_tool_call", { senderIsOwner: false }).senderIsOwner).toBe(false);
  });
});
