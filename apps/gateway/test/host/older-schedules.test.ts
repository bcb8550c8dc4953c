import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-run.js";

function job(name: string, schedule: object, rest: object = {}) {
  const payload = { kind: "agentTurn", message: `do ${name}` };
  return { id: `id-${name}`, name, enabled: true, schedule, payload, state: {}, ...rest };
}

const EVERY = { kind: "every", everyMs: 7_200_000 };
const TURN = { kind: "agentTurn", message: "look" };
const JOBS = [
  job("Morning Report", { kind: "cron", expr: "0 8 * * 1-5", tz: "Europe/Berlin", staggerMs: 9 }),
  job("build", EVERY, { enabled: false, delivery: { mode: "none" } }),
  job("build", EVERY, { delivery: { mode: "announce", channel: "telegram", to: "42" } }),
  job("extra", EVERY, {
    payload: { ...TURN, model: "opus", thinking: "high", timeoutSeconds: 60 },
  }),
  job("hook", EVERY, { delivery: { mode: "webhook", to: "https://a.example" } }),
  job("late", { kind: "at", at: "2030-02-03T09:00:00.000Z" }, { deleteAfterRun: true }),
  job("past", { kind: "at", atMs: 1_000_000_000_000 }),
  job("never", { kind: "cron", expr: "0 0 31 2 *" }),
  job("empty", EVERY, { payload: { kind: "systemEvent", text: " " } }),
  job("odd", { kind: "moon" }),
  job("stray", EVERY, { agentId: "gone" }),
];

function place(content: string) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ "jobs.json": content });
  const environment = {
    OPENCLAW_STATE_DIR: join(folder.path, "state"),
    OPENCLAW_WORKSPACE_DIR: folder.path,
  };
  const file = join(folder.path, "jobs.json");
  return (...args: string[]) =>
    runCommand(
      args.map((arg) => (arg === "FILE" ? file : arg)),
      environment,
    );
}

it("[JOB-413] cron import creates routines from the jobs of an older installation, and says what it could not map", async () => {
  const run = place(JSON.stringify({ version: 1, jobs: JOBS }));
  const tried = await run("cron", "import", "FILE", "--dry-run", "--json");
  expect(JSON.parse(tried.stdout)).toMatchObject({ dryRun: true });
  // Names are unique: a try that stored anything would leave nothing to import.
  const done = await run("cron", "import", "FILE", "--json");
  expect(done.exitCode).toBe(3);
  const { imported, left } = JSON.parse(done.stdout);
  expect(imported).toEqual([
    {
      ...{ from: "Morning Report", name: "morning-report" },
      schedule: "Every weekday at 08:00 Europe/Berlin",
      notes: ["its starts are not spread over a time"],
    },
    { from: "build", name: "build", schedule: "Every 2 hours", notes: [] },
    {
      ...{ from: "build", name: "build-2", schedule: "Every 2 hours" },
      notes: ["results go to the session main, not to telegram 42"],
    },
    {
      ...{ from: "extra", name: "extra", schedule: "Every 2 hours" },
      notes: [
        'the model "opus" is not provider/model',
        'the thinking level "high" is left out',
        "the limit of 60 s is left out",
      ],
    },
    {
      ...{ from: "hook", name: "hook", schedule: "Every 2 hours" },
      notes: ["results are not sent to its webhook, and stay in the history"],
    },
    {
      ...{ from: "late", name: "late", schedule: expect.stringContaining("2030-02-03") },
      notes: ["it is not removed after its run"],
    },
  ]);
  expect(left).toEqual([
    { from: "past", reason: expect.stringContaining("past") },
    { from: "never", reason: expect.stringContaining("never comes due") },
    { from: "empty", reason: "it has no task" },
    { from: "odd", reason: "its schedule or payload has a form that is not known" },
    { from: "stray", reason: expect.stringContaining("agents main") },
  ]);
  const { routines } = JSON.parse((await run("cron", "list", "--json")).stdout);
  expect(routines).toHaveLength(6);
  const build = routines.find(({ name }: { name: string }) => name === "build");
  expect(build).toMatchObject({ enabled: false });
  expect(build).not.toHaveProperty("askedIn");

  // A second import stores nothing twice.
  const again = await run("cron", "import", "FILE");
  expect(again.stdout).toContain("Not imported: build: ");
  expect(again.stdout).toContain("0 of 11 jobs imported.");
});

it("[JOB-413] cron import rejects a file that is not one of jobs", async () => {
  for (const content of ["{", "{}", "null", '"text"']) {
    const { exitCode, stderr } = await place(content)("cron", "import", "FILE");
    expect(exitCode, content).toBe(2);
    expect(stderr, content).toContain("name the file cron/jobs.json");
  }
});
