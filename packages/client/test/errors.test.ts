import { describe, expect, it } from "vitest";
import { GatewayClientError } from "../src/index.js";

describe("the error of a gateway client", () => {
  it("has a code, a status, a reason and a cause", () => {
    const cause = new Error("reset");
    const options = { status: 409, reason: "PLUGIN_INSTALL_REFUSED", cause };
    const error = new GatewayClientError("GATEWAY_REFUSED", "it refused", options);
    expect(error).toMatchObject({
      name: "GatewayClientError",
      code: "GATEWAY_REFUSED",
      status: 409,
      reason: "PLUGIN_INSTALL_REFUSED",
      message: "it refused",
      cause,
    });
    expect(Object.keys(error)).not.toContain("Symbol(openclaw.GatewayClientError)");
  });

  it("is known across copies of the package, and nothing else is taken for one", () => {
    const error = new GatewayClientError("GATEWAY_UNREACHABLE", "nobody");
    const copy = Object.assign(new Error("nobody"), {
      [Symbol.for("openclaw.GatewayClientError")]: true,
    });
    expect([error, copy].map((each) => GatewayClientError.isInstance(each))).toEqual([true, true]);
    for (const other of [new Error("nobody"), { code: "GATEWAY_REFUSED" }, null, undefined, "x"]) {
      expect(GatewayClientError.isInstance(other)).toBe(false);
    }
  });
});
