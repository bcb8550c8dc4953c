// A gateway in a separate process, as `openclaw gateway run` starts it, with every bundled extension on.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const BIN = join(import.meta.dirname, "../../bin/openclaw.cjs");

/**
 * Starts a gateway and waits until it is ready.
 * @param folder - its state is kept in
 * @param options - durability of its store, URL of its model's server, and further sections of its configuration
 */
export async function startGateway(
  folder,
  { durability, providerUrl, nodeOptions = [], configuration = {} },
) {
  const state = join(folder, "state");
  mkdirSync(state, { recursive: true });
  // A benchmark sends more than a client may by default.
  const limits = { requestsPerMinute: 0, chatSendsPerMinute: 0, connectionsPerAddress: 2000 };
  writeFileSync(
    join(state, "openclaw.json"),
    JSON.stringify({ store: { durability }, gateway: { limits }, ...configuration }),
  );
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [...nodeOptions, BIN, "gateway", "run", "--port", "0", "--model", "openai-compatible/model"],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        OPENCLAW_STATE_DIR: state,
        LLM_BASE_URL: providerUrl,
        LLM_MODEL: "model",
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const url = await readUrl(child);
  const answer = await fetch(`${url}/readyz`);
  if (!answer.ok) throw new Error(`not ready: ${await answer.text()}`);
  const readyMs = performance.now() - startedAt;
  const token = readFileSync(join(state, "gateway.token"), "utf8").trim();
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return {
    url,
    token,
    readyMs,
    /** Resident memory, in MB. */
    residentMb: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024) / 1e6;
    },
    /** Processor time that the main thread, and all threads together, have used, in milliseconds. */
    cpuMs: () => ({
      main: threadMs(child.pid, child.pid),
      all: processMs(child.pid),
    }),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function threadMs(pid, thread) {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

function processMs(pid) {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

function readUrl(child) {
  let output = "";
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const [, found] = /url\s+(http:\S+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`the gateway ended early:\n${output}`)));
  });
}
