import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

/** A plugin with a part in the prompt and in every call. */
const NOTES = `export default {
  id: "notes",
  register(api) {
    api.on("before_prompt_build", () => ({ appendSystemContext: "Be brief." }));
    api.on("before_tool_call", ({ params }) => ({ params: { ...params, timezone: "Europe/Paris" } }));
  },
};`;

/** A place where the agent was asked the time, and used the tool for it. */
async function placeWithRun(): Promise<Place> {
  const place = emptyPlace();
  place.installPlugin("notes", NOTES);
  place.writeWorkspace({ "candidate.json": '{ "tools": { "deny": ["time"] } }' });
  const chat = await openclaw(["chat", "-m", "what time is it"], place);
  expect(chat).toMatchObject({ exitCode: 0 });
  return place;
}

describe("openclaw runs", () => {
  it("[TURN-057] traces and replays a run: exit code 0 when it is identical, 3 when it diverges", async () => {
    using place = await placeWithRun();
    const { exitCode, stdout } = await openclaw(["trace"], place);
    expect(exitCode).toBe(0);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
    for (const part of [
      "model demo/echo: 1 message → calls time",
      "tool time: ",
      "· notes ok in ",
      "add /params/timezone Europe/Paris",
      "reply part 0: delivered",
    ]) {
      expect(stdout).toContain(part);
    }
    const { runId } = JSON.parse((await openclaw(["trace", "--json"], place)).stdout);
    expect((await openclaw(["trace", "nothing"], place)).exitCode).toBe(4);

    const replay = (...args: string[]) => openclaw(["replay", runId, ...args], place);
    const same = await replay();
    expect(same).toMatchObject({ exitCode: 0, stderr: "" });
    expect(same.stdout).toMatch(/^Identical: \d+ steps\.$/m);
    const without = await replay("--disable-plugin", "notes");
    expect(without.exitCode).toBe(3);
    expect(without.stdout).toMatch(/diverges at step 1:\n {2}- turn-prepared/);
    expect(without.stdout).toContain("Be brief.");
    const changed = await replay("--config", join(place.workspace, "candidate.json"), "--json");
    expect(changed.exitCode).toBe(3);
    expect(JSON.parse(changed.stdout)).toMatchObject({
      status: "diverged",
      divergence: { step: 1, expected: { kind: "turn-prepared" }, got: { kind: "turn-prepared" } },
    });

    // The gateway would not use the instructions of a folder that is not trusted, either.
    place.writeWorkspace({ "AGENTS.md": "Answer in French." });
    const untrusted = await replay();
    expect(untrusted).toMatchObject({ exitCode: 0 });
    expect(untrusted.stderr).toMatch(
      /AGENTS\.md of .* not used, because the folder is not trusted/,
    );

    const file = join(place.workspace, "run.json");
    expect((await replay("--save", file)).exitCode).toBe(0);
    place.installPlugin("notes", NOTES.replace("Europe/Paris", "Asia/Tokyo"));
    // In a new process: this one keeps the first version of the plugin's module.
    const saved = await openclawProcess(["replay", file], place);
    expect(saved.exitCode).toBe(3);
    expect(saved.stdout).toContain('+ params.timezone: "Asia/Tokyo"');
  });

  it("[POL-034] compares a run with another policy, and keeps its decisions explained", async () => {
    using place = await placeWithRun();
    const config = join(place.workspace, "candidate.json");
    const whatIf = (...args: string[]) =>
      openclaw(["policy", "what-if", "--config", ...args], place);
    const flips = await whatIf(config, "--since", "7d", "--session", "agent:main:main");
    expect(flips.exitCode).toBe(3);
    expect(flips.stdout).toContain("Would change: 1 to denied, 0 to allowed.");
    expect(flips.stdout).toMatch(
      /time: 1 to denied\n {2}\S+ run \S+\n {4}- tools\.default: allow\n/,
    );
    expect(flips.stdout).toContain(`+ global: deny time at ${config}:1 tools.deny`);
    expect((await whatIf("missing.json")).exitCode).toBe(2);
    expect((await whatIf(config, "--since", "yesterday")).exitCode).toBe(2);

    // A running gateway, which now has that policy, gives the same result.
    place.writeState({ "openclaw.json": '{ "tools": { "deny": ["time"] } }' });
    await using _gateway = await startGateway(place);
    const same = await whatIf(config, "--agent", "other", "--json");
    expect(same.exitCode).toBe(0);
    expect(JSON.parse(same.stdout)).toEqual({
      calls: 0,
      allowed: 0,
      denied: 0,
      allowToDeny: 0,
      denyToAllow: 0,
      tools: [],
    });
    const { spans } = JSON.parse((await openclaw(["trace", "--json"], place)).stdout);
    const tool = spans.find(({ kind }: { kind: string }) => kind === "tool");
    const decision: string = tool.attributes.policyDecisions;
    const then = await openclaw(["policy", "explain", "--id", decision], place);
    expect(then.exitCode).toBe(0);
    expect(then.stdout).toContain("time is allowed");
    expect((await openclaw(["policy", "explain", "--id", "pd_0"], place)).exitCode).toBe(4);
  });
});
