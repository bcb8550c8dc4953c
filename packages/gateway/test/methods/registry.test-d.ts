import type { GatewayScope } from "@openclaw/plugin-sdk/http";
import type { GatewayMethods } from "@openclaw/protocol";
import { describe, expectTypeOf, it } from "vitest";

describe("scopes of methods", () => {
  it("are the same for the methods of the host and of plugins", () => {
    expectTypeOf<GatewayMethods["plugins.list"]["scope"]>().toEqualTypeOf<GatewayScope>();
  });
});
