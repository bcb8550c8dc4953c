import type { NestedToolResult } from "@openclaw/plugin-sdk/tools";
import { openTestStore } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";
import { sealContinuation } from "../src/gates/continuation.js";
import { openDatabase } from "../src/gates/database.js";
import { InterruptedRuns } from "../src/gates/interrupted-runs.js";
import { Keys } from "../src/gates/keys.js";
import { SuspendedRuns } from "../src/gates/runs.js";
import { Suspension } from "../src/gates/suspension.js";
import { SelfResume, type SelfResumeDependencies } from "../src/self-resume.js";

const NOW = 1000;
const requester = { channel: "terminal", channelId: "t", senderId: "me", senderIsOwner: true };

/** A plugin whose process has just started, with one suspended run in its store. */
async function restarted(decision?: "allow-once", approvalId?: string) {
  const test = await openTestStore();
  onTestFinished(test.close);
  const secrets = new Map<string, string>();
  const keys = new Keys(
    {
      get: async (name) => secrets.get(name),
      set: async (name, value) => void secrets.set(name, value),
      delete: async (name) => secrets.delete(name),
    },
    10_000,
    () => NOW,
  );
  const database = () => openDatabase(test.store);
  const now = () => NOW;
  const runs = new SuspendedRuns(database, now);
  const interrupted = new InterruptedRuns(database, now);
  const sealed = await sealContinuation(
    {
      engineToken: "engine",
      files: {},
      digests: {},
      cwd: ".",
      requester,
      approvers: {},
      timeoutMs: 1000,
      maxStdoutBytes: 1000,
    },
    "run-1",
    keys,
  );
  await runs.add({
    id: "run-1",
    code: "ABCDEFGH",
    gate: 1,
    kind: "workflow",
    sessionKey: "agent:main:main",
    agentId: "main",
    need: "approval",
    name: "flow.yaml",
    prompt: "Go on?",
    digest: "digest",
    createdAt: NOW,
    expiresAt: NOW + 5000,
    ...sealed,
  });
  if (approvalId !== undefined)
    await runs.setApproval("run-1", { id: approvalId, code: "1234" }, null);
  const calls: object[] = [];
  const told: { text: string; idempotencyKey?: string }[] = [];
  const submitted: object[] = [];
  const answer = { text: '{"ok":true}' };
  const api = {
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    runtime: {
      agent: {
        callTool: async (call: object): Promise<NestedToolResult> => {
          calls.push(call);
          return { status: "ok", toolCallId: "c", content: [{ type: "text", text: answer.text }] };
        },
      },
    },
    approvals: {
      get: async (id: string) => ({
        id,
        sessionKey: "agent:main:main",
        ...(decision && { decision }),
      }),
      submit: async (request: object) => {
        submitted.push(request);
        return { status: "pending" as const, id: "approval-2", code: "5678" };
      },
    },
    session: {
      workflow: {
        enqueueNextTurnInjection: async (injection: { text: string }) => {
          told.push(injection);
          return { enqueued: true, id: "i", sessionKey: "s" };
        },
      },
    },
  } as unknown as SelfResumeDependencies["api"];
  const suspension = new Suspension({
    runs,
    keys,
    approvals: api.approvals,
    tokenTtlMs: 5000,
    redact: (value) => value,
    now: () => NOW,
  });
  return {
    resume: new SelfResume({ api, runs, interrupted, resuming: new Set(), keys, suspension }),
    calls,
    told,
    submitted,
    runs,
    answer,
  };
}

it("[LOB-029] [LOB-032] continues a run that was decided while no process ran, and tells its session", async () => {
  const { resume, calls, told } = await restarted("allow-once", "approval-1");
  await resume.recover();
  expect(calls).toEqual([
    {
      sessionKey: "agent:main:main",
      tool: "lobster",
      params: { action: "resume", approvalId: "ABCDEFGH", approve: true },
      requester,
    },
  ]);
  expect(told).toMatchObject([
    { text: expect.stringContaining('{"ok":true}'), idempotencyKey: "run-1:1" },
  ]);
});

it("[LOB-032] leaves a run without a decision suspended", async () => {
  const { resume, calls, submitted } = await restarted(undefined, "approval-1");
  await resume.recover();
  expect([calls, submitted]).toEqual([[], []]);
});

it("[LOB-032] requests the approval that a killed process did not request", async () => {
  const { resume, calls, submitted, runs } = await restarted();
  await resume.recover();
  expect(calls).toEqual([]);
  expect(submitted).toMatchObject([{ title: "Go on?", sessionKey: "agent:main:main" }]);
  expect(await runs.withApproval("approval-2")).toMatchObject({
    id: "run-1",
    approvalCode: "5678",
  });
});

it("[LOB-029] tells nothing when another caller was faster", async () => {
  const { resume, told, answer } = await restarted("allow-once", "approval-1");
  answer.text = '{"ok":false,"error":{"type":"token_consumed","message":"used"}}';
  await resume.decided({ id: "approval-1" });
  expect(told).toEqual([]);
  await resume.decided({ id: "unknown" });
});
