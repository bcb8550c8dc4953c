import { createApprovalMethods, publishApprovals } from "@openclaw/messaging";
import type { ApprovalSummary } from "@openclaw/protocol";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createApprovalHost } from "../../support/approval-host.js";

describe("events of approval requests", () => {
  it("[APPR-035] are sent once for the request, each change of a pending one, and the decision", async () => {
    const { approvals, clock, ask, store } = await createApprovalHost();
    const methods = createApprovalMethods({ approvals, store });
    const sent: [string, ApprovalSummary][] = [];
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const publish = (name: string, payload: unknown) =>
      void sent.push([name, payload as ApprovalSummary]);
    onTestFinished(publishApprovals(approvals, { publish }, logger));

    await approvals.request({
      pluginId: "deployer",
      agentId: "main",
      title: "Deploy",
      description: "Deploys the site",
      timeoutMs: 90_000,
      isAttended: true,
      sessionKey: "agent:main:main",
    });
    const { approvals: pending } = await methods.call("approvals.list", {});
    const [{ id, digest, expiresAt } = await ask()] = pending;
    // The request expires late enough: nothing changes.
    await methods.call("approvals.hold", { id });
    clock.now += 60_000;
    const held = await methods.call("approvals.hold", { id });
    expect(held.expiresAt).toBeGreaterThan(expiresAt);
    const stale = { id, digest: "0".repeat(64), decision: "deny" } as const;
    await expect(methods.call("approvals.resolve", stale)).rejects.toMatchObject({
      code: "APPROVAL_MISMATCH",
    });
    await methods.call("approvals.resolve", { id, digest, decision: "deny" });
    // A settled request does not change.
    await methods.call("approvals.hold", { id });
    const history = await methods.call("approvals.history", {});
    expect(history.approvals).toMatchObject([{ id, state: "denied" }]);
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    expect(sent).toMatchObject([
      ["approval.requested", { id, state: "pending", expiresAt }],
      ["approval.updated", { id, state: "pending", expiresAt: held.expiresAt }],
      ["approval.resolved", { id, state: "denied" }],
    ]);
  });
});
