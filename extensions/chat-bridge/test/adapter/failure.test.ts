import {
  ChannelAuthFailedError,
  ChannelDisconnectedError,
  ChannelHttpError,
  ChannelRateLimitedError,
  ChannelSendFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { expect, it } from "vitest";
import { channelFailure } from "../../src/adapter/failure.js";

const failed = (fields: object) => Object.assign(new Error("failed"), fields);

it.each([
  [{ code: "RATE_LIMITED", retryAfter: 3 }, ChannelRateLimitedError, true],
  [{ originalError: { status: 429 } }, ChannelRateLimitedError, true],
  [{ code: "AUTH_FAILED" }, ChannelAuthFailedError, false],
  [{ data: { error: "token_revoked" } }, ChannelAuthFailedError, false],
  [{ cause: { code: "ECONNREFUSED" } }, ChannelDisconnectedError, true],
  [{ cause: { code: "PROXY_CONNECTION_FAILED" } }, ChannelDisconnectedError, true],
  // The request may have arrived.
  [{ cause: { code: "ECONNRESET" } }, ChannelSendFailedError, false],
  [{ status: 500 }, ChannelHttpError, true],
  [{ originalError: { status: 404 } }, ChannelHttpError, false],
  [{ data: { error: "service_unavailable" } }, ChannelSendFailedError, true],
  [{ code: "VALIDATION_ERROR" }, ChannelSendFailedError, false],
])("reads the failure %o of an adapter", (fields, type, retryable) => {
  const error = channelFailure("acme", failed(fields));
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ retryable, channel: "acme" });
});

it("keeps errors of channels, and survives a cause that refers to itself", () => {
  const own = new ChannelSendFailedError("acme", "no");
  expect(channelFailure("acme", own)).toBe(own);
  const loop = failed({});
  Object.assign(loop, { cause: loop });
  expect(channelFailure("acme", loop)).toBeInstanceOf(ChannelSendFailedError);
  expect(channelFailure("acme", { retryAfter: 2, code: "RATE_LIMITED" }).retryAfterMs).toBe(2000);
});
