import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const FIND = "command -v dbus-run-session && command -v gnome-keyring-daemon";
const hasSecretService = process.platform === "linux" && spawnSync("sh", ["-c", FIND]).status === 0;

/** Session of a user with an unlocked keychain; the command runs in it. */
const SESSION = [
  ...["dbus-run-session", "--", "sh", "-c"],
  `printf pw | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1; exec "$@"`,
  "sh",
];

describe("openclaw secrets", () => {
  it.runIf(hasSecretService)(
    "[HOST-015] keeps the master key in the keychain of the session",
    async () => {
      using place = emptyPlace();
      const { state, workspace } = place;
      const environment = { OPENCLAW_KEYCHAIN: "on", XDG_RUNTIME_DIR: state, VALUE: "first-value" };
      const inSession = { state, workspace, environment, within: SESSION };
      const set = (name: string, where: typeof inSession | Omit<typeof inSession, "within">) =>
        openclawProcess(["secrets", "set", name, "--from-env", "VALUE"], where);
      expect(await set("A", inSession)).toMatchObject({ exitCode: 0 });
      const keyFile = readFileSync(join(state, "secrets.key"), "utf8");
      expect(keyFile).toBe("in the keychain: service openclaw, account master_key\n");
      expect(await set("B", inSession)).toMatchObject({ exitCode: 0 });
      const outside = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere", ...environment };
      const locked = await set("C", { state, workspace, environment: outside });
      expect([locked.exitCode, locked.stderr]).toEqual([
        78,
        expect.stringContaining("the keychain cannot be used"),
      ]);
    },
  );
});
