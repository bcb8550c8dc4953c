import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { VERSION } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";

const API_KEY = "sk-not-for-the-unit-0123456789";

/**
 * Makes a place with a `systemctl` that knows units as systemd does, records its calls and runs nothing: machines
 * that run tests rarely have a systemd of the user.
 */
function placeWithSystemd(): Place & { readonly unit: string; calls(): string[] } {
  const place = emptyPlace({ OPENAI_API_KEY: API_KEY });
  const bin = join(place.workspace, "bin");
  mkdirSync(bin);
  const calls = join(bin, "calls");
  const active = join(bin, "active");
  writeFileSync(
    join(bin, "systemctl"),
    `#!/bin/sh
echo "$*" >> '${calls}'
case "$2" in
  start|restart) : > '${active}' ;;
  stop) rm -f '${active}' ;;
  disable) rm -f '${active}' ;;
  show)
    if [ -e '${active}' ]; then printf 'MainPID=4711\\nResult=success\\nActiveState=active\\nSubState=running\\nUnitFileState=enabled\\n'
    else printf 'MainPID=0\\nResult=exit-code\\nActiveState=failed\\nSubState=failed\\nUnitFileState=enabled\\n'; fi ;;
esac
`,
  );
  chmodSync(join(bin, "systemctl"), 0o755);
  return {
    ...place,
    environment: { ...place.environment, PATH: `${bin}:${process.env.PATH}` },
    unit: join(place.state, ".config/systemd/user/openclaw.service"),
    calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []),
  };
}

describe.runIf(process.platform === "linux")("openclaw service", () => {
  it("[GW-012] [HOST-037] installs a unit without secrets, controls it, and removes it", async () => {
    using place = placeWithSystemd();
    const none = await openclaw(["service", "status"], place);
    expect([none.exitCode, none.stdout]).toEqual([
      3,
      expect.stringMatching(/^No service is installed\. Install it with `.* service install`\.\n$/),
    ]);
    expect(await openclaw(["service", "start"], place)).toMatchObject({ exitCode: 4 });

    const installed = await openclaw(["service", "install", "--port", "18790"], place);
    expect(installed).toMatchObject({ exitCode: 0 });
    expect(installed.stdout).toContain(`Installed ${place.unit}; the gateway is running.`);
    expect(installed.stderr).toContain("the service does not get OPENAI_API_KEY from this shell");
    expect(statSync(place.unit).mode & 0o777).toBe(0o600);
    const unit = readFileSync(place.unit, "utf8");
    expect(unit).not.toContain(API_KEY);
    expect(unit).toContain(`Environment="OPENCLAW_STATE_DIR=${place.state}"`);
    expect(unit).toMatch(
      /^ExecStart="\/.*\/node" "\/.*\/openclaw\.cjs" "gateway" "run" "--port" "18790"$/m,
    );
    expect(place.calls()).toEqual([
      "--user show-environment",
      "--user daemon-reload",
      "--user enable openclaw.service",
      "--user reset-failed openclaw.service",
      "--user restart openclaw.service",
    ]);

    const status = await openclaw(["service", "status"], place);
    expect(status).toMatchObject({ exitCode: 0 });
    expect(status.stdout).toContain("The service is active (running), process 4711.");
    const stopped = await openclaw(["service", "stop"], place);
    expect(stopped).toMatchObject({
      exitCode: 0,
      stdout: "The service is failed (failed, exit-code).\n",
    });
    expect(await openclaw(["service", "status", "--json"], place)).toMatchObject({
      exitCode: 3,
    });
    for (const verb of ["start", "restart"]) {
      const done = await openclaw(["service", verb, "--json"], place);
      expect(JSON.parse(done.stdout)).toEqual({ done: true, state: "active (running)" });
    }
    const same = await openclaw(["service", "install", "--port", "18790"], place);
    expect(same.stdout).toContain("Already up to date:");

    const removed = await openclaw(["service", "uninstall"], place);
    expect(removed).toMatchObject({
      exitCode: 0,
      stdout: `Removed ${place.unit}. The data in ${place.state} is kept.\n`,
    });
    expect(existsSync(place.unit)).toBe(false);
    expect(place.calls().slice(-3)).toEqual([
      "--user disable --now openclaw.service",
      "--user daemon-reload",
      "--user reset-failed openclaw.service",
    ]);
    expect(await openclaw(["service", "uninstall"], place)).toMatchObject({ exitCode: 0 });
  });

  it("[GW-012] runs the gateway with the command of the unit, in its folders", async () => {
    using place = emptyPlace();
    const { stdout } = await openclaw(["service", "install", "--print"], place);
    const [, command = ""] = /^ExecStart=(.*)$/m.exec(stdout) ?? [];
    const [, folder = ""] = /^WorkingDirectory=(.*)$/m.exec(stdout) ?? [];
    const variables = [...stdout.matchAll(/^Environment="(\w+)=(.*)"$/gm)];
    const [program = "", ...args] = [...command.matchAll(/"([^"]*)"/g)].map(
      ([, word = ""]) => word,
    );
    mkdirSync(folder, { recursive: true });
    const child = spawn(program, [...args, "--port", "0"], {
      cwd: folder,
      env: Object.fromEntries(variables.map(([, name = "", value = ""]) => [name, value])),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    const ready = new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes("gateway stop")) resolve();
      });
    });
    const ended = once(child, "close");
    await Promise.race([ready, ended]);
    expect(output).toContain(place.state);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("[GW-012] updates a unit in an older format, and leaves one of another origin alone", async () => {
    using place = placeWithSystemd();
    await openclaw(["service", "install", "--no-start"], place);
    const current = readFileSync(place.unit, "utf8");
    const older = current.replace("format 1, version", "format 0, version");
    writeFileSync(place.unit, older);
    const outdated = await openclaw(["service", "status"], place);
    expect([outdated.exitCode, outdated.stderr]).toEqual([
      3,
      expect.stringMatching(
        /was written by version \S+, in an older format; run `.* service install` to update it/,
      ),
    ]);
    expect(outdated.stderr).toContain(`version ${VERSION}, in`);
    expect((await openclaw(["service", "install"], place)).stdout).toContain(
      `Updated ${place.unit}`,
    );
    expect(readFileSync(place.unit, "utf8")).toBe(current);

    for (const text of [
      "[Service]\nExecStart=/bin/true\n",
      current.replace("format 1,", "format 2,"),
    ]) {
      writeFileSync(place.unit, text);
      const refused = await openclaw(["service", "install"], place);
      expect(refused).toMatchObject({ exitCode: 3 });
      expect(refused.stderr).toContain("--force");
      expect(readFileSync(place.unit, "utf8")).toBe(text);
    }
    expect(await openclaw(["service", "install", "--force"], place)).toMatchObject({
      exitCode: 0,
    });
    expect(readFileSync(place.unit, "utf8")).toBe(current);

    writeFileSync(place.unit, current.replace("openclaw.cjs", "gone/openclaw.cjs"));
    await openclaw(["service", "start"], place);
    const moved = await openclaw(["service", "status"], place);
    expect([moved.exitCode, moved.stderr]).toEqual([
      3,
      expect.stringContaining("does not exist any more"),
    ]);
  });

  it("[GW-012] says what to do on a machine without systemd", async () => {
    using place = emptyPlace();
    const { state, workspace, environment } = place;
    const outcome = await openclaw(["service", "install"], {
      ...{ state, workspace },
      environment: { ...environment, PATH: "/nowhere" },
    });
    expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
    expect(outcome.stderr).toContain(
      "cannot use the systemd of this user: systemctl not found; log in as this user (not with su or sudo), or run `openclaw gateway run` as the command of the container",
    );
    expect(existsSync(join(state, ".config"))).toBe(false);
  });
});
