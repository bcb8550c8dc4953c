import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestStore } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";
import { assertUnchanged } from "../../src/gates/continuation.js";
import { CodeGuesses } from "../../src/gates/guesses.js";
import { approverProblem, approverRules } from "../../src/gates/identity.js";
import { digest } from "../../src/workflow/bundle.js";
import { lobsterNode, World } from "../support/lobster-node.js";

it("[LOB-027] the model does not pass a gate that no person decided", async () => {
  const test = await openTestStore();
  onTestFinished(test.close);
  const world = new World();
  const { call } = lobsterNode(world, test.store);
  const stopped = await call({
    action: "run",
    pipeline: "approve --prompt Go? | openclaw.invoke --tool one",
  });
  const token = stopped.ok ? (stopped.requiresApproval?.resumeToken ?? "") : "";
  expect(await call({ action: "resume", token, approve: true })).toMatchObject({
    error: { type: "denied" },
  });
  expect(world.executed).toEqual([]);
});

it("[LOB-028] a gate passes only with the approver that it demands, as the host names them", () => {
  const gate = { prompt: "Go?", resumeToken: "t", requiredApprover: "someone:else" };
  const workflow = {
    steps: [{ id: "gate", approval: { required_approver: "telegram:7" } }],
  };
  // The file that a person checked counts, not what a step made of it.
  const rules = approverRules(gate, workflow, { approvalStepId: "gate" });
  expect(rules).toEqual({ requiredApprover: "telegram:7" });
  expect(approverProblem("telegram:7", "terminal:me", rules)).toBeUndefined();
  for (const other of ["terminal:me", "slack:7", undefined]) {
    expect(approverProblem(other, "terminal:me", rules)).toContain("telegram:7");
  }
  const different = approverRules(
    { ...gate, requireDifferentApprover: true },
    undefined,
    undefined,
  );
  expect(different).toEqual({ requiredApprover: "someone:else", isDifferent: true });
  const anyOther = { isDifferent: true } as const;
  expect(approverProblem("telegram:7", "terminal:me", anyOther)).toBeUndefined();
  expect(approverProblem("terminal:me", "terminal:me", anyOther)).toContain("another person");
  expect(approverProblem(undefined, "terminal:me", anyOther)).toContain("another person");
});

it("[LOB-031] a file that changed or is gone stops the run", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lobster-changed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "a.yaml");
  writeFileSync(file, "steps: []");
  const digests = { "a.yaml": digest("steps: []") };
  await assertUnchanged(folder, digests);
  writeFileSync(file, "steps: [ ]");
  const changed = { type: "token_invalid", message: expect.stringContaining("workflow changed") };
  await expect(assertUnchanged(folder, digests)).rejects.toMatchObject(changed);
  rmSync(file);
  await expect(assertUnchanged(folder, digests)).rejects.toMatchObject(changed);
});

it("[LOB-026] a session has 10 wrong codes in a minute", () => {
  let now = 0;
  const guesses = new CodeGuesses(() => now);
  const tries = () => Array.from({ length: 12 }, () => guesses.take("a")).filter(Boolean).length;
  expect(tries()).toBe(10);
  expect(guesses.take("b")).toBe(true);
  now += 60_001;
  expect(guesses.take("a")).toBe(true);
  guesses.forgive("a");
  expect(tries()).toBe(10);
});
