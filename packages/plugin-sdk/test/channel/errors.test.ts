import { describe, expect, it } from "vitest";
import * as channel from "../../src/channel-core.js";

const { ChannelError, ChannelHttpError, ChannelRateLimitedError } = channel;

describe("errors of channels", () => {
  it("[CHAN-007] are typed, and each says whether a repeat can succeed", () => {
    const classes = {
      StartupFailed: channel.ChannelStartupFailedError,
      Disconnected: channel.ChannelDisconnectedError,
      SendFailed: channel.ChannelSendFailedError,
      InvalidMessage: channel.ChannelInvalidMessageError,
      AuthFailed: channel.ChannelAuthFailedError,
      RateLimited: channel.ChannelRateLimitedError,
      HealthCheckFailed: channel.ChannelHealthCheckFailedError,
    };
    const made = Object.entries(classes).map(([name, Class]) => {
      const error = new Class("telegram", "it failed; try again");
      expect(ChannelError.isInstance(error)).toBe(true);
      expect(error.message).toBe('channel "telegram": it failed; try again');
      return [name, error.retryable];
    });
    expect(made).toEqual([
      ["StartupFailed", false],
      ["Disconnected", true],
      ["SendFailed", false],
      ["InvalidMessage", false],
      ["AuthFailed", false],
      ["RateLimited", true],
      ["HealthCheckFailed", true],
    ]);
    const http = (status: number) => new ChannelHttpError("telegram", status, "no").retryable;
    expect([400, 403, 404, 408, 429, 500, 503].map(http)).toEqual([
      ...[false, false, false, true, true, true, true],
    ]);
  });

  it("take the time to wait and the exception to the rule from the platform", () => {
    const limited = new ChannelRateLimitedError("telegram", "wait", { retryAfterMs: 5000 });
    expect(limited.retryAfterMs).toBe(5000);
    const options = { retryable: true };
    expect(new channel.ChannelSendFailedError("telegram", "no", options).retryable).toBe(true);
  });
});
