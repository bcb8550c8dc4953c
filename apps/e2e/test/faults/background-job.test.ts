import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";
import { KEYS, openTerminal } from "../../src/terminal-session.js";

const TASK = "collect the TODO comments of this folder into a table";
const DONE = `Job "${TASK}" is done`;

describe("background job of the demo model", () => {
  it("[JOB-400] [JOB-401] [JOB-014] [JOB-016] delivers its result once when the gateway is killed half-way", async () => {
    const place = emptyPlace();
    onTestFinished(() => place[Symbol.dispose]());
    place.writeWorkspace({
      "a.js": "// TODO: name it\nlet a;\n",
      "src/b.py": "b = 1  # TODO two\n",
    });
    expect((await openclaw(["trust"], place)).exitCode).toBe(0);
    const first = await startGatewayProcess(place);
    onTestFinished(async () => void (await first.end("SIGKILL")));
    const { port } = new URL(first.url);
    await using chat = openTerminal(["chat"], place);
    await chat.shows(/ready · /);
    chat.type(`/job ${TASK}`);
    await chat.shows(`/job ${TASK}`);
    chat.type(KEYS.enter);
    await chat.shows(/Write file\?/);
    await chat.shows(/waits for an approval, 1 of 2/);
    expect(await first.end("SIGKILL")).toBeNull();
    await chat.shows(/connecting again/);

    const second = await startGatewayProcess(place, ["--port", port]);
    onTestFinished(async () => void (await second.end("SIGKILL")));
    await chat.shows(/connected to the gateway again/);
    // A chat that is opened now shows the request as well.
    await using later = openTerminal(["chat"], place);
    await later.shows(/Write file\?(.*\n)*.*job +collect the TODO/);
    later.type("y");
    await later.shows(/Enter confirms/);
    later.type(KEYS.enter);
    for (const each of [chat, later]) {
      await each.shows(/TODO\.md has it too\./);
      await each.shows(/ready · /);
      expect(each.text.split(DONE)).toHaveLength(2);
      expect(each.text).not.toContain("elsewhere ›");
    }
    expect(readFileSync(join(place.workspace, "TODO.md"), "utf8").split("\n")).toEqual([
      "| file | line | comment |",
      "|---|--:|---|",
      "| `a.js` | 1 | name it |",
      "| `src/b.py` | 1 | two |",
      "",
    ]);
    const listed = await openclaw(["jobs", "list", "--json"], place);
    const [job, ...others] = JSON.parse(listed.stdout).jobs;
    expect(others).toEqual([]);
    expect(job).toMatchObject({ title: TASK, state: "submitted", plan: { done: 2, total: 2 } });
    const history = await openclaw(["sessions", "show", job.askedIn, "--json"], place);
    expect(history.stdout.split("TODO.md has it too.")).toHaveLength(2);
    const log = await openclaw(["jobs", "log", job.jobId, "--json"], place);
    const { moves, runs } = JSON.parse(log.stdout);
    expect(moves.map(({ to }: { to: string }) => to)).toEqual([
      ...["in_progress", "completed", "submitted"],
    ]);
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({ outcome: "completed", delivery: { state: "delivered" } });
    expect((await openclaw(["jobs", "accept", job.jobId.slice(0, 8)], place)).exitCode).toBe(0);
  });
});
