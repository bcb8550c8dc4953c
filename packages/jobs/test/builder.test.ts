import type { ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import type { JobRequest } from "../src/creation.js";
import type { Jobs } from "../src/jobs.js";
import { createJobTools } from "../src/tools.js";
import { JobModeUnavailableError } from "../src/workers/errors.js";
import { testJob } from "./workers/support/test-job.js";

const SESSION: ToolSessionContext = {
  ...{ sessionKey: "agent:main:main", sessionId: "session", agentId: "main" },
  ...{ workspaceDir: "/workspace", messageChannel: "test", senderIsOwner: true },
  ...{ sandboxed: false, activeModel: "scripted/script" },
};

/** Jobs that keep what was asked for. */
function fakeJobs(hasBuilder: boolean, error?: Error) {
  const requests: JobRequest[] = [];
  const jobs: Pick<Jobs, "create" | "isPlanned" | "runningTurn"> = {
    isPlanned: false,
    runningTurn: () => "run",
    async create(request) {
      if (error !== undefined) throw error;
      requests.push(request);
      return testJob("11111111-2222");
    },
  };
  // The tool uses these members alone.
  const tools = createJobTools(
    () => jobs as Jobs,
    () => hasBuilder,
  );
  const all = typeof tools === "function" ? tools(SESSION) : [tools];
  const list = Array.isArray(all) ? all : [all];
  return { requests, tool: list.find(({ name }) => name === "build_software") };
}

const ASKED = { description: "count words\nof a file", type: "script", language: "bash" };

describe("build_software", () => {
  it("[TURN-068] is offered only where the builder is enabled, and asks on every call", () => {
    expect(fakeJobs(false).tool).toBeUndefined();
    // This need is waived neither by grants nor by elevated mode (SAFE-054).
    expect(fakeJobs(true).tool?.approval).toBe("always");
  });

  it("[TURN-068] creates a sandboxed job of at most 20 model calls and 600 s", async () => {
    const { tool, requests } = fakeJobs(true);
    const signal = new AbortController().signal;
    const result = await tool?.execute("call", ASKED as never, signal, () => undefined);
    expect(requests).toMatchObject([
      {
        ...{
          mode: "sandboxed",
          maxIterations: 20,
          timeoutMs: 600_000,
          title: "Build: count words",
        },
        description: expect.stringContaining("Build a script in bash"),
        askedIn: SESSION.sessionKey,
      },
    ]);
    expect(JSON.stringify(result)).toContain("openclaw jobs apply 11111111");
  });

  it("[TURN-068] [JOB-038] is rejected where no sandbox works", async () => {
    const { tool } = fakeJobs(true, new JobModeUnavailableError("sandboxed", ["no bubblewrap"]));
    const signal = new AbortController().signal;
    const result = await tool?.execute("call", ASKED as never, signal, () => undefined);
    expect(JSON.stringify(result)).toContain("this machine cannot run a job with mode sandboxed");
  });
});
