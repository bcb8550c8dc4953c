import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { commandPlugin } from "../../support/command-script.js";
import { startTestGateway } from "../../support/gateway.js";
import { createTestHost, gate, message, OWNER, type TestHostOptions } from "../../support/host.js";

/** Options of a host whose model calls a tool that needs approval for each message with "go". */
const launching: TestHostOptions = {
  script: ({ prompt }) =>
    prompt.at(-1)?.role !== "tool" && JSON.stringify(prompt.at(-1)).includes("go")
      ? { toolCalls: [{ toolName: "launch", params: {} }], usage: { input: 10, output: 2 } }
      : { text: "ok", usage: { input: 7, output: 3 } },
  register: (api) =>
    api.registerTool({
      name: "launch",
      description: "launches",
      parameters: { type: "object", properties: {} },
      approval: "unless-granted",
      execute: () => "launched",
    }),
};

async function conversation(options: TestHostOptions = {}) {
  const host = await createTestHost(options);
  const say = async (text: string, rest: Parameters<typeof message>[1] = {}) => {
    const outcome = await host.flow.receive(message(text, rest), {});
    return "text" in outcome ? outcome.text : outcome.status;
  };
  return { host, say };
}

describe("/approvals", () => {
  it("[SUB-053] lists what waits here and what earlier decisions allow, during a turn as well", async () => {
    const { host, say } = await conversation(launching);
    const asked = gate();
    const outcome = host.flow.receive(message("go"), { onApproval: () => asked.pass() });
    await asked.passed;
    const [pending] = await host.store.decisions.approvals.list({ state: "pending" });
    const waiting = await say("/approvals");
    expect(waiting).toContain(`  ${pending?.code} (launch), 30 min left`);
    expect(waiting).toContain("Nothing is allowed");
    expect(await say("/status")).toMatch(/AwaitingApproval\n[\s\S]*Approvals: 1 pending/);
    await say("/approve always");
    await outcome;
    const [grant] = await host.store.decisions.grants.list();
    const after = await say("/approvals");
    expect(after).toContain("No pending approvals here.");
    expect(after).toContain(`  ${grant?.id}  every call of launch (session)`);
    const elsewhere = { sessionKey: "agent:main:other" };
    expect(await say("/approvals", elsewhere)).not.toContain(grant?.id);
    await host.approvals.revoke("all", OWNER);
    expect(await say("/approvals")).toContain("Nothing is allowed");
  });

  it("[SUB-053] shows grants that reach beyond the conversation to owners only", async () => {
    const { host, say } = await conversation(launching);
    const asked = gate();
    const outcome = host.flow.receive(message("go"), { onApproval: () => asked.pass() });
    await asked.passed;
    await host.approvals.decide(
      (await host.store.decisions.approvals.list({ state: "pending" }))[0]?.id ?? "",
      { decision: "allow-always", scope: "global", via: "test" },
      OWNER,
    );
    await outcome;
    expect(await say("/approvals")).toContain("launch (global)");
    expect(await say("/approvals", { senderIsOwner: false })).not.toContain("launch");
  });
});

describe("/cost and /status", () => {
  it("[SUB-053] sum tokens and cost of the conversation by model", async () => {
    const { host, say } = await conversation(launching);
    expect(await say("/cost")).toBe("No model has used tokens in this conversation.");
    expect(await say("/status")).toContain("Conversation: not started");
    await say("one");
    await say("two");
    await say("other", { sessionKey: "agent:main:other" });
    expect(await say("/cost")).toBe(
      [
        "Tokens of this conversation, by model:",
        "  scripted/script: 2 calls, 14 input and 6 output tokens, $0.00",
        "Cost: $0.00",
      ].join("\n"),
    );
    const status = await say("/status");
    expect(status).toMatch(/Context: 4 messages, about 20 of 100000 tokens \(0 %\)/);
    expect(status).toContain("Tokens used: 20;");
    expect(status).toContain("Model: scripted/script");
    await say("/new");
    expect(await say("/cost")).toBe("No model has used tokens in this conversation.");
    expect(host.asked()).toHaveLength(3);
  });

  it("[LLM-024] show models that are not called after failures, and why", async () => {
    const { say } = await conversation({
      script: () => ({ error: { status: 503, message: "down" } }),
    });
    expect(await say("/status")).not.toContain("Not called");
    await say("hello");
    expect(await say("/status")).toMatch(
      /^Model: scripted\/script\nNot called: scripted\/script after 1 failure \(MODEL_REQUEST_FAILED\), (?:30|29) s left$/m,
    );
    for (let count = 0; count < 4; count += 1) await say("hello");
    expect(await say("/status")).toMatch(
      /^Provider scripted: not called after repeated failures, (?:30|29) s left$/m,
    );
  });

  it("[SUB-053] show folders to owners only", async () => {
    const { say } = await conversation();
    expect(await say("/status")).toContain("Workspace: /nowhere");
    expect(await say("/status", { senderIsOwner: false })).not.toContain("nowhere");
  });

  it.each([true, false])(
    "[SUB-053] name the instructions in effect (trusted: %s)",
    async (isTrusted) => {
      const folder = temporaryFolder();
      folder.write({
        "openclaw.json": "{}",
        "workspace/.git/HEAD": "",
        "workspace/AGENTS.md": "Use tabs.",
      });
      const gateway = await startTestGateway(folder, {
        inlinePlugins: [commandPlugin],
        model: "scripted/script",
        workspaceDir: join(folder.path, "workspace"),
        isTrusted: () => isTrusted,
      });
      onTestFinished(async () => {
        await gateway.stop("command");
        folder[Symbol.dispose]();
      });
      const outcome = await gateway.receive(message("/status", { idempotencyKey: randomUUID() }));
      const text = "text" in outcome ? outcome.text : outcome.status;
      expect(text).toMatch(/^Sandbox: (active|not active)/m);
      if (isTrusted) expect(text).toMatch(/^Instructions: .*workspace\/AGENTS\.md$/m);
      else {
        expect(text).toMatch(/^Workspace: .* \(not trusted\)$/m);
        expect(text).toMatch(/^Instructions: not read; .*openclaw trust/m);
      }
    },
  );
});
