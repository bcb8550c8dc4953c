import type { NewApproval } from "../../src/decisions.js";

/** Returns an approval request for one call. */
export function newApproval(changes: Partial<NewApproval> = {}): NewApproval {
  return {
    kind: "tool",
    runId: "run",
    toolCallId: "call-1",
    tool: "write",
    params: { path: "a.txt", content: "[REDACTED]" },
    digest: "d1",
    sessionKey: "session",
    agentId: "agent",
    requester: { channel: "test", accountId: "account", senderId: "sender" },
    title: "Write a file?",
    description: "",
    severity: "warning",
    allowedDecisions: ["allow-once", "allow-always", "deny"],
    timeoutBehavior: "deny",
    timeoutMs: 1000,
    grant: { scope: "session", key: "k1" },
    ...changes,
  };
}
