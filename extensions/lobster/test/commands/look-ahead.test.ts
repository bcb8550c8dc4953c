import { randomUUID } from "node:crypto";
import type { CliContext } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type RunOptions, runCommand } from "../../src/commands/run-commands.js";
import { type LobsterHost, lobsterHost } from "../support/lobster-host.js";

const STEP = "  - id: work\n    run: echo worked\n";
const FILES = {
  "gate.yaml": `steps:\n${STEP}  - id: confirm\n    approval: Go on?\n`,
  "maybe.yaml": `steps:\n${STEP}  - id: confirm\n    approval: Go on?\n    when: $work.stdout == "never"\n`,
  "plain.yaml": `steps:\n${STEP}`,
};

/** Context of the command line whose gateway is a test host. */
function commandLine({ host }: LobsterHost) {
  const called: string[] = [];
  const out: string[] = [];
  const told: string[] = [];
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out.push(String(text));
    return true;
  });
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    told.push(String(text));
    return true;
  });
  onTestFinished(() => {
    stdout.mockRestore();
    stderr.mockRestore();
  });
  let exitCode = 0;
  const context: CliContext = {
    program: undefined as never,
    config: {},
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    async callGateway(method, params) {
      called.push(method);
      const response = await host.request(`/api/v1/${method.replace(".", "/")}`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": randomUUID() },
        body: JSON.stringify(params),
      });
      const body: { readonly error?: { code: string; message: string } } = JSON.parse(
        await response.text(),
      );
      if (body.error === undefined) return body;
      throw Object.assign(new Error(body.error.message), { code: body.error.code });
    },
    setExitCode: (code) => {
      exitCode = code;
    },
  };
  const run = async (file: string | undefined, options: Partial<RunOptions> = {}) => {
    out.length = 0;
    told.length = 0;
    called.length = 0;
    exitCode = 0;
    await runCommand(context, file, { session: "main", ...options });
    return { out: out.join(""), told: told.join(""), exitCode, called: [...called] };
  };
  return run;
}

async function hostOf(options: Parameters<typeof lobsterHost>[0] = {}) {
  const lobster = await lobsterHost({
    files: FILES,
    tools: { approval: { exec: "never" } },
    model: [{ text: "hello" }],
    ...options,
  });
  await lobster.host.turn("hi");
  return commandLine(lobster);
}

describe("openclaw lobster run without a person", () => {
  it("[LOB-840] [APPR-840] begins no run that certainly comes to a gate, and names it", async () => {
    const run = await hostOf();
    for (const [file, options, gate] of [
      ["gate.yaml", {}, "confirm"],
      [undefined, { pipeline: "json | approve --prompt ok" }, "2:approve"],
    ] as const) {
      const { out, exitCode, called } = await run(file, options);
      expect(out).toContain(`the gate "${gate}" needs a person, and no approver can be reached`);
      expect(out).toContain("nothing has run");
      expect(out).toContain("openclaw config set approvals.headless wait");
      expect(exitCode).toBe(1);
      expect(called).toEqual(["lobster.gates"]);
    }
    const { out } = await run("gate.yaml", { json: true });
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      error: { type: "denied", step: "confirm" },
    });
  });

  it("[LOB-840] says before the first step that a gate behind a condition will be denied, and runs", async () => {
    const run = await hostOf();
    const { out, told, exitCode } = await run("maybe.yaml");
    expect(told).toBe(
      'openclaw: no approver can be reached: the gate "confirm" will be denied if the run comes to it\n',
    );
    expect(out).toContain("worked");
    expect(exitCode).toBe(0);
  });

  it("[LOB-840] begins with --yes, and is denied at the gate", async () => {
    const run = await hostOf();
    const { out, told, exitCode, called } = await run("gate.yaml", { yes: true });
    expect(told).toContain('the gate "confirm" will be denied');
    expect(called).toEqual(["lobster.gates", "tools.invoke"]);
    expect(out).toContain("Failed (denied)");
    expect(out).toContain("no approver reachable");
    expect(exitCode).toBe(1);
  });

  it("[LOB-840] says nothing when there is no gate, a request waits, or an approver is there", async () => {
    const plain = await (await hostOf())("plain.yaml");
    expect(plain).toMatchObject({ told: "", exitCode: 0, out: "worked\n" });
    const waiting = await hostOf({ config: { approvals: { headless: "wait" } } as never });
    expect(await waiting("gate.yaml")).toMatchObject({ told: "", exitCode: 0 });
    const attended = await hostOf({ answer: () => undefined });
    const { out, told } = await attended("gate.yaml");
    expect(told).toBe("");
    expect(out).toContain("Waiting for approval: Go on?");
  });

  it("[LOB-840] leaves it to the run to say what is wrong with a file", async () => {
    const run = await hostOf();
    const { out, exitCode, called } = await run("missing.yaml");
    expect(called).toEqual(["lobster.gates", "tools.invoke"]);
    expect(out).toContain("Failed (parse_error)");
    expect(exitCode).toBe(1);
  });
});
