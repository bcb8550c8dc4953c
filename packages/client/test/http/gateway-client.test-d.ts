import type { PluginSummary } from "@openclaw/protocol";
import { describe, expectTypeOf, it } from "vitest";
import type { GatewayClient } from "../../src/http/gateway-client.js";

declare const client: GatewayClient;

describe("GatewayClient.call", () => {
  it("has the parameters and the result in the method table", () => {
    expectTypeOf(client.call("sessions.delete", { sessionKey: "main" })).resolves.toEqualTypeOf<{
      readonly sessionKey: string;
      readonly sessionId: string;
      readonly messageCount: number;
    }>();
    expectTypeOf(client.call("plugins.list", {}))
      .resolves.toHaveProperty("plugins")
      .toEqualTypeOf<readonly PluginSummary[]>();
    void client.call("approvals.revoke", { all: true });
  });

  it("does not compile with a method, a parameter or a value that is not in the table", () => {
    // @ts-expect-error unknown method
    void client.call("sessions.remove", { sessionKey: "main" });
    // @ts-expect-error a required parameter is missing
    void client.call("sessions.delete", {});
    // @ts-expect-error an unknown parameter
    void client.call("sessions.delete", { sessionKey: "main", force: true });
    // @ts-expect-error a value that the schema does not allow
    void client.call("approvals.list", { state: "waiting" });
    // @ts-expect-error a parameter of another option of the choice
    void client.call("approvals.revoke", { all: false });
  });
});
