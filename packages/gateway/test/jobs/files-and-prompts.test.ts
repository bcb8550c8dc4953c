import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCoreTools } from "@openclaw/core-tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.js";
import { createTestHost, gate, openTestStore } from "../support/host.js";
import { inState, lastOf, look, OPERATOR, onlyJob, say } from "./support/only-job.js";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "openclaw-job-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe("the files of a job", () => {
  it("[JOB-392] [CHAN-034] are listed while they exist, and read from its workspace only", async () => {
    const workspaceDir = join(folder(), "workspace");
    const outside = folder();
    mkdirSync(workspaceDir);
    writeFileSync(join(outside, "secret.txt"), "secret");
    symlinkSync(join(outside, "secret.txt"), join(workspaceDir, "link.txt"));
    symlinkSync(outside, join(workspaceDir, "folder"));
    const tools = createCoreTools({ workspaceDir, stateDir: folder() });
    let calls = 0;
    const host = await createTestHost({
      workspaceDir,
      approvals: { needs: { write: "never" } },
      servicesNow: (services) => ({ ...services, coreTools: tools }),
      script: () => {
        calls += 1;
        const write = (path: string) => ({ toolName: "write", params: { path, content: "a\n" } });
        return calls === 1
          ? { toolCalls: [write("table.md"), write("gone.md"), write("../above.md")] }
          : { text: "Done." };
      },
    });
    await host.jobs.recover();
    await say(host, "/job write a table");
    const job = await inState(host.store, "submitted");
    rmSync(join(workspaceDir, "gone.md"));
    expect(await host.jobs.files.list(job)).toEqual([
      { path: "table.md", bytes: 2, modifiedAt: expect.any(Number) },
    ]);
    const { path, content } = await host.jobs.files.read(job, "table.md");
    expect([path, content.toString()]).toEqual(["table.md", "a\n"]);
    for (const forbidden of ["link.txt", "folder/secret.txt", "../above.md", "/etc/hostname"]) {
      await expect(host.jobs.files.read(job, forbidden)).rejects.toMatchObject({
        code: "JOB_FILE_FORBIDDEN",
      });
    }
    for (const unreadable of ["gone.md", "."]) {
      await expect(host.jobs.files.read(job, unreadable)).rejects.toMatchObject({
        code: "JOB_FILE_UNREADABLE",
      });
    }
    writeFileSync(join(workspaceDir, "large"), Buffer.alloc(600 * 1024));
    await expect(host.jobs.files.read(job, "large")).rejects.toThrow("614400 bytes");
  });
});

describe("a further prompt to a job", () => {
  it("[JOB-393] becomes a step of its running turn", async () => {
    const open = gate();
    const begun = gate();
    const host = await createTestHost({
      register: look,
      script: (call) => {
        if (call.prompt.at(-1)?.role === "user" && lastOf(call).includes("and the cellar")) {
          return { text: "Both." };
        }
        begun.pass();
        return { toolCalls: [{ toolName: "look", params: {} }], waitFor: open.passed };
      },
    });
    await host.jobs.recover();
    await say(host, "/job look around");
    await begun.passed;
    const { jobId } = await onlyJob(host.store);
    expect(await say(host, `/job prompt ${jobId} and the cellar`)).toContain("reads it with");
    open.pass();
    const job = await inState(host.store, "submitted");
    expect(job).toMatchObject({ result: "Both.", prompts: undefined });
    expect(await host.store.jobs.runs.of(jobId)).toHaveLength(1);
    await expect(host.jobs.prompt(jobId, OPERATOR, "more")).rejects.toMatchObject({
      code: "JOB_NOT_RUNNING",
    });
  });

  it("[JOB-393] begins the next turn when the turn ends first, also after a restart", async () => {
    const store = await openTestStore();
    const open = gate();
    const begun = gate();
    const first = await createTestHost({
      store,
      script: () => {
        begun.pass();
        return { text: "One.", waitFor: open.passed };
      },
    });
    await first.jobs.recover();
    await say(first, "/job look around");
    await begun.passed;
    const { jobId, runId } = await onlyJob(store);
    await first.jobs.prompt(jobId, OPERATOR, "and the cellar");
    await first.jobs.prompt(jobId, OPERATOR, "and the roof");
    first.jobs.close();
    open.pass();
    await eventually(async () => (await store.turns.get(runId ?? ""))?.endedAt);
    const asked: string[] = [];
    const second = await createTestHost({
      store,
      script: (call) => {
        asked.push(lastOf(call));
        return { text: "All three." };
      },
    });
    await second.jobs.recover();
    const job = await inState(store, "submitted");
    expect(job).toMatchObject({ result: "All three.", prompts: undefined });
    expect(asked).toEqual([expect.stringMatching(/and the cellar.*and the roof/)]);
    expect(await store.jobs.runs.of(jobId)).toMatchObject([
      { outcome: "completed", delivery: { state: "suppressed" } },
      { outcome: "completed", delivery: { state: "delivered" } },
    ]);
  });

  it("[JOB-393] is not taken by a job that does not work, and is bounded", async () => {
    const host = await createTestHost();
    await say(host, "/job look around");
    const { jobId } = await onlyJob(host.store);
    await expect(host.jobs.prompt(jobId, OPERATOR, "x")).rejects.toThrow("does not work now");
    await expect(host.jobs.prompt(jobId, OPERATOR, " ")).rejects.toThrow("must not be empty");
    const long = "x".repeat(40_000);
    await expect(host.jobs.prompt(jobId, OPERATOR, long)).rejects.toThrow("40000 bytes");
    expect(await say(host, "/job prompt")).toContain("needs the ID of a job and a text");
  });
});
