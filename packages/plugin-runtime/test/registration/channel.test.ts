import type { Channel } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { isNativeChannel, readChannel } from "../../src/registration/channel.js";

const native = (members: object): Channel =>
  Object.assign({ name: "pigeon", async *start() {}, respond: async () => ({}) }, members);
const origin = {
  pluginId: "birds",
  registrationId: "birds:channel:1",
};

describe("channel of a plugin", () => {
  it("[PLUG-480] with a native start is one of this version, also when it has an id", () => {
    const channel = native({ id: 7 });
    expect(isNativeChannel(channel)).toBe(true);
    expect(readChannel(origin as never, channel, () => ({}))).toMatchObject({
      id: "pigeon",
      channel,
    });
  });

  it("[PLUG-480] with an id, and without the functions of this version, is one of older hosts", () => {
    const channel = { id: "telegram", meta: {}, gateway: { startAccount: () => undefined } };
    expect(isNativeChannel(channel as never)).toBe(false);
    expect(readChannel(origin as never, channel as never, () => ({})).id).toBe("telegram");
    const started = { id: "tower", async *start() {}, send: async () => ({}) };
    expect(isNativeChannel(started as never)).toBe(false);
  });
});
