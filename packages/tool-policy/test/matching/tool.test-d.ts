import { describe, expectTypeOf, it } from "vitest";
import type { PolicyTool, ToolOrigin } from "../../src/index.js";

describe("PolicyTool", () => {
  it("[POL-002] has name, plugin, origin, optional and aliases", () => {
    expectTypeOf<Omit<PolicyTool, "ownerOnly" | "preinstalled">>().toEqualTypeOf<{
      readonly name: string;
      readonly pluginId?: string;
      readonly origin: ToolOrigin;
      readonly optional: boolean;
      readonly aliases: readonly string[];
    }>();
    expectTypeOf<ToolOrigin>().toEqualTypeOf<"core" | "plugin" | "mcp" | "wasm" | "client">();
  });

  it("[POL-015] can be marked as owner-only", () => {
    expectTypeOf<PolicyTool["ownerOnly"]>().toEqualTypeOf<boolean | undefined>();
  });
});
