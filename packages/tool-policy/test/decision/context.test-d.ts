import { describe, expectTypeOf, it } from "vitest";
import type { PolicyContext } from "../../src/index.js";

describe("PolicyContext", () => {
  it("[POL-002] has the fields that layers and caps read", () => {
    expectTypeOf<Omit<PolicyContext, "senderName" | "toolsAllow">>().toEqualTypeOf<{
      readonly agentId: string;
      readonly provider?: string;
      readonly model?: string;
      readonly profile?: string;
      readonly channel?: string;
      readonly accountId?: string;
      readonly groupId?: string;
      readonly senderId?: string;
      readonly senderIsOwner: boolean;
      readonly sandboxed: boolean;
      readonly subagentDepth: number;
      readonly parentPolicy?: readonly string[];
      readonly runAllow?: readonly string[];
    }>();
  });

  it("[POL-012] [POL-015] has the sender's name and the list of a hook", () => {
    expectTypeOf<PolicyContext["senderName"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<PolicyContext["toolsAllow"]>().toEqualTypeOf<readonly string[] | undefined>();
  });
});
