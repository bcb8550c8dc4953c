import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it } from "vitest";
import * as errors from "../src/errors.js";

const samples = [
  new errors.ForeignRequestError("Host", "evil.example"),
  new errors.CallOutcomeUnknownError("a", "sessions.reset", "stopped"),
  new errors.InternalError("0000"),
  new errors.PluginMethodAbortedError("guard.echo", "guard", "the plugin was unloaded"),
  new errors.PluginMethodFailedError("not paired", { code: "NOT_PAIRED", kind: "conflict" }),
  new errors.PluginMethodTimeoutError("guard.echo", "guard", 60_000),
  new errors.KeptFailureError({
    code: "NOT_FOUND",
    reason: "SESSION_NOT_FOUND",
    kind: "not-found",
    message: "not found",
    retryable: false,
  }),
  new errors.InvalidFrameError("a frame must be JSON; send one JSON object per frame"),
  new errors.HandshakeError("the first frame must be a call of connect"),
  new errors.UnsupportedProtocolError({ min: 2, max: 3 }, { min: 1, max: 1 }),
  new errors.GatewayStoppingError(),
  new errors.SlowClientError(),
  new errors.TooManyCallsError(64, 1000),
  new errors.HttpMethodError("PUT", "chat.send", ["POST"]),
  new errors.InvalidHttpError("the path of the request has a backslash; send the path of a route"),
  new errors.ListenAddressError("10.0.0.9", "this machine does not have that address; correct it"),
  new errors.PayloadTooLargeError("the body is larger than 9 bytes; send less"),
  new errors.PortTakenError("127.0.0.1", 80, new Error("EADDRINUSE")),
  new errors.RateLimitedError("too many requests", 1500),
  new errors.RequestTimeoutError(),
  new errors.UnauthorizedError("wrong-token"),
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
      { code: "FOREIGN_REQUEST", kind: "forbidden", details: { header: "host" } },
      { code: "CALL_OUTCOME_UNKNOWN", kind: "conflict" },
      { code: "INTERNAL", kind: "internal", errorId: "0000" },
      { code: "PLUGIN_METHOD_ABORTED", kind: "unavailable" },
      { code: "NOT_PAIRED", kind: "conflict" },
      { code: "PLUGIN_METHOD_TIMEOUT", kind: "timeout" },
      { code: "SESSION_NOT_FOUND", kind: "not-found" },
      { code: "INVALID_FRAME", kind: "invalid" },
      { code: "HANDSHAKE_FAILED", kind: "unauthenticated" },
      {
        code: "UNSUPPORTED_PROTOCOL",
        kind: "invalid",
        details: { client: { min: 2, max: 3 }, gateway: { min: 1, max: 1 } },
      },
      { code: "GATEWAY_STOPPING", kind: "unavailable" },
      { code: "CLIENT_TOO_SLOW", kind: "unavailable" },
      { code: "TOO_MANY_CALLS", kind: "rate-limited", retryAfterMs: 1000 },
      { code: "HTTP_METHOD_NOT_ALLOWED", kind: "invalid" },
      { code: "HTTP_INVALID", kind: "invalid" },
      { code: "LISTEN_ADDRESS_UNUSABLE", kind: "configuration" },
      { code: "PAYLOAD_TOO_LARGE", kind: "too-large" },
      { code: "PORT_TAKEN", kind: "busy", port: 80, cause: expect.any(Error) },
      { code: "RATE_LIMITED", kind: "rate-limited", retryAfterMs: 1500 },
      { code: "REQUEST_TIMEOUT", kind: "timeout" },
      { code: "UNAUTHORIZED", kind: "unauthenticated", details: { reason: "wrong-token" } },
    ]);
  });

  it("name the next step", () => {
    expect(samples.map(({ message }) => message)).toEqual([
      'the gateway does not serve the host "evil.example"; use a loopback name, or add the host to gateway.trustedHosts',
      'the outcome of the call of sessions.reset with the idempotency key "a" is unknown: the gateway stopped during the first call, so it may have had an effect or none; read the state, and repeat the call with a new key if it is needed',
      "internal error; see the gateway's log for 0000",
      'the call of method guard.echo of plugin "guard" was aborted because the plugin was unloaded; check its effect before another call',
      "not paired",
      'method guard.echo of plugin "guard" did not respond within 60000 ms; it may still be running, so check its effect before another call',
      "not found",
      expect.stringMatching(/send one JSON object/),
      expect.stringMatching(/a call of connect/),
      "the client speaks the protocol versions 2 to 3, the gateway 1 to 1; update the older one",
      "the gateway stops; connect again later",
      expect.stringMatching(/connect again with the cursor/),
      "the connection has 64 open calls; wait for a response before the next call",
      "chat.send is not served to PUT; use POST",
      "the path of the request has a backslash; send the path of a route",
      "cannot listen on 10.0.0.9: this machine does not have that address; correct it",
      "the body is larger than 9 bytes; send less",
      expect.stringMatching(/port 80 on 127\.0\.0\.1.*--port/),
      "too many requests; try again in 2 s",
      expect.stringMatching(/requestTimeoutMs/),
      expect.stringMatching(/gateway\.token/),
    ]);
  });
});
