// Starts a gateway with the seeded state, for a person.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { connectGateway } from "../../packages/client/dist/index.js";
import { startModel } from "./model-server.mjs";
import { INVOICE, seed, seedConfiguration, storePast } from "./seed.mjs";

const PROGRAM = resolve(import.meta.dirname, "../../apps/gateway/bin/openclaw.cjs");

/**
 * Seeds a state folder, and starts its gateway.
 * @param folder - new folder for the state and the workspace
 * @returns URL and token of the gateway, a connection to it, and a function that stops everything
 */
export async function startSeededGateway(folder) {
  const state = join(folder, "state");
  const workspace = join(folder, "workspace");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  mkdirSync(join(workspace, "src"), { recursive: true });
  writeFileSync(join(workspace, "src/invoice.ts"), INVOICE);
  await storePast(join(state, "openclaw.db"), Date.now());
  const model = await startModel();
  writeFileSync(
    join(state, "openclaw.json"),
    `${JSON.stringify(seedConfiguration(model.url), null, 2)}\n`,
  );
  const gateway = await startProcess(state, workspace);
  const token = readFileSync(join(state, "gateway.token"), "utf8").trim();
  const client = connectGateway({
    ...{ url: gateway.url, token, approver: true },
    client: { id: "console-seed", version: "1", mode: "automation" },
  });
  const stop = async () => {
    client.close();
    model.close();
    await gateway.stop();
  };
  try {
    await client.ready();
    await seed(client);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: gateway.url, token, client, state, stop };
}

async function startProcess(state, workspace) {
  const environment = {
    PATH: process.env.PATH,
    HOME: state,
    OPENCLAW_STATE_DIR: state,
    OPENCLAW_KEYCHAIN: "off",
  };
  const child = spawn(process.execPath, [PROGRAM, "gateway", "run", "--port", "0"], {
    ...{ cwd: workspace, env: environment, stdio: ["ignore", "pipe", "inherit"] },
  });
  let output = "";
  const url = await new Promise((found, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const [, address] = /url\s+(http:\S+)/.exec(output) ?? [];
      if (address !== undefined && output.includes("gateway stop")) found(address);
    });
    child.once("exit", (code) => reject(new Error(`the gateway ended with ${code}:\n${output}`)));
  });
  return {
    url,
    stop: () =>
      new Promise((done) => {
        // Ctrl+C in a terminal reaches the gateway too.
        if (child.exitCode !== null || child.signalCode !== null) return done();
        child.once("exit", done);
        child.kill("SIGTERM");
      }),
  };
}
