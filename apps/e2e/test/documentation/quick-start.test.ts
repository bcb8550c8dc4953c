import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { type QuickStartForm, quickStartCommands } from "../../src/documentation/quick-start.js";
import { BIN } from "../../src/openclaw-process.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Runs the programs of this checkout where the page has its package manager, which installs them first. */
const PACKAGE_MANAGER = `npx() {
  shift 2
  case "$1" in
    openclaw) shift; "$NODE" "$BIN" "$@" ;;
    exec) shift; shift; "$NODE" "$@" ;;
    *) echo "unknown: $*" >&2; return 9 ;;
  esac
}
`;

describe("quick start", () => {
  it("[SDK-041] [SDK-042] has commands from a checkout, each of which works as shown", {
    timeout: 120_000,
  }, () => {
    const commands = quickStartCommands(root, "checkout");
    expect(commands.length).toBeGreaterThan(4);
    using place = temporaryFolder("quick-start");
    for (const folder of ["checkout", "home"]) mkdirSync(join(place.path, folder));
    const plugin = join(place.path, "search-guard");
    cpSync(join(root, "docs/examples/search-guard"), plugin, { recursive: true });
    const { status, stdout, stderr } = spawnSync(
      "sh",
      ["-e", "-c", PACKAGE_MANAGER + commands.join("\n")],
      {
        cwd: join(place.path, "checkout"),
        encoding: "utf8",
        env: {
          PATH: process.env.PATH,
          HOME: join(place.path, "home"),
          OPENCLAW_STATE_DIR: join(place.path, "state"),
          NODE: process.execPath,
          BIN,
        },
      },
    );
    expect(status, stdout + stderr).toBe(0);
    expect(stderr).not.toMatch(/^(?:warn|error|openclaw): /m);
    expect(stdout).toContain("search-guard passes.");
    expect(stdout).toMatch(/\d:\d\d/);
    expect(stdout).toContain('"search-guard" is loaded');
    expect(stdout).toMatch(/^# pass 1$|^. pass 1$/m);
    expect(readdirSync(join(place.path, "state/extensions"))).toEqual(["search-guard"]);
  });

  it("[SDK-042] has the same commands with an installed openclaw, which the rehearsal of a release runs", () => {
    const verbs = (form: QuickStartForm) =>
      quickStartCommands(root, form).flatMap(
        (line) => /openclaw (plugins \w+|chat)/.exec(line)?.[1] ?? [],
      );
    const installed = verbs("installed");
    expect(installed).toEqual(verbs("checkout").filter((verb) => verb !== "plugins link"));
    expect(installed.length).toBeGreaterThan(3);
  });
});
