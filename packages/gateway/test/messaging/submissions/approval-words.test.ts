import { describe, expect, it } from "vitest";
import { createTestHost, gate, message } from "../../support/host.js";

/** Creates a host whose model calls a tool that needs approval for each message with "go". */
async function asking() {
  const host = await createTestHost({
    script: ({ prompt }) => {
      const last = prompt.at(-1);
      if (last?.role === "tool") return { text: "done" };
      const calls = JSON.stringify(last).match(/go/g) ?? [];
      if (calls.length === 0) return { text: "ok" };
      return { toolCalls: calls.map(() => ({ toolName: "launch", params: {} })) };
    },
    register: (api) =>
      api.registerTool({
        name: "launch",
        description: "launches",
        parameters: { type: "object", properties: {} },
        approval: "unless-granted",
        execute: () => "launched",
      }),
  });
  const say = async (text: string) => {
    const outcome = await host.flow.receive(message(text), {});
    return "text" in outcome ? outcome.text : outcome.status;
  };
  /** Sends a message that needs an approval, and returns its request and its outcome. */
  const ask = async () => {
    const asked = gate();
    const ids: string[] = [];
    const outcome = host.flow.receive(message("go"), {
      onApproval: ({ id }) => {
        ids.push(id);
        asked.pass();
      },
    });
    await asked.passed;
    return { id: ids[0] ?? "", outcome };
  };
  return { host, say, ask };
}

describe("approval words in a conversation", () => {
  it("[SUB-010] [TURN-007] [APPR-027] are input when nothing is pending, and slash forms report it", async () => {
    const { host, say } = await asking();
    expect(await say(" Yes\n")).toBe("ok");
    expect(host.asked().at(-1)).toContain(JSON.stringify(" Yes\n"));
    for (const command of ["/yes", "/approve", "/always", "/deny", "/n"]) {
      expect(await say(command), command).toContain("No pending approvals here.");
    }
    expect(host.asked()).toHaveLength(1);
  });

  it("[SUB-010] [SUB-043] [TURN-007] [APPR-026] decide the only pending request, each in its way", async () => {
    const { host, say, ask } = await asking();
    for (const [word, state] of [
      ["/approve", "allowed-once"],
      ["OK", "allowed-once"],
      ["no", "denied"],
      ["/deny", "denied"],
      // The next call would run without a request.
      ["yes always", "allowed-always"],
    ] as const) {
      const { id, outcome } = await ask();
      expect(await say(word), word).toContain("is ");
      expect(await outcome).toMatchObject({ status: "replied", text: "done" });
      expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state });
    }
  });

  it("[SUB-008] [SUB-042] let a program decide one request by its ID in JSON", async () => {
    const { host, say, ask } = await asking();
    const { id, outcome } = await ask();
    const json = (request_id: string, approved: boolean) =>
      JSON.stringify({ ExecApproval: { request_id, approved, always: false } });
    expect(await say(json(crypto.randomUUID(), true))).toContain("APPROVAL_NOT_FOUND");
    expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state: "pending" });
    expect(await say(json(id.replace("apr_", "").toUpperCase(), true))).toContain("allowed once");
    expect(await outcome).toMatchObject({ text: "done" });
  });

  it("[SUB-010] [APPR-026] [APPR-027] decide none of several pending requests, and list their codes", async () => {
    const { host, say, ask } = await asking();
    const { id, outcome } = await ask();
    const [first] = await host.store.decisions.approvals.list({ state: "pending" });
    if (first === undefined) throw new Error("no request is pending");
    const { code, digest, createdAt, expiresAt, state, ...same } = first;
    const second = await host.store.decisions.approvals.create({
      ...same,
      digest: `${digest}2`,
      timeoutMs: 60_000,
    });
    for (const word of ["yes", "/approve", "always", "no", "/deny"]) {
      const reply = await say(word);
      expect(reply, word).toContain("Nothing was decided");
      expect(reply).toContain(code);
      expect(reply).toContain(second.code);
    }
    expect(await host.store.decisions.approvals.list({ state: "pending" })).toHaveLength(2);
    await say(`/deny ${second.code}`);
    await say("yes");
    expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state: "allowed-once" });
    await outcome;
    expect([createdAt, expiresAt, state]).toHaveLength(3);
  });

  it("[SUB-026] [TURN-007] leave other input queued, and tell its sender tool and code", async () => {
    const { host, say, ask } = await asking();
    const { id, outcome } = await ask();
    const { code = "" } = (await host.store.decisions.approvals.get(id)) ?? {};
    const notices: string[] = [];
    const waited = gate();
    const later = host.flow.receive(message("what is new"), {
      onNotice: (text) => {
        notices.push(text);
        waited.pass();
      },
    });
    await waited.passed;
    expect(notices[0]).toContain(code);
    expect(notices[0]).toContain("launch");
    await say("no");
    await outcome;
    expect(await later).toMatchObject({ text: "ok" });
  });
});
