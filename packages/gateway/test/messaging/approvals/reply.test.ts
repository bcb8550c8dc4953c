import { answerByMessage } from "@openclaw/messaging";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createApprovalHost } from "../../support/approval-host.js";
import { readWrittenAnswer } from "../../support/written-answer.js";

const SESSION = "agent:main:main";
const OTHER = "agent:main:telegram:direct:bo";
const OWNER = { channel: "terminal", senderId: "operator", senderIsOwner: true };
const ANA = { channel: "telegram", senderId: "ana", senderIsOwner: false };

type ApprovalHost = Awaited<ReturnType<typeof createApprovalHost>>;

/** Returns the reply to a text that a sender wrote in a conversation. */
function say(host: ApprovalHost, text: string, sender = OWNER, sessionKey = SESSION) {
  const written = readWrittenAnswer(text);
  if (written === undefined) throw new Error(`"${text}" is no answer`);
  return answerByMessage(written, sender, sessionKey, host);
}

describe("answerByMessage", () => {
  it("[APPR-027] decides by a word when exactly one request is pending", async () => {
    const host = await createApprovalHost();
    for (const [text, state] of [
      ["y", "allowed-once"],
      ["ALWAYS", "allowed-always"],
      ["no", "denied"],
      ["/deny", "denied"],
    ] as const) {
      const { id, code } = await host.ask();
      expect(await say(host, text)).toContain(code);
      expect(await host.store.decisions.approvals.get(id)).toMatchObject({
        state,
        decidedBy: "terminal:operator",
        decidedVia: "chat",
      });
    }
  });

  it("[APPR-534] says how many people have allowed a request that several must allow", async () => {
    const host = await createApprovalHost({ approvers: ["telegram:ana"] });
    const { id, code } = await host.ask({ quorum: { count: 2 } });
    expect(await say(host, `/approve ${code}`, ANA)).toContain(
      "is allowed by 1 of 2 people; more people must allow it before it runs.",
    );
    expect(await say(host, "y", ANA)).toContain("APPROVAL_VOTE_REFUSED");
    expect(await say(host, "y")).toContain("is allowed once");
    expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state: "allowed-once" });
  });

  it("[APPR-027] treats a word as ordinary input when no request is pending in the conversation", async () => {
    const host = await createApprovalHost();
    await host.ask({ sessionKey: OTHER });
    expect(await say(host, "yes")).toBeUndefined();
    expect(await say(host, "/yes")).toContain("No pending approvals here.");
    expect(await host.store.decisions.approvals.pending(OTHER)).toHaveLength(1);
  });

  it("[APPR-026] [APPR-027] decides nothing when several requests are pending, and lists their codes", async () => {
    const host = await createApprovalHost();
    const [first, second] = [await host.ask(), await host.ask({ tool: "exec", title: "Run it?" })];
    for (const text of ["y", "/approve", "n"]) {
      const words = await say(host, text);
      expect(words).toContain(`${first.code} (write): Write a file?`);
      expect(words).toContain(`${second.code} (exec): Run it?`);
    }
    expect(await host.store.decisions.approvals.pending(SESSION)).toHaveLength(2);
    expect(await say(host, `/approve ${second.code}`)).toContain("is allowed once");
    expect(await say(host, "y")).toContain(first.code);
  });

  it("[APPR-026] decides a request by its code from any conversation", async () => {
    const host = await createApprovalHost();
    const { id, code } = await host.ask({ sessionKey: OTHER });
    expect(await say(host, `/approve ALWAYS ${code.toLowerCase()}`)).toContain("is allowed");
    expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state: "allowed-always" });
    const other = await host.ask({ sessionKey: OTHER });
    await say(host, `/approve ${other.id.toUpperCase()} block`);
    expect(await host.store.decisions.approvals.get(other.id)).toMatchObject({ state: "denied" });
  });

  it("grants for the session with the word always, and with the request's default scope when a code is given", async () => {
    const host = await createApprovalHost();
    const grant = { scope: "requester", key: "k".repeat(64) } as const;
    await host.ask({ kind: "exec", tool: "exec", grant });
    await say(host, "a");
    const { code } = await host.ask({
      kind: "exec",
      tool: "exec",
      grant,
      params: { command: "ls -l" },
    });
    await say(host, `/approve ${code} always`);
    const granted = await host.store.decisions.grants.list();
    expect(granted.map(({ scope, label }) => [scope, label])).toEqual([
      ["requester", "ls -l"],
      ["session", "Write a file?"],
    ]);
  });

  it("[APPR-281] allows once when always is said for the request of another person", async () => {
    const host = await createApprovalHost();
    const ana = { channel: "telegram", accountId: "default", senderId: "ana" };
    for (const text of ["a", "/approve CODE always"]) {
      const { id, code } = await host.ask({ requester: ana });
      const reply = await say(host, text.replace("CODE", code));
      expect(reply).toContain("is allowed once.");
      expect(reply).toContain("only calls in the turns that you start");
      expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state: "allowed-once" });
    }
    expect(await host.store.decisions.grants.list()).toEqual([]);
    await host.ask({ requester: { ...ana, isOwner: true } });
    expect(await say(host, "a")).toContain("similar calls from now on");
    expect(await host.store.decisions.grants.list()).toMatchObject([
      { requester: { senderId: "ana", isOwner: true }, createdBy: "terminal:operator" },
    ]);
  });

  it("[APPR-028] accepts decisions only from approvers, and tells others so", async () => {
    const bo = { ...ANA, senderId: "bo" };
    const host = await createApprovalHost({ approvers: ["telegram:bo"] });
    const requester = { channel: "telegram", accountId: "default", senderId: "ana" };
    const { id, code } = await host.ask({ requester });
    for (const sender of [ANA, { ...ANA, senderId: "eve" }, { ...bo, channel: "discord" }]) {
      expect(await say(host, "y", sender)).toContain("NOT_AUTHORIZED_TO_APPROVE");
      expect(await say(host, `/approve ${code}`, sender)).toContain("NOT_AUTHORIZED_TO_APPROVE");
    }
    expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state: "pending" });
    expect(await say(host, "y", bo)).toContain("is allowed once");

    const generous = await createApprovalHost({ allowSelf: true });
    await generous.ask({ requester });
    expect(await say(generous, "y", { ...ANA, senderId: "eve" })).toContain("NOT_AUTHORIZED");
    expect(await say(generous, "y", ANA)).toContain("is allowed once");
  });

  it("[APPR-028] lets owners and approvers reach the requests of every conversation, and others none", async () => {
    const bo = { ...ANA, senderId: "bo" };
    const host = await createApprovalHost({ approvers: ["telegram:bo"] });
    const requester = { channel: "telegram", accountId: "default", senderId: "eve" };
    const { id, code } = await host.ask({ sessionKey: OTHER, requester });
    for (const sender of [bo, { ...ANA, senderIsOwner: true }]) {
      const words = await say(host, "/approve", sender);
      expect(words).toContain(`/approve ${code}`);
      expect(await say(host, "yes", sender)).toBeUndefined();
    }
    expect(await say(host, "/approve", { ...ANA, senderIsOwner: false })).toBe(
      "No pending approvals here.",
    );
    expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state: "pending" });
    expect(await say(host, `/approve ${code}`, bo)).toContain("is allowed once");
  });

  it("decides once, and tells a later sender who decided first", async () => {
    const host = await createApprovalHost();
    const { code } = await host.ask();
    const answers = await Promise.all(
      ["deny", "allow", "always"].map((decision) => say(host, `/approve ${code} ${decision}`)),
    );
    expect(answers.filter((words) => words?.includes("APPROVAL_ALREADY_DECIDED"))).toHaveLength(2);
    expect(await say(host, `/deny ${code}`)).toMatch(
      /already decided: \S+ by the operator, at the terminal of the gateway;/,
    );
  });

  it("rejects decisions on expired or unknown requests, and decisions that are not offered", async () => {
    const host = await createApprovalHost();
    const { code } = await host.ask({ timeoutMs: 1000 });
    host.clock.now += 1000;
    expect(await say(host, "/y")).toBe("No pending approvals here.");
    expect(await say(host, `/approve ${code}`)).toContain("timed-out");
    expect(await say(host, "/approve NOSUCH")).toContain("APPROVAL_NOT_FOUND");
    const { id } = await host.ask({ allowedDecisions: ["allow-once", "deny"] });
    expect(await say(host, "always")).toContain("DECISION_NOT_ALLOWED");
    expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state: "pending" });
  });

  it("[APPR-021] grants the command prefix in the message", async () => {
    const host = await createApprovalHost();
    const prefix = {
      words: ["docker", "compose", "up"],
      proposed: 3,
      least: 2,
      file: "/usr/bin/docker",
      workspace: "/workspace",
    };
    const grant = { scope: "requester", key: "k", prefixes: [prefix] } as const;
    const { code } = await host.ask({ kind: "exec", tool: "exec", grant });
    expect(await say(host, `/approve ${code} always Docker compose`)).toContain(
      "GRANT_PREFIX_REFUSED",
    );
    expect(await say(host, `/approve ${code} always docker compose`)).toContain("is allowed");
    const granted = await host.store.decisions.grants.list();
    expect(granted.map(({ label }) => label)).toEqual(["docker compose …"]);
  });

  it("[UI-504] keeps the note of a denial for the model, and confirms it", async () => {
    const host = await createApprovalHost();
    const { id, code } = await host.ask();
    expect(await say(host, `/deny ${code.toLowerCase()} Use the branch Main`)).toBe(
      `${code} (write) is denied. The model receives your note.`,
    );
    expect(await host.store.decisions.approvals.get(id)).toMatchObject({
      state: "denied",
      note: "Use the branch Main",
    });
  });

  it("[APPR-026] ignores a command for another bot, and explains a malformed command", async () => {
    const host = await createApprovalHost();
    const { id, code } = await host.ask();
    expect(await say(host, `/approve@other ${code}`)).toBe("");
    expect(await say(host, `/approve ${code} perhaps`)).toContain("Nothing was decided");
    expect(await host.store.decisions.approvals.get(id)).toMatchObject({ state: "pending" });
  });

  it("decides a request only by its code or by a word alone, for any text", async () => {
    const host = await createApprovalHost();
    await host.ask();
    await host.ask();
    const parts = ["/approve", "/deny", "y", "no", "always", "allow", "NOSUCH", "apr_", "@x"];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...parts), { maxLength: 4 }), async (words) => {
        const written = readWrittenAnswer(words.join(" "));
        if (written !== undefined) await answerByMessage(written, OWNER, SESSION, host);
        expect(await host.store.decisions.approvals.pending(SESSION)).toHaveLength(2);
      }),
    );
  });
});
