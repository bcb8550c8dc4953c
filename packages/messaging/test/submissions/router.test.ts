import { describe, expect, it } from "vitest";
import { routeInput } from "../../src/submissions/router.js";
import vectors from "../vectors/submission.json" with { type: "json" };

/** Returns an intent with the field names of the vectors. */
function wireForm(text: string): Record<string, unknown> | null {
  const intent = routeInput(text);
  if (intent === undefined) return null;
  switch (intent.kind) {
    case "CreateJob": {
      const { title, description } = intent;
      return { intent: intent.kind, title, description, category: null };
    }
    case "CheckJobStatus":
    case "CancelJob":
    case "HelpJob":
      return { intent: intent.kind, job_id: intent.jobId };
    case "ListJobs":
      return { intent: intent.kind, filter: intent.filter };
    case "Command":
      return { intent: intent.kind, command: intent.name, args: intent.args };
    default:
      return { intent: intent.kind };
  }
}

describe("routeInput", () => {
  it.each(vectors.router)("routes the case $id", ({ input, expected }) => {
    expect(wireForm(input)).toEqual(expected);
  });

  it("[SUB-012] [JOB-930] routes the words about jobs", () => {
    const created = { title: "Build a Site", description: "Build a Site" };
    expect(routeInput("/job Build a Site")).toEqual({ kind: "CreateJob", ...created });
    const lines = "Build:\n  - a  page\n  - a form";
    expect(routeInput(`/job ${lines}`)).toMatchObject({ kind: "CreateJob", description: lines });
    expect(routeInput("/CREATE Build a Site")).toEqual({ kind: "CreateJob", ...created });
    expect(routeInput("/status J1")).toEqual({ kind: "CheckJobStatus", jobId: "J1" });
    expect(routeInput("/status")).toEqual({ kind: "CheckJobStatus", jobId: undefined });
    for (const [verb, kind] of [
      ["cancel", "CancelJob"],
      ["restart", "RestartJob"],
      ["log", "LogJob"],
      ["STATUS", "CheckJobStatus"],
    ] as const) {
      expect(routeInput(`/job ${verb} 9f3c21aa`)).toEqual({ kind, jobId: "9f3c21aa" });
      expect(routeInput(`/job ${verb}`)).toMatchObject({
        kind: "Unknown",
        problem: expect.stringContaining("needs the ID of a job"),
      });
    }
    for (const task of ["cancel it", "log errors", "cancel 9f3c21aa now", "look at 9f3c21aa"]) {
      expect(routeInput(`/job ${task}`)).toMatchObject({ kind: "CreateJob", title: task });
    }
    expect(routeInput("/cancel J1")).toEqual({ kind: "CancelJob", jobId: "J1" });
    expect(routeInput("/cancel")).toMatchObject({ kind: "Unknown" });
    expect(routeInput("/list")).toEqual({ kind: "ListJobs", filter: undefined });
    expect(routeInput("/jobs done")).toEqual({ kind: "ListJobs", filter: "done" });
    expect(routeInput("/help J1")).toEqual({ kind: "HelpJob", jobId: "J1" });
  });

  it("[SUB-013] leaves other slash words to plugins, with the arguments as written", () => {
    expect(routeInput("/Deploy  To  Prod ")).toEqual({
      kind: "Command",
      name: "deploy",
      args: ["To", "Prod"],
      text: "To  Prod",
    });
    expect(routeInput("/")).toMatchObject({ kind: "Unknown" });
    expect(routeInput("/  ")).toMatchObject({ kind: "Unknown" });
  });

  it("[SUB-015] leaves text without a slash, paths and text after a space to the agent", () => {
    const texts = ["create a job to build", "/usr/bin/env", "//", "/a/b c", " /deploy", "\n/job x"];
    for (const text of texts) expect(routeInput(text), text).toBeUndefined();
  });

  it("[SUB-048] routes the built-in commands that the parser leaves", () => {
    expect(routeInput("/Reset ")).toEqual({ kind: "Reset" });
    expect(routeInput("/approve K7MPQ2 always")).toMatchObject({ kind: "Approval" });
    expect(routeInput("/deny K7MPQ2")).toMatchObject({ kind: "Approval" });
    expect(routeInput("/approve")).toMatchObject({ kind: "Approval" });
    expect(routeInput("/threads")).toEqual({ kind: "ListThreads" });
    expect(routeInput("/resume")).toEqual({ kind: "ListThreads" });
    expect(routeInput("/thread x")).toMatchObject({ kind: "Unknown" });
    expect(routeInput("/sessions")).toEqual({ kind: "ListSessions" });
  });
});
