import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { IsolationTierApi } from "@openclaw/plugin-sdk/proposals/isolation-tier";
import { describe, expect, it } from "vitest";
import { PluginProposalError } from "../../src/index.js";
import { createFileHost } from "../support/file-host.js";

type ProposedApi = OpenClawPluginApi & IsolationTierApi;

describe("proposals of the SDK", () => {
  it("[SDK-024] are used by a plugin whose manifest names them, and refused to others", async () => {
    const seen: unknown[] = [];
    const { runtime } = createFileHost([
      {
        id: "named",
        proposals: ["isolation-tier"],
        register: (api) => {
          seen.push((api as ProposedApi).isolation);
        },
      },
      {
        id: "unnamed",
        register: (api) => {
          const copied = { ...api };
          seen.push("isolation" in copied, copied.id);
          try {
            seen.push((api as ProposedApi).isolation);
          } catch (error) {
            seen.push(error);
          }
        },
      },
    ]);
    await runtime.load();
    expect(seen.slice(0, 3)).toEqual([{ tier: "none", enforced: [] }, false, "unnamed"]);
    expect(PluginProposalError.isInstance(seen[3])).toBe(true);
    expect(String(seen[3])).toMatch(/add "isolation-tier" to proposals in its manifest/);
    expect(runtime.current.plugins.map(({ status }) => status)).toEqual(["loaded", "loaded"]);
  });

  it("[SDK-024] reports a proposal that this host does not have, and loads the plugin", async () => {
    const { runtime } = createFileHost([
      { id: "other", proposals: ["isolation-tiers"], register: () => undefined },
    ]);
    await runtime.load();
    expect(runtime.current.plugins).toMatchObject([{ id: "other", status: "loaded" }]);
    expect(runtime.current.diagnostics).toMatchObject([
      {
        code: "manifest-unknown-field",
        message: expect.stringContaining('"isolation-tiers" is not a proposal of this host'),
        hint: expect.stringContaining('"isolation-tier"'),
      },
    ]);
  });
});
