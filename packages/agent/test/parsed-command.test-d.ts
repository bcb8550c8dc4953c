import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { ParsedCommand as SafetyCommand } from "@openclaw/safety";
import { expectTypeOf, it } from "vitest";

it("types parsed commands alike for the grammar and for plugins (D28)", () => {
  expectTypeOf<SafetyCommand>().toExtend<ParsedCommand>();
  expectTypeOf<ParsedCommand>().toExtend<SafetyCommand>();
});
