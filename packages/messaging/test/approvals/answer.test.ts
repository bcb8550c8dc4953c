import { anyText } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerOf, readApprovalCommand } from "../../src/approvals/answer.js";
import { parseSubmission } from "../../src/submissions/parser.js";

const CODE = "K7MPQ2";
const ID = "apr_019a2c8f-67aa-711e-bf7a-c15c58c4c555";

const once = ["allow", "once", "allow-once", "allowonce"];
const always = ["always", "allow-always", "allowalways"];
const denied = ["deny", "reject", "block", "no"];
const everyDecision = [
  ...once.map((word) => [word, "allow-once"] as const),
  ...always.map((word) => [word, "allow-always"] as const),
  ...denied.map((word) => [word, "deny"] as const),
];

describe("readApprovalCommand with a command", () => {
  it.each(everyDecision)(
    "[APPR-026] reads /approve <code> %s and the reverse order as %s",
    (word, decision) => {
      for (const reference of [CODE, ID]) {
        const expected = { kind: "named", reference, decision };
        expect(readApprovalCommand(`/approve ${reference} ${word}`)).toEqual(expected);
        expect(readApprovalCommand(`/approve ${word} ${reference}`)).toEqual(expected);
        expect(readApprovalCommand(`/approve ${reference.toLowerCase()} ${word}`)).toEqual(
          expected,
        );
        expect(readApprovalCommand(` /APPROVE  ${reference}\t${word.toUpperCase()} `)).toEqual(
          expected,
        );
      }
    },
  );

  it("[APPR-026] allows once for /approve <code> and denies for /deny <code>", () => {
    expect(readApprovalCommand(`/approve ${CODE}`)).toEqual({
      kind: "named",
      reference: CODE,
      decision: "allow-once",
    });
    expect(readApprovalCommand(`/deny ${CODE}`)).toEqual({
      kind: "named",
      reference: CODE,
      decision: "deny",
    });
  });

  it("[UI-504] reads the note after /deny <code>, with its letter case and its lines", () => {
    const note = "Use the branch Main,\nplease; see K7MPQ2";
    for (const reference of [CODE, ID]) {
      const expected = { kind: "named", reference, decision: "deny", note };
      expect(readApprovalCommand(`/deny ${reference} ${note}`)).toEqual(expected);
      expect(readApprovalCommand(` /DENY@Claw  ${reference}\n${note} `, "claw")).toEqual(expected);
    }
    expect(readApprovalCommand(`/deny ${CODE} always`)).toMatchObject({
      decision: "deny",
      note: "always",
    });
  });

  it("[APPR-026] applies /approve <decision> to the only pending request", () => {
    const answer = { kind: "word", isCommand: true };
    expect(readApprovalCommand("/approve")).toEqual({ ...answer, decision: "allow-once" });
    expect(readApprovalCommand("/approve always")).toEqual({ ...answer, decision: "allow-always" });
    expect(readApprovalCommand("/approve no")).toEqual({ ...answer, decision: "deny" });
  });

  it("[APPR-026] ignores a command for another bot and accepts one for this bot", () => {
    expect(readApprovalCommand(`/approve@other ${CODE}`, "claw")).toEqual({
      kind: "for-another-bot",
    });
    expect(readApprovalCommand("/deny@other")).toEqual({ kind: "for-another-bot" });
    expect(readApprovalCommand(`/approve@Claw ${CODE}`, "claw")).toMatchObject({ kind: "named" });
  });

  it.each([
    ["/approve K7MPQ2 maybe", "neither"],
    ["/approve always deny", "does not contain the code of an approval request"],
    ["/approve K7MPQ2 once now", "more than a code and a decision"],
    ["/deny K7MPQ2 q9wxy3", "more than one approval request"],
    [`/deny K7MPQ2 ${ID} both`, "more than one approval request"],
    ["/deny use the branch main", '"use" is not the code of an approval request'],
    [`/approve ${"x".repeat(5000)} ${"y".repeat(5000)}`, "neither"],
  ])("decides nothing for %s and explains the usage", (text, problem) => {
    const answer = readApprovalCommand(text);
    expect(answer).toMatchObject({ kind: "malformed" });
    const said = answer?.kind === "malformed" ? answer.problem : "";
    expect(said).toContain(problem);
    expect(said).toContain("/approve <code>");
    expect(said.length).toBeLessThan(300);
  });
});

/** Reads a text as a decision in a conversation with a pending request. */
function read(text: string) {
  const submission = parseSubmission(text, { approvalPending: true });
  return submission.kind === "ApprovalResponse"
    ? answerOf(submission, text)
    : readApprovalCommand(text);
}

describe("answerOf", () => {
  it.each([
    ["allow-once", ["y", "yes", "approve", "ok", " YES ", "Ok\n"]],
    ["allow-always", ["a", "always", "yes always", "approve  always", "A"]],
    ["deny", ["n", "no", "deny", "reject", "cancel", "No"]],
  ] as const)("[APPR-027] reads the words for %s", (decision, texts) => {
    for (const text of texts) {
      expect(read(text)).toEqual({ kind: "word", decision, isCommand: false });
    }
  });

  it.each([
    ["allow-once", ["/approve", "/yes", "/y", "/Y"]],
    ["allow-always", ["/always", "/a"]],
    ["deny", ["/deny", "/no", "/n"]],
  ] as const)("[APPR-027] reads the slash commands for %s", (decision, texts) => {
    for (const text of texts) {
      const expected = { kind: "word", decision, isCommand: true };
      expect(read(text)).toEqual(expected);
      expect(readApprovalCommand(text)).toEqual(expected);
    }
  });

  it("[APPR-027] reads no decision from other text or from a word within a sentence", () => {
    for (const text of [
      "",
      "yes please",
      "okay",
      "y?",
      "no thanks",
      "/yes please",
      "/approved",
      "/ approve",
      "approve K7MPQ2",
      "always yes",
    ]) {
      expect(read(text), text).toBeUndefined();
    }
  });

  it("reads a decision of a program on one request", () => {
    const requestId = "6f1c2f0e-0d7c-4c0f-9b5e-0a1b2c3d4e5f";
    const read = (approved: boolean, always: boolean) =>
      answerOf({ kind: "ExecApproval", requestId, approved, always }, "{}");
    const reference = `apr_${requestId}`;
    expect(read(true, false)).toEqual({ kind: "named", reference, decision: "allow-once" });
    expect(read(true, true)).toMatchObject({ decision: "allow-always" });
    expect(read(false, true)).toMatchObject({ decision: "deny" });
  });

  it("never throws, and reads a decision only from the whole text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const answer = read(text);
        if (answer?.kind === "word" && !answer.isCommand)
          expect(text.trim()).toMatch(/^[a-z\s]+$/i);
        if (answer !== undefined && answer.kind !== "word") expect(text.trim()[0]).toBe("/");
      }),
    );
  });
});
