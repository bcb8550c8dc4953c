import type { ElicitRequestParams } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { CallDeadline } from "../src/elicitation/deadline.js";
import { OpenCalls } from "../src/elicitation/open-calls.js";
import { OpenElicitations } from "../src/elicitation/open-elicitations.js";

const FORM: ElicitRequestParams = {
  mode: "form",
  message: "Which colour?",
  requestedSchema: { type: "object", properties: { colour: { type: "string" } } },
};

/** Elicitations whose requests for approval stay open. */
function waitingElicitations() {
  const sessions: (string | undefined)[] = [];
  let noteSubmission = () => {};
  const submitted = new Promise<void>((resolve) => {
    noteSubmission = resolve;
  });
  const elicitations = new OpenElicitations({
    approvals: {
      submit({ sessionKey }) {
        sessions.push(sessionKey);
        noteSubmission();
        return Promise.resolve({ status: "pending", id: "approval-1", code: "1" });
      },
      cancel: () => Promise.resolve(true),
    },
    tell: () => Promise.resolve(),
  });
  return { elicitations, sessions, submitted };
}

/** Opens a call that ends with the test. */
function openCall(calls: OpenCalls, sessionKey: string, milliseconds = 1000): CallDeadline {
  const deadline = new CallDeadline(milliseconds);
  const { signal } = new AbortController();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const running = calls.during({ turn: { sessionKey }, deadline, signal }, () => ended);
  onTestFinished(async () => {
    end();
    await running;
  });
  return deadline;
}

describe("a request for input within an open call", () => {
  it("[EXT-913] lets no time of the call pass until it is answered", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { elicitations, sessions, submitted } = waitingElicitations();
    const calls = new OpenCalls("fake", elicitations);
    const { signal } = openCall(calls, "agent:main:main");
    vi.advanceTimersByTime(600);
    const asked = calls.ask(FORM);
    await submitted;
    vi.advanceTimersByTime(3_600_000);
    expect(signal.aborted).toBe(false);

    const sessionKey = "agent:main:main";
    await elicitations.resolved({ id: "approval-1", sessionKey, decision: "deny" });
    expect(await asked).toEqual({ action: "decline" });
    expect(sessions).toEqual(["agent:main:main"]);
    vi.advanceTimersByTime(399);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  it("[EXT-913] is cancelled when calls of several sessions are open", async () => {
    const { elicitations, sessions } = waitingElicitations();
    const calls = new OpenCalls("fake", elicitations);
    for (const session of ["agent:main:one", "agent:main:two"]) openCall(calls, session);
    expect(await calls.ask(FORM)).toEqual({ action: "cancel" });
    expect(sessions).toEqual([]);
  });
});
