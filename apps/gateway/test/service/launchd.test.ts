import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { Launchd } from "../../src/service/launchd.js";

/** Launchd with a `launchctl` that records its calls, and loads and unloads the agent. */
function launchd(folder: ReturnType<typeof temporaryFolder>) {
  const [loaded, calls] = [join(folder.path, "loaded"), join(folder.path, "calls")];
  folder.write({
    "bin/launchctl": `#!/bin/sh
echo "$1" >> '${calls}'
case "$1" in
  bootstrap) : > '${loaded}' ;;
  bootout) rm '${loaded}' 2>/dev/null || exit 3 ;;
  print)
    case "$2" in
      */ai.openclaw.gateway)
        [ -e '${loaded}' ] || exit 113
        printf '\\tstate = running\\n\\tpid = 4711\\n' ;;
    esac ;;
esac
`,
  });
  chmodSync(join(folder.path, "bin/launchctl"), 0o755);
  const manager = new Launchd({ HOME: folder.path, PATH: `${join(folder.path, "bin")}:/bin` });
  return {
    manager,
    calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").split("\n") : []),
  };
}

describe("Launchd", () => {
  it("[GW-012] loads the agent to start it, and unloads it to stop it", async () => {
    using folder = temporaryFolder();
    const { manager, calls } = launchd(folder);
    expect(manager.file).toBe(join(folder.path, "Library/LaunchAgents/ai.openclaw.gateway.plist"));
    await manager.check();
    await manager.enable();
    expect(await manager.state()).toMatchObject({ isActive: false, isEnabled: false });
    await manager.start();
    expect(await manager.state()).toEqual({
      ...{ isActive: true, isEnabled: true, pid: 4711, detail: "running" },
    });
    const before = calls().length;
    await manager.start();
    expect(calls().slice(before)).not.toContain("bootstrap");
    await manager.restart();
    expect((await manager.state()).isActive).toBe(true);
    await manager.stop();
    expect(await manager.state()).toMatchObject({ isActive: false, detail: "not loaded" });
  });

  it("[GW-012] rejects a session without launchd", async () => {
    using folder = temporaryFolder();
    const manager = new Launchd({ HOME: folder.path, PATH: "/nowhere" });
    await expect(manager.check()).rejects.toMatchObject({ code: "SERVICE_MANAGER_MISSING" });
    await expect(manager.start()).rejects.toMatchObject({ code: "SERVICE_COMMAND_FAILED" });
  });
});
