import { chmodSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { readBridgeArguments } from "../../src/bridge/arguments.js";
import { readWorkerArguments } from "../../src/worker.js";
import type { RuntimeState, WorkerBackend } from "../../src/workers/backends/backend.js";
import { WorkerFailedError } from "../../src/workers/errors.js";
import { ClaudePrograms } from "../../src/workers/external/claude-program.js";
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

describe("the program of Claude Code", () => {
  const claude = (PATH: string, named?: string) => new ClaudePrograms({ PATH }, () => named).find();

  it("[JOB-536] is the one of the path or of the configuration, with its version", async () => {
    using folder = temporaryFolder("claude");
    folder.write({
      "old/claude": "#!/usr/bin/env node\nconsole.log('1.0.9 (Claude Code)');\n",
      "new/claude": "#!/usr/bin/env node\nconsole.log('2.1.197 (Claude Code)');\n",
      "shell/claude": '#!/bin/sh\nexec node x "$@"\n',
      "none/claude": "#!/usr/bin/env node\n",
    });
    const at = (name: string) => join(folder.path, name);
    for (const name of ["old", "new", "shell", "none"]) chmodSync(at(`${name}/claude`), 0o755);
    expect(await claude(at("new"))).toEqual({
      ...{ source: realpathSync(at("new")), entry: "claude", version: "2.1.197" },
    });
    expect(await claude("", at("new/claude"))).toMatchObject({ version: "2.1.197" });
    expect(await claude(at("old"))).toMatchObject({ cause: expect.stringContaining("1.0.9") });
    expect(await claude(at("shell"))).toMatchObject({ cause: expect.stringContaining("shell") });
    expect(await claude(at("none"))).toMatchObject({
      cause: expect.stringContaining("no version"),
    });
    expect(await claude(at("absent"))).toMatchObject({
      ...{ isAvailable: false, cause: "the program claude was not found" },
      remedy: expect.stringContaining("npm install -g @anthropic-ai/claude-code"),
    });
  });
});

describe("the arguments of a bridge", () => {
  it("[HOST-035] [HOST-520] [JOB-045] have 50 model calls and the model sonnet, and name what is missing", () => {
    const environment = { OPENCLAW_WORKER_TOKEN: "t", HOME: "/home/worker" };
    const words = ["--job-id", "j", "--orchestrator-url", "unix:/x", "--resume", "s"];
    expect(readBridgeArguments(words, environment)).toEqual({
      ...{ jobId: "j", orchestratorUrl: "unix:/x", egress: undefined, token: "t", resume: "s" },
      ...{ program: "claude", configDir: "/home/worker/.claude", maxTurns: 50, model: "sonnet" },
    });
    expect(environment).toEqual({ HOME: "/home/worker" });
    expect(() => readBridgeArguments(words, {})).toThrow("OPENCLAW_WORKER_TOKEN is missing");
    const given = () => ({ OPENCLAW_WORKER_TOKEN: "t" });
    expect(() => readBridgeArguments([], given())).toThrow("--job-id is missing");
    expect(() => readBridgeArguments(words.slice(0, 2), given())).toThrow("--orchestrator-url");
    expect(() => readBridgeArguments([...words, "--max-turns", "x"], given())).toThrow(
      "--max-turns must be a whole number above 0",
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
