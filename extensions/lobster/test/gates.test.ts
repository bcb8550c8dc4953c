import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Envelope, RequiredApproval } from "../src/envelope/envelope.js";
import { type LobsterHost, lobsterHost } from "./support/lobster-host.js";

const FLOW = `steps:
  - id: find
    run: printf '["a.txt","b.txt"]'
  - id: gate
    approval: Delete these files?
    stdin: $find.json
  - id: remove
    run: echo removed
    when: $gate.approved
`;

/** Approves commands, and leaves gates to the test. */
const COMMANDS = ({ tool }: { readonly tool?: string | undefined }) =>
  tool === undefined ? undefined : ("allow-once" as const);

async function gateHost(options: Parameters<typeof lobsterHost>[0] = {}) {
  const lobster = await lobsterHost({
    answer: COMMANDS,
    model: [{ text: "hello" }, { text: "seen" }, { text: "again" }],
    files: { "flow.yaml": FLOW },
    ...options,
  });
  // The session exists from its first message on.
  await lobster.host.turn("hi");
  return lobster;
}

const gateOf = (envelope: Envelope): RequiredApproval => {
  expect(envelope).toMatchObject({ ok: true, status: "needs_approval" });
  if (!envelope.ok || envelope.requiresApproval === null) throw new Error("no gate");
  return envelope.requiresApproval;
};

const failed = (type: string) =>
  expect.objectContaining({ ok: false, error: expect.objectContaining({ type }) });

const flow = (lobster: LobsterHost) => lobster.call({ action: "run", filePath: "flow.yaml" });

describe("a gate", () => {
  it("[LOB-022] [LOB-027] [LOB-029] suspends the run, and the host resumes it once after the decision", async () => {
    const lobster = await gateHost();
    const { host } = lobster;
    const gate = gateOf(await flow(lobster));
    expect(gate).toMatchObject({
      type: "approval_request",
      prompt: "Delete these files?",
      items: ["a.txt", "b.txt"],
      resumeToken: expect.stringMatching(/^[\w-]+\.[\w-]{43}$/),
      approvalId: expect.stringMatching(/^[A-Z2-9]{8}$/),
    });
    // The model cannot pass the gate, with the token or the code.
    for (const by of [{ token: gate.resumeToken }, { approvalId: gate.approvalId }]) {
      const tried = await lobster.call({ action: "resume", ...by, approve: true });
      expect(tried).toEqual(failed("denied"));
      expect(JSON.stringify(tried)).toContain(gate.decideWith);
    }
    const question = host.questions.find(({ tool }) => tool === undefined);
    expect(question).toMatchObject({ kind: "plugin", title: "Delete these files?" });
    await host.approve(gate.decideWith);
    await expect
      .poll(async () => lobster.call({ action: "resume", token: gate.resumeToken, approve: true }))
      .toEqual(failed("token_consumed"));
    await host.turn("what happened?");
    const [, prompt] = host.modelRequests.map((request) => JSON.stringify(request.prompt));
    expect(prompt).toContain("Result of the lobster run");
    expect(prompt).toContain("removed");
    await host.turn("and now?");
    const [, , later] = host.modelRequests.map(({ prompt: messages }) =>
      JSON.stringify(messages.at(-1)),
    );
    expect(later).not.toContain("Result of the lobster run");
    expect(host.questions.filter(({ tool }) => tool === "exec")).toHaveLength(2);
  });

  it("[LOB-030] ends when it is denied, by a person or by the caller", async () => {
    const lobster = await gateHost();
    const { host } = lobster;
    const first = gateOf(await flow(lobster));
    await host.deny(first.decideWith);
    await host.turn("what happened?");
    expect(JSON.stringify(host.modelRequests[1])).toContain('\\"status\\":\\"cancelled\\"');
    const second = gateOf(await flow(lobster));
    const cancelled = { ok: true, status: "cancelled", output: [] };
    expect(
      await lobster.call({ action: "resume", token: second.resumeToken, approve: false }),
    ).toMatchObject(cancelled);
    const third = gateOf(await flow(lobster));
    expect(
      await lobster.call({ action: "resume", approvalId: third.approvalId, cancel: true }),
    ).toMatchObject(cancelled);
    expect(
      await lobster.call({ action: "resume", approvalId: third.approvalId, cancel: true }),
    ).toEqual(failed("token_consumed"));
    // The approval request of a cancelled run is cancelled too.
    await expect(host.approve(third.decideWith)).rejects.toThrow();
    expect(host.questions.filter(({ tool }) => tool === "exec")).toHaveLength(3);
  });

  it("[LOB-030] that is denied at the third step leaves the steps after it, and repeats none before", async () => {
    const lobster = await gateHost({
      files: {
        "three.yaml": `steps:
  - { id: first, run: echo one >> log }
  - { id: second, run: echo two >> log }
  - { id: third, approval: Go on? }
  - { id: fourth, run: echo four >> log, when: $third.approved }
`,
      },
    });
    const { host, call } = lobster;
    const gate = gateOf(await call({ action: "run", filePath: "three.yaml" }));
    await host.deny(gate.decideWith);
    const again = () => call({ action: "resume", token: gate.resumeToken, approve: true });
    await expect.poll(again).toEqual(failed("token_consumed"));
    expect(readFileSync(join(host.workspaceDir, "log"), "utf8")).toBe("one\ntwo\n");
  });

  it("[LOB-030] asks for an answer that matches its schema, and keeps the token of a wrong one", async () => {
    const lobster = await gateHost();
    const asked = await lobster.run(
      'exec --json echo \'[1]\' | ask --prompt \'How many?\' --schema \'{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}\'',
    );
    expect(asked).toMatchObject({ ok: true, status: "needs_input" });
    const token = asked.ok ? asked.requiresInput?.resumeToken : undefined;
    const answer = (response: unknown) => lobster.call({ action: "resume", token, response });
    expect(await lobster.call({ action: "resume", token, approve: true })).toEqual(
      failed("parse_error"),
    );
    expect(await answer({ n: "two" })).toEqual(failed("parse_error"));
    expect(await answer({ n: 2 })).toMatchObject({ ok: true, status: "ok" });
    expect(await answer({ n: 2 })).toEqual(failed("token_consumed"));
  });

  it("[LOB-031] does not continue a workflow file that changed, nor one whose included file changed", async () => {
    const lobster = await gateHost({
      files: {
        "flow.yaml": FLOW,
        "outer.yaml":
          "steps:\n  - { id: gate, approval: Go on? }\n  - { id: part, workflow: part.yaml }\n",
        "part.yaml": "steps:\n  - { id: a, run: echo a }\n",
      },
      pluginConfig: { modelMayApprove: true },
    });
    const outer = gateOf(await lobster.call({ action: "run", filePath: "outer.yaml" }));
    const part = join(lobster.host.workspaceDir, "part.yaml");
    writeFileSync(part, "steps:\n  - { id: a, run: echo evil }\n");
    const resume = { action: "resume", token: outer.resumeToken, approve: true };
    expect(await lobster.call(resume)).toMatchObject({
      error: {
        type: "token_invalid",
        message: expect.stringContaining("workflow changed: part.yaml"),
      },
    });
    const { host } = lobster;
    const gate = gateOf(await flow(lobster));
    writeFileSync(join(host.workspaceDir, "flow.yaml"), FLOW.replace("echo removed", "echo evil"));
    await host.approve(gate.decideWith);
    await host.turn("what happened?");
    const prompt = JSON.stringify(host.modelRequests[1]);
    expect(prompt).toContain("workflow changed");
    expect(prompt).not.toContain("removed\\");
    expect(host.questions.filter(({ tool }) => tool === "exec")).toHaveLength(1);
  });

  it("[LOB-028] passes only with the person that the workflow names", async () => {
    const lobster = await gateHost({
      files: {
        "named.yaml": FLOW.replace(
          "approval: Delete these files?",
          'approval: { prompt: "Delete?", required_approver: "telegram:7" }',
        ),
        "other.yaml": FLOW.replace(
          "approval: Delete these files?",
          'approval: { prompt: "Delete?", require_different_approver: true, initiated_by: "someone" }',
        ),
      },
      pluginConfig: { modelMayApprove: true },
    });
    const { host, call } = lobster;
    for (const file of ["named.yaml", "other.yaml"]) {
      const gate = gateOf(await call({ action: "run", filePath: file }));
      // modelMayApprove does not apply to a gate with rules about its approver.
      expect(await call({ action: "resume", token: gate.resumeToken, approve: true })).toEqual(
        failed("denied"),
      );
      const asked = host.questions.length;
      await host.approve(gate.decideWith);
      await expect.poll(() => host.questions.length).toBeGreaterThan(asked);
      const again = await call({ action: "resume", token: gate.resumeToken, approve: true });
      expect(again).toEqual(failed("denied"));
      expect(JSON.stringify(again)).not.toContain(gate.decideWith);
    }
    expect(host.questions.filter(({ tool }) => tool === "exec")).toHaveLength(2);
  });

  it("[LOB-027] lets the model approve where the operator allows it", async () => {
    const lobster = await gateHost({ pluginConfig: { modelMayApprove: true } });
    const gate = gateOf(await flow(lobster));
    const done = await lobster.call({ action: "resume", token: gate.resumeToken, approve: true });
    expect(done).toMatchObject({ ok: true, status: "ok", output: ["removed\n"] });
  });

  it("[LOB-025] continues once when two callers resume at the same time", async () => {
    const lobster = await gateHost({ pluginConfig: { modelMayApprove: true } });
    const gate = gateOf(await flow(lobster));
    const resume = () => lobster.call({ action: "resume", token: gate.resumeToken, approve: true });
    const results = await Promise.all([resume(), resume(), resume()]);
    const types = results.map((result) => (result.ok ? result.status : result.error.type)).sort();
    expect(types).toEqual(["ok", "token_consumed", "token_consumed"]);
  });

  it("[LOB-022] passes several gates in turn, the third of which is denied", async () => {
    const lobster = await gateHost({ pluginConfig: { modelMayApprove: true } });
    const { call } = lobster;
    const pipeline =
      "exec --json echo '[1,2]' | approve --prompt One | approve --prompt Two | approve --prompt Three | map --unwrap x";
    const one = gateOf(await call({ action: "run", pipeline }));
    const two = gateOf(await call({ action: "resume", token: one.resumeToken, approve: true }));
    expect(two.prompt).toBe("Two");
    const three = gateOf(
      await call({ action: "resume", approvalId: two.approvalId, approve: true }),
    );
    expect(three).toMatchObject({ prompt: "Three", items: [1, 2] });
    expect(await call({ action: "resume", token: one.resumeToken, approve: true })).toEqual(
      failed("token_consumed"),
    );
    expect(
      await call({ action: "resume", token: three.resumeToken, approve: false }),
    ).toMatchObject({ status: "cancelled" });
  });

  it("[LOB-021] [LOB-024] has no effect once its session was reset", async () => {
    const lobster = await gateHost();
    const { host, call } = lobster;
    const gate = gateOf(await flow(lobster));
    await host.runCommand("/reset");
    expect(await call({ action: "resume", token: gate.resumeToken, approve: true })).toEqual(
      failed("token_invalid"),
    );
    await expect(host.approve(gate.decideWith)).rejects.toThrow();
  });

  it("[LOB-024] [LOB-032] expires when there is no decision in time", async () => {
    const lobster = await gateHost({ pluginConfig: { tokenTtlMs: 60_000 } });
    const { host, call } = lobster;
    const gate = gateOf(await flow(lobster));
    await host.advance(61_000);
    await expect
      .poll(() => call({ action: "resume", token: gate.resumeToken, approve: true }))
      .toEqual(failed("token_expired"));
    expect(host.questions.filter(({ tool }) => tool === "exec")).toHaveLength(1);
  });

  it("[LOB-026] limits the codes that a session can try", async () => {
    const lobster = await gateHost();
    const guess = () => lobster.call({ action: "resume", approvalId: "AAAAAAAA", approve: true });
    for (let index = 0; index < 10; index++) expect(await guess()).toEqual(failed("token_invalid"));
    expect(await guess()).toEqual(failed("denied"));
  });

  it("says why it cannot be passed when no approver can be reached", async () => {
    const lobster = await lobsterHost({
      tools: { approval: { exec: "never" } },
      files: { "flow.yaml": "steps:\n  - id: gate\n    approval: Go on?\n" },
      model: [{ text: "hello" }],
    });
    await lobster.host.turn("hi");
    const refused = await flow(lobster);
    expect(refused).toEqual(failed("denied"));
    expect(JSON.stringify(refused)).toContain("approvals.headless");
  });
});
