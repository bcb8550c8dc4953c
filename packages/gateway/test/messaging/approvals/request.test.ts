import { approvalText, keepApprovalCode, summarizeApproval } from "@openclaw/messaging";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { newApproval } from "../../support/new-approval.js";

/** Returns a stored approval request as it is shown. */
async function asked(
  overrides: Parameters<typeof newApproval>[0] = {},
  runsInSandbox: () => boolean | undefined = () => undefined,
) {
  const store = await openStore({ file: ":memory:", now: () => 1000 });
  onTestFinished(() => store.close());
  const approval = await store.decisions.approvals.create(newApproval(overrides));
  return await summarizeApproval(approval, {
    runsInSandbox,
    jobOf: async () => undefined,
    votesOf: (stored) => store.decisions.votes.list(stored.id),
  });
}

describe("approvalText", () => {
  it("[APPR-025] shows all details, for exec also its commands", async () => {
    const question = await asked({
      kind: "exec",
      tool: "exec",
      title: "Run a command?",
      description: "rm is not in the allowlist (rule exec.ask)",
      params: { command: "env X=1 bash -c 'rm -rf build' | tee log > out.txt" },
      pluginId: "guard",
      alsoRequestedBy: ["other"],
      requester: { channel: "telegram", accountId: "default", senderId: "ana" },
      timeoutMs: 125_000,
    });
    const text = approvalText(question, 1000);
    for (const part of [
      "Run a command?",
      "rm is not in the allowlist (rule exec.ask)",
      "tool: exec",
      `with: {"command":"env X=1 bash -c 'rm -rf build' | tee log > out.txt"}`,
      "rm -rf build",
      "tee log > out.txt",
      "agent: main",
      "for: ana (telegram)",
      "asked by: guard, other",
      "severity: warning",
      "time: 2 min 5 s left, then it is denied",
      `code: ${question.code}, digest ${question.digest.slice(0, 8)}`,
      `/approve ${question.code}`,
      `/approve ${question.code} always`,
      `/deny ${question.code}`,
    ]) {
      expect(text).toContain(part);
    }
  });

  it("[APPR-534] says how many people have allowed it, and who can", async () => {
    const quorum = { count: 3, roles: ["owner"] as const, notRequester: true };
    const question = await asked({ quorum });
    expect(approvalText(question, 1000)).toContain(
      "\nallowed: 0 of 3 people, only owners, not the requester\n",
    );
    const votes = [{ by: "telegram:ana", via: "chat", decision: "allow" as const, at: 1 }];
    const voted = { ...question, quorum: { count: 2, allowed: 1, votes } };
    expect(approvalText(voted, 1000)).toContain("\nallowed: 1 of 2 people (telegram:ana)\n");
  });

  it("[APPR-025] restores the code and the start of the digest in any text of a hook", async () => {
    const question = await asked();
    const text = approvalText(question, 1000);
    const answerable = `code: ${question.code}, digest ${question.digest.slice(0, 8)}`;
    expect(keepApprovalCode(question, text)).toBe(text);
    for (const rewritten of [
      "",
      "Something harmless happens.",
      text.replace(question.code, "AAAAAA"),
      text.replace(question.digest.slice(0, 8), "00000000"),
    ]) {
      const kept = keepApprovalCode(question, rewritten);
      expect(kept).toContain(answerable);
      expect(kept).toContain(`/deny ${question.code}`);
    }
  });

  it("does not offer decisions that are not allowed, and states the outcome on timeout", async () => {
    const question = await asked({
      allowedDecisions: ["allow-once", "deny"],
      timeoutBehavior: "allow",
      timeoutMs: 90_061_000,
    });
    const text = approvalText(question, 1000);
    expect(text).not.toContain("always");
    expect(text).toContain("1 d 1 h left, then it is allowed");
    expect(approvalText(question, 200_000_000)).toContain("0 s left");
  });

  it("escapes characters that hide text or move the cursor, and shortens long values", async () => {
    const question = await asked({
      title: "Run\u001b[2K?\u202e",
      params: { text: "\u0007\u200b\n\u009b", long: "x".repeat(5000) },
    });
    const text = approvalText(question, 1000);
    expect(text).toMatch(/^Run\\u\{1b\}\[2K\?\\u\{202e\}$/m);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    expect(text.length).toBeLessThan(2500);
    expect(text).toContain(`openclaw approvals show ${question.code}`);
  });

  it("[APPR-061] states what the sandbox allows a command once it is allowed", async () => {
    const exec = { tool: "exec", params: { command: "ls" } };
    expect(approvalText(await asked(exec, () => false), 1000)).toContain(
      "sandbox: off: the command runs with the rights of the gateway",
    );
    expect(approvalText(await asked(exec, () => true), 1000)).toContain(
      "sandbox: on: the command can write the workspace only, and has no network",
    );
    expect(approvalText(await asked(), 1000)).not.toContain("sandbox");
  });

  it("states that a command could not be parsed completely", async () => {
    const unread = await asked({ tool: "exec", params: { command: "echo 'open" } });
    expect(unread.commands?.at(-1)).toBe("and a part that could not be read");
    expect((await asked({ tool: "write", params: { command: "ls" } })).commands).toBeUndefined();
    expect((await asked({ tool: "exec", params: { command: 1 } })).commands).toBeUndefined();
  });
});
