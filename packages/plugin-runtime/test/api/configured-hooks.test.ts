import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { Unregister } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it } from "vitest";
import { createTestHost, plugin } from "../support/host.js";

/** Loads a plugin, and returns its api once it is active. */
async function activeApi(register: (api: OpenClawPluginApi) => void = () => undefined) {
  let api: OpenClawPluginApi | undefined;
  const host = createTestHost([
    plugin((given) => {
      api = given;
      register(given);
    }),
  ]);
  await host.runtime.load();
  if (api === undefined) throw new Error("the plugin was not loaded");
  return { api, ...host };
}

const event = { content: "x", from: "ada", channel: "telegram", isGroup: false };
const context = { sessionKey: "agent:main:main", callDepth: 0 };

describe("what configured hooks need", () => {
  it("[SDK-055] patterns are compiled by the host, run in linear time and name the position of a mistake", async () => {
    const { api } = await activeApi();
    const { patterns } = api.runtime;
    const pattern = patterns.compile("(a+)+$");
    expect(pattern.test(`${"a".repeat(50_000)}!`)).toBe(false);
    expect(patterns.compile("b", { ignoreCase: true }).replace("aBc", "-")).toBe("a-c");
    expect([...patterns.compile("\\d").ranges("a1b2")]).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(() => patterns.compile("ab(")).toThrow(
      expect.objectContaining({ code: "PATTERN_INVALID", position: expect.any(Number) }),
    );
  });

  it("[SDK-056] a URL is checked as by a request, without one", async () => {
    const { api } = await activeApi();
    expect(api.runtime.checkUrl("https://example.com/x").href).toBe("https://example.com/x");
    for (const [url, reason] of [
      ["http://example.com/", "insecure-scheme"],
      ["https://u:p@example.com/", "credentials-in-url"],
      ["https://host.docker.internal/", "forbidden-host"],
      ["https://[::1]/", "forbidden-address"],
      ["x", "invalid-url"],
    ]) {
      expect(() => api.runtime.checkUrl(url ?? "")).toThrow(
        expect.objectContaining({ code: "NETWORK_DENIED", reason }),
      );
    }
  });

  it("[LIFE-050] a running plugin changes its handlers as one change, without a report", async () => {
    let remove: Unregister | undefined;
    const { api, runtime } = await activeApi((given) => {
      remove = given.on("message_receiving", () => ({ content: "before" }));
    });
    const answer = async () =>
      (await runtime.hooks.decide("message_receiving", event, context))?.content;
    expect(await answer()).toBe("before");
    api.lifecycle.update(() => {
      remove?.();
      api.on("message_receiving", () => ({ content: "after" }));
    });
    expect(await answer()).toBe("after");
    const late = () =>
      runtime.current.diagnostics.filter(({ code }) => code === "late-registration");
    expect(late()).toEqual([]);
    api.on("message_receiving", () => undefined);
    expect(late()).toHaveLength(1);
  });
});
