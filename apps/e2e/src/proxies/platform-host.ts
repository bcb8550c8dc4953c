import { createTestHost, type TestHost, type TestHostOptions } from "@openclaw/plugin-testkit";
import { onTestFinished } from "vitest";
import type { Inbound, Platform } from "./platforms.js";

/** A host that starts after the platform, whose requests it answers with 503 until then. */
export interface PlatformHost {
  readonly inbound: Inbound;
  /**
   * Starts the host with the channel of a platform, open to every person, and waits until it is connected. Both end with
   * the test.
   */
  start(
    platform: Platform,
    options: Pick<TestHostOptions, "neighbours" | "model" | "clock">,
  ): Promise<TestHost>;
}

/** Makes a host for a platform that is started first. */
export function platformHost(): PlatformHost {
  let host: TestHost | undefined;
  return {
    async inbound(path, init) {
      if (host === undefined) return new Response(null, { status: 503 });
      return await host.request(path, { ...init, authenticated: false });
    },
    async start(platform, options) {
      const { channel, plugin, settings } = platform;
      const config = { channels: { [channel]: { ...settings, dmPolicy: "open" } } };
      const running = await createTestHost({ plugin, config, ...options });
      host = running;
      onTestFinished(async () => {
        // First, because clients keep their connections open until the platform closes them.
        await platform[Symbol.asyncDispose]();
        await running.dispose();
      });
      await platform.connected(running);
      return running;
    },
  };
}
