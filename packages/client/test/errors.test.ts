import { exitCodeOf, OpenClawError } from "@openclaw/foundation";
import { describe, expect, it, vi } from "vitest";
import * as client from "../src/errors.js";

const classes = [
  client.GatewayUnreachableError,
  client.GatewayUnauthorizedError,
  client.GatewayRefusedError,
  client.GatewayStreamError,
  client.GatewayTimeoutError,
  client.GatewayOverloadError,
  client.GatewayClosedError,
  client.GatewayRequestTooLargeError,
  client.DeviceKeyError,
];

describe("errors of the gateway client", () => {
  it("have a code, a kind, a status and a cause", () => {
    const cause = new Error("reset");
    const options = {
      status: 409,
      code: "PLUGIN_INSTALL_REFUSED",
      kind: "conflict",
      cause,
    } as const;
    expect(new client.GatewayRefusedError("it refused", options)).toMatchObject({
      name: "GatewayRefusedError",
      message: "it refused",
      ...options,
    });
    expect(new client.GatewayRefusedError("it refused")).toMatchObject({
      code: "GATEWAY_REFUSED",
      kind: "unavailable",
      status: undefined,
    });
  });

  it("have exit code 69 only when no gateway responds", () => {
    expect(classes.map((each) => exitCodeOf(new each("x")))).toEqual([
      69, 77, 1, 1, 1, 75, 1, 2, 78,
    ]);
  });

  it("are recognised across copies of the package, and no other errors are", async () => {
    vi.resetModules();
    const copy = await import("../src/errors.js");
    const theirs = new copy.GatewayUnreachableError("no gateway");
    expect(theirs).not.toBeInstanceOf(client.GatewayClientError);
    for (const error of [theirs, new client.GatewayUnreachableError("no gateway")]) {
      expect(client.GatewayClientError.isInstance(error)).toBe(true);
      expect(OpenClawError.isInstance(error)).toBe(true);
      expect(classes.filter((each) => each.isInstance(error))).toEqual([
        client.GatewayUnreachableError,
      ]);
    }
    for (const other of [new Error("x"), { code: "GATEWAY_REFUSED" }, null, undefined, "x"]) {
      expect(client.GatewayClientError.isInstance(other)).toBe(false);
    }
  });
});
