import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  groupFolder,
  isUncounted,
  openProcessLimit,
} from "../../../src/process/bubblewrap/process-limit.js";

const FIRST_VERSION =
  "33 31 0:29 / /sys/fs/cgroup/pids rw,relatime shared:9 - cgroup cgroup rw,pids";
const SECOND_VERSION = "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";
const OTHERS = "25 24 0:6 / /dev rw - devtmpfs udev rw\n34 31 0:30 / /x rw - cgroup cgroup rw,cpu";
const limit = isUncounted() ? await openProcessLimit(24) : undefined;

describe("limit of processes for root", () => {
  it.each([
    ["8:pids:/\n0::/", `${OTHERS}\n${FIRST_VERSION}`, "/sys/fs/cgroup/pids"],
    ["8:cpu,pids:/a/b\n0::/", `${OTHERS}\n${FIRST_VERSION}`, "/sys/fs/cgroup/pids/a/b"],
    ["8:pids:/docker/x", FIRST_VERSION.replace(" / ", " /docker/x "), "/sys/fs/cgroup/pids"],
    ["0::/system.slice/x.service", SECOND_VERSION, "/sys/fs/cgroup/system.slice/x.service"],
    ["0::/", SECOND_VERSION, "/sys/fs/cgroup"],
    ["8:pids:/other", FIRST_VERSION.replace(" / ", " /docker/x "), undefined],
    ["8:pids:/", SECOND_VERSION, undefined],
    ["0::/", OTHERS, undefined],
    ["", "", undefined],
  ])("[SAFE-502] finds the control group of the host in %j", (groups, mounts, folder) => {
    expect(groupFolder(groups, mounts)).toBe(folder);
  });

  it.skipIf(limit === undefined)(
    "[SAFE-502] stops a command of root that starts more processes, and is removed after it",
    async () => {
      if (limit === undefined) return;
      const numbers = Array.from({ length: 30 }, (_, index) => index).join(" ");
      const script = `echo $$ > "$0" && for i in ${numbers}; do sleep 30 >/dev/null 2>&1 & done`;
      const start = () => execFileSync("sh", ["-c", script, limit.joinFile], { stdio: "pipe" });
      expect(start).toThrow(/fork/i);
      const folder = dirname(limit.joinFile);
      expect(Number(readFileSync(join(folder, "pids.max"), "utf8"))).toBe(24);
      const started = readFileSync(limit.joinFile, "utf8").trim().split("\n").map(Number);
      expect(started.length).toBeLessThan(24);
      for (const pid of started) process.kill(pid, "SIGKILL");
      await expect
        .poll(async () => {
          await limit.end();
          return existsSync(folder);
        })
        .toBe(false);
    },
  );
});
