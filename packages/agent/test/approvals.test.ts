import type { ApprovalNeed } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  type ApprovalSettings,
  type Approver,
  createApprovals,
} from "../src/approvals.js";
import { deferred } from "./deferred.js";

const question: ApprovalQuestion = {
  runId: "run-1",
  sessionKey: "agent:main:main",
  toolCallId: "call-1",
  toolName: "exec",
  params: { command: "ls" },
  title: "exec?",
  description: "",
  severity: "warning",
  kind: "tool",
};
const { signal } = new AbortController();

/** Someone who gives these answers in turn and remembers the questions. */
function approver(...answers: unknown[]): Approver & { readonly asked: ApprovalQuestion[] } {
  const asked: ApprovalQuestion[] = [];
  return {
    asked,
    async ask(question) {
      asked.push(question);
      // An approver need not be typed.
      return answers.shift() as ApprovalAnswer;
    },
  };
}

const nobody: Approver = { ask: () => expect.unreachable("nobody was to be asked") };

function decide(
  settings: ApprovalSettings,
  need: ApprovalNeed,
  changes: Partial<ApprovalQuestion> = {},
  who: Approver | undefined = nobody,
) {
  return createApprovals(settings).decide({ ...question, ...changes }, need, who, signal);
}

describe("need", () => {
  it("is what the tool declares, unless the operator says otherwise", () => {
    const approvals = createApprovals({ needs: { exec: "never" } });
    expect(approvals.need("exec", "always")).toBe("never");
    expect(approvals.need("write", "always")).toBe("always");
    expect(approvals.need("constructor", "unless-granted")).toBe("unless-granted");
  });
});

describe("decide", () => {
  it("asks nobody when there is no need", async () => {
    expect(await decide({}, "never")).toEqual({ allowed: true });
  });

  it("asks nobody about a tool that the operator approved, unless the need is always", async () => {
    const settings = { approvedTools: ["exec"] };
    expect(await decide(settings, "unless-granted")).toEqual({ allowed: true });
    const person = approver("deny");
    expect(await decide(settings, "always", {}, person)).toMatchObject({ allowed: false });
    expect(person.asked).toEqual([question]);
  });

  it("allows once what a person allows once", async () => {
    const approvals = createApprovals();
    const person = approver("allow-once", "deny");
    const ask = () => approvals.decide(question, "unless-granted", person, signal);
    expect(await ask()).toEqual({ allowed: true });
    expect(await ask()).toEqual({
      allowed: false,
      cancelled: false,
      reason: "the user did not allow this call",
    });
  });

  it("remembers what a person allows for the session: that tool, in that session", async () => {
    const approvals = createApprovals();
    const person = approver("allow-session", "allow-session", "deny", "deny", "deny");
    const ask = (changes: Partial<ApprovalQuestion>, need: ApprovalNeed = "unless-granted") =>
      approvals.decide({ ...question, ...changes }, need, person, signal);
    expect(await ask({})).toEqual({ allowed: true });
    expect(await ask({})).toEqual({ allowed: true });
    expect(person.asked).toHaveLength(1);
    expect(await ask({ toolName: "write" })).toEqual({ allowed: true });
    expect(await ask({})).toEqual({ allowed: true });
    expect(person.asked).toHaveLength(2);
    expect(await ask({ sessionKey: "agent:main:other" })).toMatchObject({ allowed: false });
    expect(await ask({ toolName: "edit" })).toMatchObject({ allowed: false });
    expect(await ask({}, "always")).toMatchObject({ allowed: false });
    expect(person.asked).toHaveLength(5);
  });

  it("denies where nobody can be asked, and names both settings", async () => {
    const verdict = await createApprovals().decide(question, "unless-granted", undefined, signal);
    expect(verdict).toEqual({
      allowed: false,
      cancelled: false,
      reason:
        "no approver reachable: it needs a person's approval and nobody can be asked here. " +
        "The operator can allow it with --approve-tool exec, or with " +
        '"tools": { "approval": { "exec": "never" } } in openclaw.json',
    });
  });

  it("names only the setting that helps, and none where none does", async () => {
    const reasonFor = async (changes: Partial<ApprovalQuestion>) => {
      const asked = { ...question, ...changes };
      const verdict = await createApprovals().decide(asked, "always", undefined, signal);
      return verdict.allowed ? "" : verdict.reason;
    };
    expect(await reasonFor({})).not.toContain("--approve-tool");
    expect(await reasonFor({})).toContain('"exec": "never"');
    const plugin = await reasonFor({ kind: "plugin", pluginId: "guard" });
    expect(plugin).toContain('plugin "guard" wants a person\'s approval');
    expect(plugin).not.toContain("openclaw.json");
    const policy = await reasonFor({ kind: "policy" });
    expect(policy).toContain("a rule of the tool policy wants a person's approval");
    expect(policy).not.toContain("openclaw.json");
  });

  it.each([["yes"], [true], [undefined], [null]])(
    "denies on %j, which is no answer",
    async (answer) => {
      expect(await decide({}, "always", {}, approver(answer))).toEqual({
        allowed: false,
        cancelled: false,
        reason: "the question was answered with something that is no answer",
      });
    },
  );

  it("denies when the question cannot be put", async () => {
    const broken: Approver = {
      ask() {
        throw new Error("the terminal is gone");
      },
    };
    expect(await decide({}, "always", {}, broken)).toEqual({
      allowed: false,
      cancelled: false,
      reason: "nobody could be asked: the terminal is gone",
    });
  });

  it("waits no longer than the turn, whatever the approver does", async () => {
    const controller = new AbortController();
    const asked = deferred();
    const silent: Approver = {
      ask() {
        asked.resolve();
        return new Promise(() => {});
      },
    };
    const verdict = createApprovals().decide(question, "always", silent, controller.signal);
    await asked.promise;
    controller.abort();
    expect(await verdict).toEqual({
      allowed: false,
      cancelled: true,
      reason: "the turn was interrupted before an answer came",
    });
  });
});
