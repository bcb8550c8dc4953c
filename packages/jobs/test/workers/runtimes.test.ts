import { describe, expect, it } from "vitest";
import { readWorkerArguments } from "../../src/worker.js";
import type { RuntimeState, WorkerBackend } from "../../src/workers/backends/backend.js";
import { WorkerFailedError } from "../../src/workers/errors.js";
import { WorkerRuntimes } from "../../src/workers/runtimes.js";

function backend(name: string, state: RuntimeState): WorkerBackend {
  return {
    name,
    state: () => Promise.resolve(state),
    start: () => Promise.reject(new WorkerFailedError("not started")),
    sweep: () => Promise.resolve(name.length),
  };
}

const WORKS: RuntimeState = { isAvailable: true };
const FAILS: RuntimeState = {
  ...{ isAvailable: false, cause: "it is not installed", remedy: "install it" },
};

describe("the runtimes of workers", () => {
  it("[JOB-038] selects the first that works, or the one that the configuration names", async () => {
    const backends = [backend("podman", FAILS), backend("bubblewrap", WORKS)];
    let chosen: string | undefined;
    const runtimes = new WorkerRuntimes(backends, () => chosen);
    expect((await runtimes.select("sandboxed")).name).toBe("bubblewrap");
    expect(await runtimes.all()).toEqual([
      { name: "podman", state: FAILS },
      { name: "bubblewrap", state: WORKS },
    ]);
    expect(await runtimes.sweep()).toBe("podman".length + "bubblewrap".length);
    chosen = "podman";
    await expect(runtimes.select("sandboxed")).rejects.toThrow(
      "this machine cannot run a job with mode sandboxed, and it is not run with less separation: podman: it is not installed (install it); `openclaw jobs runtimes` shows what is available",
    );
  });
});

describe("the arguments of a worker", () => {
  const words = ["--job-id", "j", "--orchestrator-url", "unix:/x"];

  it("[HOST-035] are the job and the URL; the token comes from the environment, which loses it", () => {
    const environment = { OPENCLAW_WORKER_TOKEN: "t", PATH: "/bin" };
    expect(readWorkerArguments(words, environment)).toEqual({
      ...{
        jobId: "j",
        orchestratorUrl: "unix:/x",
        maxIterations: 50,
        egress: undefined,
        token: "t",
      },
    });
    expect(environment).toEqual({ PATH: "/bin" });
  });

  it("[HOST-520] fail with what is missing", () => {
    const environment = () => ({ OPENCLAW_WORKER_TOKEN: "t" });
    expect(() => readWorkerArguments(words, {})).toThrow("OPENCLAW_WORKER_TOKEN is missing");
    expect(() => readWorkerArguments([], environment())).toThrow("--job-id is missing");
    expect(() => readWorkerArguments(words.slice(0, 2), environment())).toThrow(
      "--orchestrator-url is missing",
    );
    expect(() => readWorkerArguments([...words, "--max-iterations", "0"], environment())).toThrow(
      "--max-iterations must be a whole number above 0",
    );
  });
});
