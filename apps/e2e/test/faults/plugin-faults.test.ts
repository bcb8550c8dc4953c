import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { openclawProcess, startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";

const MANIFEST = { version: "1.0.0", entry: "index.mjs" };
const FAULTS = `
  import { EventEmitter } from "node:events";
  const ends = [() => process.exit(3), () => process.abort(), () => process.reallyExit(3), () => process.kill(process.pid)];
  export function register(api) {
    setTimeout(() => { void Promise.reject(new Error("forgotten")); }, 0);
    setTimeout(() => { throw new Error("timer"); }, 0);
    setTimeout(() => { new EventEmitter().emit("error", new Error("event")); }, 0);
    for (const end of ends) setTimeout(end, 0);
  }
`;

/** Writes plugins of one file each into the state folder, and enables them. */
function writePlugins(place: Place, plugins: Readonly<Record<string, string>>): void {
  const ids = Object.keys(plugins);
  const entries = Object.fromEntries(
    ids.map((id) => [id, { enabled: true, hooks: { allowConversationAccess: true } }]),
  );
  place.writeState({ "openclaw.json": JSON.stringify({ plugins: { entries } }) });
  for (const [id, code] of Object.entries(plugins)) {
    place.writeState({
      [`extensions/${id}/openclaw.plugin.json`]: JSON.stringify({ id, ...MANIFEST }),
      [`extensions/${id}/index.mjs`]: code,
    });
  }
}

function readLog(place: Place): string {
  return readFileSync(join(place.state, "logs/gateway.log"), "utf8");
}

it("[PLUG-071] continues after unhandled errors of plugins, names them, and disables a repeating plugin", async () => {
  using place = emptyPlace();
  const entries = { careless: { enabled: true }, sound: { enabled: true } };
  place.writeState({
    "openclaw.json": JSON.stringify({ plugins: { entries } }),
    "extensions/careless/openclaw.plugin.json": JSON.stringify({ id: "careless", ...MANIFEST }),
    "extensions/careless/index.mjs": "export function register() {}",
    "extensions/sound/openclaw.plugin.json": JSON.stringify({ id: "sound", ...MANIFEST }),
    "extensions/sound/index.mjs": "export function register() {}",
  });
  await using gateway = await startGatewayProcess(place);
  place.writeState({ "extensions/careless/index.mjs": FAULTS });
  await openclaw(["plugins", "reload", "careless"], place);

  const log = () => readFileSync(join(place.state, "logs/gateway.log"), "utf8");
  await vi.waitFor(() => expect(log()).toContain('plugin \\"careless\\" was disabled'), 60_000);
  for (const message of ["forgotten", "timer", "event", "process.exit(3)", "process.abort()"]) {
    expect(log()).toContain(message);
  }
  expect(log()).toMatch(
    /caused an unhandled rejection at [^ ]*careless\/index\.mjs:5:\d+: forgotten/,
  );
  await vi.waitFor(async () => {
    const { stdout } = await openclaw(["plugins", "list", "--json"], place);
    expect(JSON.parse(stdout)).toMatchObject({
      plugins: expect.arrayContaining([
        expect.objectContaining({ id: "careless", enabled: false }),
        expect.objectContaining({ id: "sound", enabled: true }),
      ]),
    });
  }, 60_000);
  expect(await gateway.end("SIGTERM")).not.toBe(3);
});

it("[PLUG-071] continues after faults during the first load, in a stop hook, after disabling, and without a stack", async () => {
  using place = emptyPlace();
  writePlugins(place, {
    early: `
      setTimeout(() => { throw new Error("while loading"); }, 0);
      await new Promise((resolve) => setTimeout(resolve, 100));
      export function register(api) {
        api.on("gateway_stop", async () => {
          void Promise.reject(new Error("while stopping"));
          await new Promise((resolve) => setTimeout(resolve, 20));
        });
      }`,
    bare: `
      import { connect } from "node:net";
      export function register() {
        setTimeout(() => { void Promise.reject("no stack at all"); }, 0);
        setTimeout(() => { connect(1, "127.0.0.1"); }, 0);
      }`,
    zombie: `
      let count = 0;
      export function register() {
        setInterval(() => { throw new Error("zombie " + count++); }, 20).unref();
      }`,
  });
  await using gateway = await startGatewayProcess(place);
  await vi.waitFor(
    () => expect(readLog(place)).toContain('plugin \\"zombie\\" was disabled'),
    10_000,
  );
  await vi.waitFor(async () => {
    const { stdout } = await openclaw(["plugins", "list", "--json"], place);
    const { plugins } = JSON.parse(stdout);
    expect(plugins).toContainEqual(expect.objectContaining({ id: "zombie", enabled: false }));
  }, 60_000);
  const leftover = "the plugin is not active, but a timer or connection of it remains";
  await vi.waitFor(() => expect(readLog(place)).toContain(leftover), 60_000);
  expect(await gateway.end("SIGTERM")).toBe(0);
  const log = readLog(place);
  expect(log).toMatch(/plugin \\"early\\" caused an unhandled exception at [^ ]*: while loading/);
  expect(log).toMatch(/plugin \\"early\\" caused an unhandled rejection at [^ ]*: while stopping/);
  expect(log).toMatch(
    /plugin \\"bare\\" caused an unhandled rejection in one of its calls.*no stack/,
  );
  expect(log).toMatch(
    /plugin \\"bare\\" caused an unhandled exception in one of its calls.*ECONNREF/,
  );
});

it("[PLUG-070] reverts a plugin's changes of built-in objects, and names the plugin", async () => {
  using place = emptyPlace();
  writePlugins(place, {
    "at-load": `
      Promise.prototype.then = function () { return this; };
      Object.prototype.isAdmin = true;
      export function register() {}`,
    "in-register": "export function register() { Array.prototype.filter = () => []; }",
    "in-handler": `
      export function register(api) {
        api.on("message_received", () => { Object.prototype.isAdmin = true; });
      }`,
    sound: "export function register() {}",
  });
  await using gateway = await startGatewayProcess(place);
  const { stdout } = await openclaw(["plugins", "doctor", "--json"], place);
  const findings: readonly { status: string; subject: string; message: string }[] =
    JSON.parse(stdout).findings;
  const failed = findings.filter(({ status }) => status === "fail");
  expect(failed.map(({ subject }) => subject)).toEqual(["at-load", "in-register"]);
  expect(failed[0]?.message).toMatch(
    /Object\.prototype\.isAdmin was added.*Promise\.prototype\.then was replaced/,
  );
  for (let turn = 0; turn < 5; turn += 1) {
    expect((await openclawProcess(["chat", "-m", `hello ${turn}`], place)).exitCode).toBe(0);
  }
  expect(readLog(place)).toMatch(
    /plugin \\"in-handler\\" changed built-in objects.*Object\.prototype\.isAdmin was added/,
  );
  await vi.waitFor(
    () => expect(readLog(place)).toContain('plugin \\"in-handler\\" was disabled'),
    10_000,
  );
  expect(await gateway.end("SIGTERM")).toBe(0);
});

it("[PLUG-420] serves on after a plugin replaced built-ins and removed signal handlers, and disables the plugin", async () => {
  using place = emptyPlace();
  writePlugins(place, {
    breaker: `
      export function register() {
        setTimeout(() => {
          Array.prototype.map = () => [];
          JSON.stringify = () => "{}";
          Date.now = () => 0;
          globalThis.fetch = async () => undefined;
          process.removeAllListeners();
        }, 500);
      }`,
    files: `
      import fs from "node:fs";
      fs.readFileSync = () => { throw new Error("gone"); };
      process.stdout.write = () => true;
      export function register() {}`,
    sound: "export function register() {}",
  });
  await using gateway = await startGatewayProcess(place);
  await vi.waitFor(
    () => expect(readLog(place)).toContain('plugin \\"breaker\\" was disabled because it changed'),
    15_000,
  );
  const log = readLog(place);
  for (const name of ["Array.prototype.map", "JSON.stringify", "Date.now", "globalThis.fetch"]) {
    expect(log).toContain(`${name} was replaced`);
  }
  expect(log).toContain('a listener of process \\"SIGTERM\\" was removed');
  // The host changes some of them itself, which is no change of a plugin.
  expect(log).not.toContain("built-in objects were changed by code that ran between");
  const doctor = await openclaw(["plugins", "doctor", "--json"], place);
  const { findings }: { findings: readonly { subject: string; message: string }[] } = JSON.parse(
    doctor.stdout,
  );
  expect(findings.find(({ subject }) => subject === "files")?.message).toMatch(
    /fs\.readFileSync was replaced.*process\.stdout\.write was replaced/,
  );
  const { stdout } = await openclaw(["plugins", "list", "--json"], place);
  expect(JSON.parse(stdout).plugins).toContainEqual(
    expect.objectContaining({ id: "sound", enabled: true }),
  );
  expect(await gateway.end("SIGTERM")).toBe(0);
});
