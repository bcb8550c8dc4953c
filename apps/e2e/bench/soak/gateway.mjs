// The gateway of the soak, as `openclaw gateway run` starts it, with a probe in its process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const BIN = join(import.meta.dirname, "../../../gateway/bin/openclaw.cjs");
const PROBE = join(import.meta.dirname, "probe.mjs");

/**
 * Starts the gateway, and waits until it is ready.
 * @param folder - has its state
 * @param configuration - its configuration
 * @param modelUrl - URL of its model
 */
export async function startGateway(folder, configuration, modelUrl) {
  const state = join(folder, "state");
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, "openclaw.json"), JSON.stringify(configuration));
  const child = spawn(
    process.execPath,
    [
      "--expose-gc",
      `--import=${PROBE}`,
      BIN,
      "gateway",
      "run",
      "--port",
      "0",
      "--model",
      "openai-compatible/model",
    ],
    {
      cwd: folder,
      env: {
        ...{ PATH: process.env.PATH, HOME: folder, OPENCLAW_STATE_DIR: state },
        ...{ OPENCLAW_KEYCHAIN: "off", LLM_BASE_URL: modelUrl, LLM_MODEL: "model" },
      },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    },
  );
  const ended = once(child, "exit");
  const url = await new Promise((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const [, found] = /url\s+(http:\S+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`the gateway ended early:\n${output}`)));
  });
  return {
    url,
    token: readFileSync(join(state, "gateway.token"), "utf8").trim(),
    async sample() {
      child.send({});
      const [sample] = await once(child, "message");
      return sample;
    },
    jump: (jumpMs) => child.send({ jumpMs }),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Size of the database with its log, in bytes. */
export function databaseBytes(folder) {
  return ["", "-wal"]
    .map((end) => join(folder, `state/openclaw.db${end}`))
    .filter((file) => existsSync(file))
    .reduce((sum, file) => sum + statSync(file).size, 0);
}

/** Returns the errors in the log of the gateway, also in its older files. */
export async function loggedErrors(folder) {
  const errors = [];
  for (const end of ["", ".1", ".2", ".3", ".4"]) {
    const file = join(folder, `state/logs/gateway.log${end}`);
    if (!existsSync(file)) continue;
    for await (const line of createInterface({ input: createReadStream(file) })) {
      if (line.includes('"error"') && JSON.parse(line).level === "error") errors.push(line);
    }
  }
  return errors;
}
