import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startWorkerScene } from "../../src/worker-scene.js";

vi.setConfig({ testTimeout: 90_000 });

const HAS_BUBBLEWRAP = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"].some(existsSync);

/** Asks the proxy of the variables for a connection. */
const ASK = `require("http").request({...require("url").urlToHttpOptions(new URL(process.env.HTTPS_PROXY)),
method: "CONNECT", path: "secret.evil.test:443"}).on("connect", (r, s) => {
console.log("STATUS " + r.statusCode); s.destroy(); }).end();`;

/** Argument by which a process is found. */
const MARK = `61.${process.pid}`;
/** Starts more processes than are allowed, and prints how many could not start. */
const FORKS = `const {spawn} = require("child_process"); let failed = 0;
for (let i = 0; i < 100; i++) spawn("sleep", ["60"], {stdio: "ignore"}).on("error", () => failed++);
setImmediate(() => { console.log("FAILED " + failed); process.exit(); });`;

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Commands that try to leave the sandbox; each prints what it reached. */
const ATTEMPTS = {
  "the database of the host": 'cat "$STATE/openclaw.db" | head -c 8',
  "the token of the gateway": 'cat "$STATE/gateway.token"',
  "the workspace of another job": 'ls "$STATE/workers/jobs"',
  "the files as they were": 'ls "$STATE"/workers/jobs/*/base',
  "accounts of the machine": "cat /etc/shadow",
  "the home of the user": "ls /root; ls /home | grep -v worker",
  "other processes": "ls /proc | grep -E \"^[0-9]+$\" | wc -l | awk '$1 > 40'",
  "the metadata service": "timeout 2 bash -c 'echo > /dev/tcp/169.254.169.254/80' && echo open",
  "the port of the gateway": 'timeout 2 bash -c "echo > /dev/tcp/127.0.0.1/$PORT" && echo open',
  "a name by DNS": "timeout 2 getent hosts secret.example.com",
  "a mount": "mount -t tmpfs none /mnt && echo mounted",
  "a new namespace": "unshare -Ur true && echo unshared",
  "system folders": "touch /usr/x /etc/x /run/openclaw/x 2>/dev/null && echo written",
  "the program of the worker": "echo > /run/openclaw/worker.mjs && echo written",
} as const;

describe.skipIf(!HAS_BUBBLEWRAP)("a sandboxed job (needs bubblewrap)", () => {
  it("[JOB-038] [JOB-039] [JOB-041] [JOB-042] [JOB-524] [JOB-527] works with its tools on a copy of the workspace, and delivers its result", async () => {
    const tools: (readonly string[])[] = [];
    const scene = await startWorkerScene(
      ({ prompt, tools: offered = [] }) => {
        tools.push(offered.map(({ name }) => name));
        const said = JSON.stringify(prompt);
        if (!said.includes('"tool-result"')) {
          const command = "cat a.txt; echo two > b.txt";
          return { toolCalls: [{ toolName: "exec", params: { command } }] };
        }
        return {
          text: `It said ${said.includes("content of a") ? "a" : "nothing"}.`,
          usage: { input: 5, output: 2 },
        };
      },
      { files: { "a.txt": "content of a\n", ".env": "KEY=1\n", ".git/config": "x" } },
    );
    const job = await scene.run("read a.txt, and write b.txt");
    expect(job.reason).toBeUndefined();
    expect(job).toMatchObject({
      ...{ mode: "sandboxed", runtime: "bubblewrap", result: "It said a." },
    });
    expect(job.usedTokens).toBeGreaterThan(0);
    expect(tools[0]).toEqual(["exec", "read", "write", "list", "apply_patch"]);
    const copy = join(scene.folder.path, "state/workers/jobs", job.jobId, "workspace");
    expect(readFileSync(join(copy, "b.txt"), "utf8")).toBe("two\n");
    expect(existsSync(join(copy, ".env"))).toBe(false);
    expect(existsSync(join(copy, ".git"))).toBe(false);
    const own = join(scene.folder.path, "workspace/b.txt");
    expect(existsSync(own)).toBe(false);
    const methods = await scene.gateway.methods();
    const { jobId } = job;
    const shown = await methods.call("jobs.diff", { jobId });
    expect(shown.files).toEqual([{ path: "b.txt", kind: "added", bytes: 4, isConflict: false }]);
    expect(shown.diff).toContain("+two");
    await expect(methods.call("jobs.apply", { jobId, digest: "0".repeat(64) })).rejects.toThrow(
      "are not those that were shown",
    );
    await methods.call("jobs.apply", { jobId, digest: shown.digest });
    expect(readFileSync(own, "utf8")).toBe("two\n");
    const left = join(scene.folder.path, "state/workers/jobs/of-no-job");
    mkdirSync(left);
    expect(await methods.call("jobs.gc", {})).toEqual({ workers: 0, copies: 1 });
    expect(existsSync(left)).toBe(false);
    expect(existsSync(copy)).toBe(true);
    const reported = scene.events
      .filter(({ event }) => event === "job.worker_event")
      .map(({ payload }) => (payload as { readonly type: string }).type);
    expect(reported).toEqual(
      expect.arrayContaining(["status", "tool_use", "tool_result", "message"]),
    );
    // The failure of a model fails the job with its class.
    const failing = await startWorkerScene(() => ({
      error: { status: 400, message: "the request is not valid" },
    }));
    const failed = await failing.run("anything");
    expect(failed.state).toBe("failed");
    expect(failed.reason).toContain("MODEL_");
  });

  it("[JOB-043] [JOB-522] reaches nothing of the machine, of other jobs and of networks", async () => {
    const reached: string[] = [];
    let place = { state: "", port: "" };
    const names = Object.keys(ATTEMPTS);
    let step = 0;
    const scene = await startWorkerScene(({ prompt }) => {
      const last = JSON.stringify(prompt.at(-1)?.content);
      const before = names[step - 1];
      if (before !== undefined && last.includes("REACHED[") && !last.includes("REACHED[]")) {
        reached.push(`${before}: ${last}`);
      }
      const [, command] = Object.entries(ATTEMPTS)[step] ?? [];
      step += 1;
      if (command === undefined) return { text: "done" };
      const variables = `STATE=${place.state}; PORT=${place.port};`;
      const text = `${variables} printf 'REACHED[%s]' "$( { ${command}; } 2>/dev/null )"`;
      return { toolCalls: [{ toolName: "exec", params: { command: text } }] };
    });
    place = {
      state: scene.gateway.state.dir,
      port: new URL(scene.gateway.url ?? "").port,
    };
    const job = await scene.run("escape");
    expect(job).toMatchObject({ result: "done" });
    expect(step).toBe(names.length + 1);
    expect(reached).toEqual([]);
  });

  it("[JOB-044] reaches networks through the proxy alone, which names what it denied", async () => {
    // An unmodified program finds the proxy by its variables.
    const command = `/run/openclaw/node -e '${ASK}'`;
    const results: string[] = [];
    const scene = await startWorkerScene(({ prompt }) => {
      const last = prompt.at(-1);
      if (last?.role === "tool") results.push(JSON.stringify(last.content));
      return results.length > 0
        ? { text: "done" }
        : { toolCalls: [{ toolName: "exec", params: { command } }] };
    });
    const job = await scene.run("fetch");
    expect(results[0]).toContain("STATUS 403");
    expect(job).toMatchObject({ result: "done", deniedHosts: ["secret.evil.test:443"] });
  });

  it("[JOB-043] [JOB-523] is limited in processes and memory, and its end ends its processes", async () => {
    const results: string[] = [];
    const commands = [
      // One that leaves its group, and so outlives the command.
      `setsid sleep ${MARK} & /run/openclaw/node -e '${FORKS}'`,
      "/run/openclaw/node -e 'const a=[]; for(;;) a.push(Buffer.alloc(1e8, 1))'; echo CODE $?",
    ];
    const scene = await startWorkerScene(
      ({ prompt }) => {
        const last = prompt.at(-1);
        if (last?.role === "tool") results.push(JSON.stringify(last.content));
        const command = commands[results.length];
        if (command === undefined) return { text: "done" };
        return { toolCalls: [{ toolName: "exec", params: { command } }] };
      },
      { sandbox: { memoryMb: 1024, processes: 64 } },
    );
    const job = await scene.run("use everything");
    expect(job.result ?? job.reason).toBe("done");
    const { runtimes } = await (await scene.gateway.methods()).call("jobs.runtimes", {});
    // A notice tells where the machine offers no limit for root.
    if (runtimes.every(({ notice }) => notice === undefined)) {
      expect(results[0]).toMatch(/FAILED [1-9]/);
    }
    expect(results[1]).toContain("CODE ");
    expect(results[1]).not.toContain("CODE 0");
    const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    expect(processes.filter((pid) => commandOf(pid).includes(MARK))).toEqual([]);
  });
});
