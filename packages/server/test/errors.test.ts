import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it } from "vitest";
import * as errors from "../src/errors.js";

const samples = [
  new errors.CallOutcomeUnknownError("a", "sessions.reset", "stopped"),
  new errors.InternalError("0000"),
  new errors.KeptFailureError({
    code: "NOT_FOUND",
    reason: "SESSION_NOT_FOUND",
    kind: "not-found",
    message: "not found",
    retryable: false,
  }),
  new errors.HttpMethodError("PUT", "chat.send", ["POST"]),
  new errors.PortTakenError("127.0.0.1", 80, new Error("EADDRINUSE")),
];

describe("errors of the server", () => {
  it("are all covered here, and only their own class recognises them", () => {
    const classes = samples.map((sample) => sample.constructor as typeof OpenClawError);
    expect(new Set<unknown>(classes)).toEqual(new Set(Object.values(errors)));
    for (const sample of samples) {
      expect(OpenClawError.isInstance(sample)).toBe(true);
      expect(classes.filter((each) => each.isInstance(sample))).toEqual([sample.constructor]);
    }
  });

  it("have a code, a kind and data", () => {
    expect(samples).toMatchObject([
      { code: "CALL_OUTCOME_UNKNOWN", kind: "conflict" },
      { code: "INTERNAL", kind: "internal", errorId: "0000" },
      { code: "SESSION_NOT_FOUND", kind: "not-found" },
      { code: "HTTP_METHOD_NOT_ALLOWED", kind: "invalid" },
      { code: "PORT_TAKEN", kind: "busy", port: 80, cause: expect.any(Error) },
    ]);
  });

  it("name the next step", () => {
    expect(samples.map(({ message }) => message)).toEqual([
      'the outcome of the call of sessions.reset with the idempotency key "a" is unknown: the gateway stopped during the first call, so it may have had an effect or none; read the state, and repeat the call with a new key if it is needed',
      "internal error; see the gateway's log for 0000",
      "not found",
      "chat.send is not served to PUT; use POST",
      expect.stringMatching(/port 80 on 127\.0\.0\.1.*--port/),
    ]);
  });
});
