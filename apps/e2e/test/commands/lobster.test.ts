import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openclawProcess, startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const FLOW = `steps:
  - id: gate
    approval: Create the file?
  - id: create
    run: touch made && echo made
    when: $gate.approved
`;

it("[LOB-032] [LOB-033] [SDK-061] runs, draws and lists workflows, and resumes one after kill -9", async () => {
  const place = emptyPlace();
  onTestFinished(() => place[Symbol.dispose]());
  place.writeWorkspace({ "flow.lobster": FLOW });
  place.writeState({
    "openclaw.json": JSON.stringify({
      tools: { alsoAllow: ["plugin:lobster"], approval: { exec: "never" } },
      approvals: { headless: "wait" },
    }),
  });
  const made = () => existsSync(join(place.workspace, "made"));
  const command = async (...words: readonly string[]) =>
    await openclawProcess(["lobster", ...words, "--json"], place);
  const json = async (...words: readonly string[]) => {
    const { stdout, stderr } = await command(...words);
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout);
  };
  expect(await json("dry-run", "flow.lobster")).toMatchObject({
    tools: ["exec"],
    approvals: ["gate"],
  });
  expect((await json("graph", "flow.lobster", "--format", "mermaid")).graph).toContain(
    'n1{"gate (approval): Create the file?"}',
  );
  expect(await json("list")).toEqual({ runs: [] });

  const first = await startGatewayProcess(place);
  onTestFinished(() => first[Symbol.asyncDispose]());
  const stopped = await json("run", "flow.lobster");
  expect(stopped).toMatchObject({ status: "needs_approval" });
  const code = stopped.requiresApproval.approvalId;
  const cancelled = await json("run", "flow.lobster");
  const other = cancelled.requiresApproval.approvalId;
  await first.end("SIGKILL");
  expect(await json("show", code)).toMatchObject({ status: "suspended", waitsFor: "approval" });

  await using _second = await startGatewayProcess(place);
  expect((await json("list")).runs).toHaveLength(2);
  expect(await json("cancel", other)).toMatchObject({ status: "cancelled" });
  expect(made()).toBe(false);
  const done = await command("resume", code, "--approve");
  expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, status: "ok", output: ["made\n"] });
  expect(done.exitCode).toBe(0);
  expect(made()).toBe(true);
  const again = await command("resume", code, "--response-json", "1");
  expect(again.exitCode).toBe(1);
  expect(JSON.parse(again.stdout)).toMatchObject({ error: { type: "token_consumed" } });
  expect((await command("show", "NOTHERE2")).exitCode).toBe(4);
});
