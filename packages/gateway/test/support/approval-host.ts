import { ApprovalBroker, type ApprovalBrokerOptions } from "@openclaw/approval-broker";
import { onTestFinished } from "vitest";
import { openTestStore } from "./host.js";
import { newApproval } from "./new-approval.js";

/** Creates a broker with a separate store and a clock that the test controls. */
export async function createApprovalHost(settings: ApprovalBrokerOptions["settings"] = {}) {
  const clock = { now: 1_000_000 };
  const store = await openTestStore(() => clock.now);
  const silent = () => undefined;
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  const place = { path: "/usr/bin:/bin", workspaceDir: "/nowhere" };
  const approvals = new ApprovalBroker({ store, settings, logger, place });
  onTestFinished(() => approvals.close());
  return {
    store,
    approvals,
    clock,
    now: () => clock.now,
    /** Buttons that this host did not issue. */
    tokens: { verify: () => false },
    /** Stores an approval request. */
    ask: (overrides: Parameters<typeof newApproval>[0] = {}) =>
      store.decisions.approvals.create(newApproval(overrides)),
  };
}
