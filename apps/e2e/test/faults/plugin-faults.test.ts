import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { openclaw, startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

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

it("outlives what plugins leave unhandled, names them, and disables one that keeps doing it", async () => {
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
  await vi.waitFor(() => expect(log()).toContain('plugin \\"careless\\" is disabled'), 10_000);
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
  }, 10_000);
  expect(await gateway.end("SIGTERM")).not.toBe(3);
});
