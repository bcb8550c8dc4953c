import type { NewApproval } from "@openclaw/store/decisions";

/**
 * Creates an approval request for `write` in the main session, before it is stored.
 * @param overrides - fields that differ
 */
export function newApproval(overrides: Partial<NewApproval> = {}): NewApproval {
  return {
    kind: "tool",
    runId: "run-1",
    toolCallId: "call-1",
    tool: "write",
    params: { path: "a.txt", content: "hello" },
    digest: "3fa9c01b".repeat(8),
    sessionKey: "agent:main:main",
    agentId: "main",
    requester: { channel: "terminal", accountId: "default", senderId: "operator" },
    title: "Write a file?",
    description: "",
    severity: "warning",
    allowedDecisions: ["allow-once", "allow-always", "deny"],
    timeoutBehavior: "deny",
    timeoutMs: 120_000,
    grant: { scope: "session", key: "write" },
    ...overrides,
  };
}
