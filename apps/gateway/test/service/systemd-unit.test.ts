import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { systemdUnit } from "../../src/service/systemd-unit.js";
import { AWKWARD } from "../support/service-definition.js";

const ANALYZE = "systemd-analyze";
const hasSystemd = spawnSync(ANALYZE, ["--version"]).status === 0;

describe("systemdUnit", () => {
  it("[GW-012] [HOST-037] restarts after a failure that a restart can solve, and quotes every path", () => {
    const lines = systemdUnit(AWKWARD).split("\n");
    expect(lines).toContain("Restart=on-failure");
    expect(lines).toContain("RestartPreventExitStatus=75 77 78");
    expect(lines).toContain(
      'ExecStart="/opt/node 24%%/bin/node" "/opt/50%% off/$$HOME/openclaw.cjs" "gateway" "run" "--port" "18790"',
    );
    expect(lines).toContain("WorkingDirectory=/home/ann & bob/<work>");
    expect(lines).toContain('Environment="OPENCLAW_STATE_DIR=/home/ann & bob/a\\\\b %%h"');
  });

  it.runIf(hasSystemd)("[GW-012] is accepted by systemd, also with awkward paths", () => {
    using folder = temporaryFolder();
    const node = join(folder.path, "node 24 %n", "node");
    mkdirSync(dirname(node), { recursive: true });
    writeFileSync(node, "#!/bin/sh\n");
    chmodSync(node, 0o755);
    const file = join(folder.path, "openclaw.service");
    const verify = (text: string) => {
      writeFileSync(file, text);
      const environment = { PATH: process.env.PATH, HOME: folder.path };
      const { status, stderr } = spawnSync(ANALYZE, ["--user", "verify", file], {
        env: { ...environment, XDG_RUNTIME_DIR: folder.path },
        encoding: "utf8",
      });
      return { status, stderr };
    };
    const unit = systemdUnit({ ...AWKWARD, node });
    expect(verify(unit)).toEqual({ status: 0, stderr: "" });
    // What systemd would reject is rejected here too.
    expect(verify(unit.replaceAll("ExecStart=", "ExecStart=relative")).status).not.toBe(0);
  });
});
