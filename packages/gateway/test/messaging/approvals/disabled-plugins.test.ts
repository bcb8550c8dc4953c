import { cancelForDisabledPlugins } from "@openclaw/messaging";
import { describe, expect, it, vi } from "vitest";
import { createTestHost, OWNER, type TestHost } from "../../support/host.js";

/** Makes the plugin `guard` request an approval, and returns the ID of the request. */
async function asking({ approvals }: TestHost, pluginId = "guard"): Promise<string> {
  const verdict = await approvals.request({
    pluginId,
    title: "Deploy?",
    description: "",
    sessionKey: "agent:main:main",
    agentId: "main",
    isAttended: true,
  });
  if (verdict.status !== "pending") throw new Error("it was not asked");
  return verdict.approval.id;
}

const stateOf = async ({ store }: TestHost, id: string) =>
  (await store.decisions.approvals.get(id))?.state;

describe("cancelForDisabledPlugins", () => {
  it("[APPR-015] cancels the requests of a plugin when it is unloaded", async () => {
    const host = await createTestHost();
    const stop = await cancelForDisabledPlugins(host);
    const id = await asking(host);
    const other = await asking(host, "another");
    await host.plugins.reload(undefined, {
      config: { plugins: { entries: { guard: { enabled: false } } } },
    });
    await vi.waitFor(async () => expect(await stateOf(host, id)).toBe("cancelled"));
    expect(await stateOf(host, other)).toBe("pending");
    const late = host.approvals.decide(id, { decision: "allow-once", via: "test" }, OWNER);
    await expect(late).rejects.toThrow("cancelled by plugin-disabled");
    stop();
  });

  it("cancels at the start the requests of a plugin that was disabled before", async () => {
    const host = await createTestHost();
    const id = await asking(host);
    await host.plugins.reload(undefined, {
      config: { plugins: { entries: { guard: { enabled: false } } } },
    });
    expect(await stateOf(host, id)).toBe("pending");
    const stop = await cancelForDisabledPlugins(host);
    expect(await stateOf(host, id)).toBe("cancelled");
    stop();
  });
});
