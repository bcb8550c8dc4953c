import { anyText, generatedCases, generatedTimeout } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSubmission } from "../../src/submissions/parser.js";
import type { Submission } from "../../src/submissions/submission.js";
import vectors from "../vectors/submission.json" with { type: "json" };

const pending = { approvalPending: true };
const idle = { approvalPending: false };
const ID = "6f1c2f0e-0d7c-4c0f-9b5e-0a1b2c3d4e5f";

/** Returns a submission with the field names of the vectors. */
function wireForm(submission: Submission): Record<string, unknown> {
  const names: Readonly<Record<string, string>> = {
    threadId: "thread_id",
    checkpointId: "checkpoint_id",
    requestId: "request_id",
  };
  return Object.fromEntries(
    Object.entries(submission).map(([name, value]) => [names[name] ?? name, value]),
  );
}

const input = (content: string) => ({ kind: "UserInput", content });

describe("parseSubmission", () => {
  it.each(vectors.submission)("classifies the case $id", ({ input: text, expected }) => {
    expect(wireForm(parseSubmission(text, pending))).toEqual(expected);
  });

  it("[SUB-001] matches trimmed text in any letter case, and keeps input as it was written", () => {
    expect(parseSubmission(" \t/UnDo\n", idle)).toEqual({ kind: "Undo" });
    expect(parseSubmission("  Hello\nWorld ", idle)).toEqual(input("  Hello\nWorld "));
    expect(parseSubmission("\u00a0/HELP\u2003", idle)).toMatchObject({ command: "help" });
  });

  it("[SUB-002] gives control words, system commands and JSON precedence over approval words", () => {
    for (const context of [pending, idle]) {
      expect(parseSubmission("/stop", context).kind).toBe("Interrupt");
      expect(parseSubmission("/model yes", context)).toMatchObject({ args: ["yes"] });
      expect(parseSubmission("/quit", context).kind).toBe("Quit");
      expect(parseSubmission(`/thread ${ID}`, context).kind).toBe("SwitchThread");
      expect(parseSubmission(`/resume ${ID}`, context).kind).toBe("Resume");
      const json = `{"ExecApproval":{"request_id":"${ID}","approved":true,"always":false}}`;
      expect(parseSubmission(json, context).kind).toBe("ExecApproval");
      expect(parseSubmission("hello", context)).toEqual(input("hello"));
    }
  });

  it.each([
    ["/undo", "Undo"],
    ["/redo", "Redo"],
    ["/interrupt", "Interrupt"],
    ["/stop", "Interrupt"],
    ["/compact", "Compact"],
    ["/clear", "Clear"],
    ["/heartbeat", "Heartbeat"],
    ["/summarize", "Summarize"],
    ["/summary", "Summarize"],
    ["/suggest", "Suggest"],
    ["/new", "NewThread"],
    ["/thread new", "NewThread"],
    ["/quit", "Quit"],
    ["/exit", "Quit"],
    ["/shutdown", "Quit"],
  ])("[SUB-003] [SUB-004] reads %s as %s, and as input with a further word", (text, kind) => {
    expect(parseSubmission(text, idle)).toEqual({ kind });
    expect(parseSubmission(`${text} now`, idle)).toEqual(input(`${text} now`));
    expect(parseSubmission(`${text}x`, idle)).toEqual(input(`${text}x`));
    expect(parseSubmission(text.slice(1), idle)).toEqual(input(text.slice(1)));
  });

  it("[SUB-005] reads the system commands", () => {
    for (const command of ["help", "version", "tools", "ping", "debug"]) {
      const expected = { kind: "SystemCommand", command, args: [] };
      expect(parseSubmission(`/${command}`, idle)).toEqual(expected);
      expect(parseSubmission(`/${command} x`, idle)).toEqual(input(`/${command} x`));
    }
    expect(parseSubmission("/?", idle)).toEqual({
      kind: "SystemCommand",
      command: "help",
      args: [],
    });
  });

  it("[SUB-006] reads the words after /model as written, and no longer word", () => {
    const model = (...args: string[]) => ({ kind: "SystemCommand", command: "model", args });
    expect(parseSubmission("/model", idle)).toEqual(model());
    expect(parseSubmission("/models", idle)).toEqual(model());
    expect(parseSubmission(" /MODEL  OpenAI/GPT-4o \t B ", idle)).toEqual(
      model("OpenAI/GPT-4o", "B"),
    );
    for (const text of ["/modelfoo", "/models x", "/model/x"]) {
      expect(parseSubmission(text, idle)).toEqual(input(text));
    }
    expect(parseSubmission(`/model ${"x".repeat(5000)}`, idle)).toEqual(model("x".repeat(5000)));
  });

  it("[SUB-007] brings ids to lower case, and leaves anything but one UUID as input", () => {
    expect(parseSubmission(`/THREAD ${ID.toUpperCase()}`, idle)).toEqual({
      kind: "SwitchThread",
      threadId: ID,
    });
    expect(parseSubmission(`/resume  ${ID.toUpperCase()}`, idle)).toEqual({
      kind: "Resume",
      checkpointId: ID,
    });
    for (const word of ["", " x", ` ${ID}0`, ` ${ID.slice(1)}`, ` ${ID} ${ID}`, ` {${ID}}`]) {
      for (const name of ["/thread", "/resume"]) {
        expect(parseSubmission(name + word, idle)).toEqual(input(name + word));
      }
    }
  });

  it("[SUB-008] reads an approval only from an object with the single key ExecApproval", () => {
    const body = { request_id: ID.toUpperCase(), approved: false, always: true };
    expect(parseSubmission(` ${JSON.stringify({ ExecApproval: body })}\n`, idle)).toEqual({
      kind: "ExecApproval",
      requestId: ID,
      approved: false,
      always: true,
    });
    const others = [
      { ExecApproval: body, more: 1 },
      { ExecApproval: { ...body, request_id: "x" } },
      { ExecApproval: { ...body, request_id: 7 } },
      { ExecApproval: { ...body, approved: "yes" } },
      { ExecApproval: { ...body, always: null } },
      { ExecApproval: { request_id: ID, approved: true } },
      { ExecApproval: [body] },
      { ExecApproval: null },
      { execapproval: body },
      {},
    ].map((value) => JSON.stringify(value));
    for (const text of [...others, "{", "{}", `{${ID}`, `[${JSON.stringify(body)}]`]) {
      expect(parseSubmission(text, pending)).toEqual(input(text));
    }
  });

  it("[SUB-009] reads approval words as whole messages with padding, in any letter case", () => {
    const words = {
      once: ["y", "yes", "approve", "ok", "/approve", "/yes", "/y"],
      always: ["a", "always", "/a", "/always", "yes always", "approve always"],
      deny: ["n", "no", "deny", "reject", "cancel", "/deny", "/no", "/n"],
    };
    for (const [name, texts] of Object.entries(words)) {
      const expected = {
        kind: "ApprovalResponse",
        approved: name !== "deny",
        always: name === "always",
      };
      for (const text of texts) {
        expect(parseSubmission(`  ${text.toUpperCase()}\n`, pending), text).toEqual(expected);
      }
    }
  });

  it("[SUB-011] leaves sentences, unknown slash words and the empty text as input", () => {
    for (const text of ["yes please", "okay", "/unknown", "", " ", "y y", "/approve K7MPQ2"]) {
      for (const context of [pending, idle]) {
        expect(parseSubmission(text, context)).toEqual(input(text));
      }
    }
  });

  it("[SUB-049] returns the text of every input unchanged, for any text", {
    timeout: generatedTimeout(60_000),
  }, () => {
    const pieces = fc.constantFrom(
      ...'/undo /model /thread /resume y yes always {"ExecApproval": request_id true } { /'.split(
        " ",
      ),
      ID,
      " ",
      "\n",
      "\u2028",
      "\u0130",
    );
    const text = fc.oneof(
      anyText({ maxLength: 100 }),
      fc.array(pieces, { maxLength: 8 }).map((each) => each.join("")),
    );
    fc.assert(
      fc.property(text, fc.boolean(), (content, approvalPending) => {
        const submission = parseSubmission(content, { approvalPending });
        if (submission.kind === "UserInput") expect(submission.content).toBe(content);
        else expect(content.trim()).not.toBe("");
        expect(parseSubmission(content, { approvalPending })).toEqual(submission);
        if (submission.kind === "ApprovalResponse") expect(approvalPending).toBe(true);
      }),
      generatedCases(2000),
    );
  });
});
