import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { BIN, openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";

const SCRIPT = "/usr/bin/script";
const ESCAPE = "\u001b";

let place: Place;

beforeAll(async () => {
  place = emptyPlace();
  await openclawProcess(["chat", "-m", "hello"], place);
});

afterAll(() => place[Symbol.dispose]());

/** Runs a command at a pseudo terminal of a width, and returns what it shows. */
async function atTerminal(
  command: string,
  {
    columns,
    environment = {},
    typed = "",
  }: { columns: number; environment?: object; typed?: string },
): Promise<{ shown: string; exitCode: number }> {
  const line = `stty cols ${columns} rows 24; '${process.execPath}' '${BIN}' ${command}`;
  const child = spawn(SCRIPT, ["-qec", line, "/dev/null"], {
    cwd: place.workspace,
    env: {
      PATH: process.env.PATH,
      HOME: place.state,
      OPENCLAW_STATE_DIR: place.state,
      TERM: "xterm",
      ...environment,
    },
  });
  let shown = "";
  let unsent = typed;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    if (unsent === "" || !/\[y(?:\/N)?\]/.test(shown)) return;
    child.stdin.write(unsent);
    unsent = "";
  });
  const [exitCode] = (await once(child, "close")) as [number];
  return { shown: shown.replaceAll("\r", ""), exitCode };
}

function widest(text: string): number {
  return Math.max(
    ...text
      .split("\n")
      .map((line) => line.replaceAll(new RegExp(`${ESCAPE}\\[[0-9;]*m`, "g"), "").length),
  );
}

describe.runIf(existsSync(SCRIPT))("at a terminal", () => {
  it.each([
    ["sessions list", 80],
    ["sessions list", 40],
    ["tool list", 40],
    ["status", 40],
  ])("%s fits %i columns, and cuts no identifier", async (command, columns) => {
    const { shown, exitCode } = await atTerminal(command, { columns });
    expect(exitCode).toBe(0);
    // The path of the state folder is longer than the terminal, and is not broken.
    const lines = shown.split("\n").filter((line) => !line.includes(place.state));
    expect(widest(lines.join("\n"))).toBeLessThanOrEqual(columns);
    if (command.startsWith("sessions")) expect(shown).toContain("agent:main:main");
  });

  it("[GW-045] [HOST-030] shows colours, and none with NO_COLOR or in a pipe", async () => {
    const coloured = await atTerminal("doctor guards", { columns: 100 });
    expect(coloured.shown).toContain(ESCAPE);
    const plain = await atTerminal("doctor guards", {
      columns: 100,
      environment: { NO_COLOR: "1" },
    });
    expect(plain.shown).not.toContain(ESCAPE);
    const piped = await openclawProcess(["doctor", "guards"], place);
    expect(piped.stdout).not.toContain(ESCAPE);
  });

  it("[HOST-032] prompts for the approval of a tool call", async () => {
    const command = `tool run exec --params '{"command":"touch made.txt"}'`;
    const { shown, exitCode } = await atTerminal(command, { columns: 80, typed: "y\n" });
    expect(shown).toContain("touch made.txt");
    expect(exitCode).toBe(0);
    expect(existsSync(join(place.workspace, "made.txt"))).toBe(true);
  });

  it("asks before it deletes, and deletes nothing without a yes", async () => {
    const kept = await atTerminal("sessions delete agent:main:main", { columns: 80, typed: "n\n" });
    expect(kept.exitCode).toBe(3);
    expect(kept.shown).toContain("nothing was changed");
    expect((await openclaw(["sessions", "show", "agent:main:main"], place)).exitCode).toBe(0);
  });
});

describe("without a terminal", () => {
  it.each([
    ["sessions", "delete", "agent:main:main"],
    ["db", "restore", "backup.db"],
  ])("%s %s needs --yes", async (...args) => {
    const { exitCode, stdout, stderr } = await openclaw([...args, "--json"], place);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "USAGE", kind: "invalid" } });
    expect(stderr).toContain("--yes");
  });

  it("[GW-045] a closed pipe is not an error", async () => {
    const line = `set -o pipefail; '${process.execPath}' '${BIN}' --help | head -c 1 >/dev/null; '${process.execPath}' '${BIN}' config schema | head -1`;
    const child = spawn("bash", ["-c", line], {
      env: { PATH: process.env.PATH, HOME: place.state, OPENCLAW_STATE_DIR: place.state },
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const [exitCode] = await once(child, "close");
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });

  it("[GW-044] [HOST-030] prints an error as one object with --json, with the same exit code", async () => {
    const cases = [
      [["sessions", "show", "nope"], 4, "SESSION_NOT_FOUND"],
      [["sessions", "lst"], 2, "USAGE"],
      [["sessions", "list", "--limit", "x"], 2, "USAGE"],
      [["gateway", "call", "plugins.list"], 69, "GATEWAY_UNREACHABLE"],
    ] as const;
    for (const [args, exitCode, code] of cases) {
      const plain = await openclaw(args, place);
      const json = await openclaw([...args, "--json"], place);
      expect([plain.exitCode, json.exitCode, plain.stdout]).toEqual([exitCode, exitCode, ""]);
      expect(JSON.parse(json.stdout)).toMatchObject({
        error: { code, message: expect.any(String) },
      });
      expect(json.stderr).not.toBe("");
    }
  });

  it("[GW-043] prints the help of a group without a verb", async () => {
    const group = await openclaw(["sessions"], place);
    expect(group).toMatchObject({ exitCode: 0, stderr: "" });
    expect(group.stdout).toMatch(/^Usage: openclaw sessions/);
    const { stdout } = await openclaw(["version", "--json"], place);
    expect(JSON.parse(stdout)).toMatchObject({
      version: expect.any(String),
      node: process.versions.node,
    });
  });
});
