import { fetch } from "undici";
import { describe, expect, it } from "vitest";
import { NetworkDeniedError, NetworkPolicy, type ResolveHost } from "../../src/index.js";
import { createPinnedAgent } from "../../src/network/pinned-agent.js";
import { countingServer } from "../support/loopback-server.js";

/**
 * Sends a request without the check of the URL; returns the reason of a denial, or undefined when
 * it was sent.
 */
async function denialOf(
  url: string,
  { allowHosts, resolveHost }: { allowHosts?: string[]; resolveHost?: ResolveHost } = {},
): Promise<string | undefined> {
  const dispatcher = await createPinnedAgent(new NetworkPolicy({ allowHosts }), resolveHost);
  try {
    const response = await fetch(url, { dispatcher });
    await response.body?.cancel();
    return undefined;
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (NetworkDeniedError.isInstance(cause)) return cause.reason;
    }
    return String(error);
  } finally {
    await dispatcher.destroy();
  }
}

describe("pinned connection", () => {
  const resolvingTo =
    (...addresses: string[]): ResolveHost =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback in v6", ["::1"]],
    ["loopback mapped into v6", ["::ffff:127.0.0.1"]],
    ["metadata", ["169.254.169.254"]],
    ["shared address space", ["100.64.0.1"]],
    ["a public and a private address", ["93.184.216.34", "10.0.0.1"]],
    ["nothing", []],
  ])(
    "[SAFE-050] [DHOOK-033] denies a connection when its host name resolves to %s",
    async (_case, addresses) => {
      const { port, requests } = await countingServer();
      const resolveHost = resolvingTo(...addresses);
      expect(await denialOf(`http://rebound.example:${port}/`, { resolveHost })).toBe(
        "forbidden-address",
      );
      expect(requests).toEqual([]);
    },
  );

  it("[SAFE-050] denies a connection to a literal address whose URL was not checked", async () => {
    const { port, requests } = await countingServer();
    for (const host of ["127.0.0.1", "2130706433", "[::ffff:127.0.0.1]"]) {
      expect(await denialOf(`http://${host}:${port}/`)).toBe("forbidden-address");
    }
    expect(requests).toEqual([]);
  });

  it("[SAFE-050] denies a connection to a name of this machine unless allowHosts contains it", async () => {
    const { port, requests } = await countingServer();
    const url = `http://localhost:${port}/`;
    expect(await denialOf(url)).toBe("forbidden-host");
    expect(await denialOf(url, { allowHosts: ["localhost:1"] })).toBe("forbidden-host");
    expect(requests).toEqual([]);
    // The system resolves this name.
    expect(await denialOf(url, { allowHosts: [`localhost:${port}`] })).toBeUndefined();
    expect(requests).toEqual([`localhost:${port}/`]);
  });

  it("[SAFE-050] connects to the checked address, resolved once, with the requested host name", async () => {
    const { port, requests } = await countingServer();
    const asked: string[] = [];
    const allowHosts = [`service.example:${port}`];
    const resolveHost: ResolveHost = async (hostname) => {
      asked.push(hostname);
      // A second resolution would lead to a closed port.
      return [{ address: asked.length === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    };
    const url = `http://service.example:${port}/a`;
    expect(await denialOf(url, { allowHosts, resolveHost })).toBeUndefined();
    expect(requests).toEqual([`service.example:${port}/a`]);
    expect(asked).toEqual(["service.example"]);
  });
});
