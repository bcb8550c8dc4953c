import { describe, expect, it } from "vitest";
import { errorShape } from "../../src/plugin-sdk/gateway-runtime.js";

describe("gateway-runtime of older hosts", () => {
  it("[PLUG-125] shapes the error of a gateway method", () => {
    expect(errorShape("UNAVAILABLE", "later", { retryable: true })).toEqual({
      code: "UNAVAILABLE",
      message: "later",
      retryable: true,
    });
  });
});
