import { createTestHost, type TestHostOptions } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LinePlatform } from "./line-platform.js";
import { createLinePlugin } from "./line-plugin.js";

/** Waits for a condition, also on a machine with much else to do. */
const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 60_000);

async function connected(
  section: Record<string, unknown> = {},
  options: Partial<TestHostOptions> = {},
) {
  const platform = await LinePlatform.start();
  const { plugin, typing } = createLinePlugin();
  const lines = { port: platform.port, allowFrom: ["lines:Ann"], ...section };
  const config = { channels: { lines } } as NonNullable<TestHostOptions["config"]>;
  const host = await createTestHost({ plugin, config, model: [{ text: "Hello." }], ...options });
  onTestFinished(async () => {
    await host.dispose();
    await platform.close();
  });
  return { platform, host, typing };
}

describe("a channel plugin made of adapters", () => {
  it("[PLUG-150] answers an admitted sender through hooks, session and delivery", async () => {
    const { platform, host, typing } = await connected(
      {},
      {
        neighbours: [
          {
            id: "signature",
            register(api) {
              api.on("message_sending", ({ content }) => ({ content: `${content} -- bot` }));
            },
          },
        ],
      },
    );
    await eventually(() => expect(platform.bots).toBe(1));
    platform.write({ id: "1", from: "ann", text: "hi" });
    await eventually(() => expect(platform.sent).toEqual([{ to: "ann", text: "Hello. -- bot" }]));
    expect(typing).toEqual(["ann"]);
    expect(host.modelRequests).toHaveLength(1);
    const hooks = host.trace.map(({ hook }) => hook);
    expect(hooks).toEqual(expect.arrayContaining(["agent_end", "message_sending", "message_sent"]));
    // The platform sends a message again; it is not run twice.
    platform.write({ id: "1", from: "ann", text: "hi" });
    platform.write({ from: "ann", text: "/status" });
    await eventually(() => expect(platform.sent).toHaveLength(2));
    expect(platform.sent[1]?.text).toContain("agent:main:lines:direct:ann");
    expect(host.modelRequests).toHaveLength(1);
  });

  it("[PLUG-150] gives a stranger a pairing code, also when the plugin would admit everyone", async () => {
    const { platform, host } = await connected();
    await eventually(() => expect(platform.bots).toBe(1));
    platform.write({ id: "1", from: "bob", text: "let me in" });
    await eventually(() => expect(platform.sent[0]).toMatchObject({ to: "bob" }));
    expect(platform.sent[0]?.text).toMatch(/pairing code is [A-HJ-NP-Z2-9]{8}\./);
    expect(host.modelRequests).toEqual([]);
  });

  it("[PLUG-150] answers in groups that the configuration names, and leaves mentions to the plugin", async () => {
    const { platform, host } = await connected(
      { groups: { ops: {} }, groupPolicy: "allowlist" },
      { model: [{ text: "In ops." }] },
    );
    await eventually(() => expect(platform.bots).toBe(1));
    platform.write({ from: "bob", room: "other", text: "bot, hi" });
    platform.write({ from: "bob", room: "ops", text: "hi all" });
    await eventually(() => expect(platform.sent).toEqual([{ to: "ops", text: "In ops." }]));
    expect(host.modelRequests).toHaveLength(1);
  });

  it("[PLUG-150] runs each account, and starts a closed connection again", async () => {
    const { platform, host } = await connected({
      accounts: { one: {}, two: {}, three: { port: -1 } },
    });
    await eventually(() => expect(platform.bots).toBe(2));
    await eventually(() =>
      expect(host.logs.map(({ message }) => message)).toContainEqual(
        expect.stringContaining("account three is not configured"),
      ),
    );
    platform.drop();
    await eventually(() =>
      expect(
        host.logs.filter(({ message }) => message.includes("the server closed the connection")),
      ).toHaveLength(2),
    );
    await host.advance(1000);
    await eventually(() => expect(platform.bots).toBe(2));
    expect(platform.connections).toBe(4);
  });
});
