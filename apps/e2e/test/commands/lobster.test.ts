import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { openclawProcess, startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const FLOW = `steps:
  - id: gate
    approval: Create the file?
  - id: create
    run: touch made && echo made
    when: $gate.approved
`;

it("[LOB-025] [LOB-032] [LOB-033] [SDK-061] runs, draws and lists workflows, and resumes one after kill -9; a step that was killed does not run again", async () => {
  const place = emptyPlace();
  onTestFinished(() => place[Symbol.dispose]());
  place.writeWorkspace({
    "flow.lobster": FLOW,
    "slow.lobster": "steps:\n  - { id: slow, run: echo slow >> log && sleep 60 }\n",
    "late.lobster":
      "steps:\n  - { id: gate, approval: Go on? }\n  - { id: late, run: echo late >> log && sleep 60 }\n",
  });
  place.writeState({
    "openclaw.json": JSON.stringify({
      tools: { alsoAllow: ["plugin:lobster"], approval: { exec: "never" } },
      approvals: { headless: "wait" },
    }),
  });
  const steps = () => {
    const log = join(place.workspace, "log");
    return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  };
  const made = () => existsSync(join(place.workspace, "made"));
  const command = (...words: readonly string[]) => openclaw(["lobster", ...words, "--json"], place);
  // In processes of their own, because they run at the same time.
  const commandProcess = (...words: readonly string[]) =>
    openclawProcess(["lobster", ...words, "--json"], place);
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

  await using second = await startGatewayProcess(place);
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

  // Killed during a step: once before the first gate, and once after one.
  const slow = commandProcess("run", "slow.lobster");
  const late = await json("run", "late.lobster");
  const resumed = commandProcess("resume", late.requiresApproval.approvalId, "--approve");
  await expect.poll(() => steps().sort(), { timeout: 60_000 }).toEqual(["late", "slow"]);
  await second.end("SIGKILL");
  for (const lost of await Promise.all([slow, resumed])) {
    expect(lost.exitCode).toBe(69);
    expect(lost.stderr).toContain("gateway");
  }
  await using _third = await startGatewayProcess(place);
  // Lost runs are settled once the gateway is ready.
  await expect
    .poll(async () => (await json("list", "--all")).runs, { timeout: 60_000 })
    .toContainEqual(expect.objectContaining({ name: "late.lobster", status: "failed" }));
  const { runs } = await json("list", "--all");
  expect(runs).not.toContainEqual(expect.objectContaining({ name: "slow.lobster" }));
  expect(steps().sort()).toEqual(["late", "slow"]);
});
