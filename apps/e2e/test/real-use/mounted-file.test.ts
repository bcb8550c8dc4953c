import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canMount } from "../../src/faulty-disk.js";
import { openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";

let place: Place;
/** File outside of the state folder that is mounted onto one inside, as containers mount single files. */
let source: string;

beforeEach(() => {
  place = emptyPlace();
  source = join(place.workspace, "mounted");
});

afterEach(() => place[Symbol.dispose]());

/** Returns the place with a secret for commands that store one. */
const withValue = (): Place => ({
  ...place,
  environment: { ...place.environment, VALUE: "a-secret" },
});

/** Returns the same place with the source mounted onto a file of the state folder. */
function mounted(name: string, content: string, options?: "rw" | "ro"): Place {
  writeFileSync(source, content, { mode: 0o600 });
  return mountedSource(name, options);
}

function mountedSource(name: string, options: "rw" | "ro" = "rw"): Place {
  const target = join(place.state, name);
  writeFileSync(target, "");
  const readOnly = options === "rw" ? "" : `mount -o remount,bind,${options} "$1" && `;
  const script = `mount --bind "$0" "$1" && ${readOnly}shift && exec "$@"`;
  return { ...place, within: ["unshare", "-Urm", "sh", "-c", script, source, target] };
}

describe.skipIf(!canMount())("a file that is mounted alone", () => {
  it("[GW-222] a mounted configuration is changed in place, with a backup", async () => {
    const inside = mounted("openclaw.json", "{ // kept\n  gateway: { port: 1234 } }\n");
    const { exitCode, stderr } = await openclawProcess(
      ["config", "set", "gateway.port", "18790"],
      inside,
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(readFileSync(source, "utf8")).toBe("{ // kept\n  gateway: { port: 18790 } }\n");
    expect(readFileSync(join(place.state, "openclaw.json.bak.1"), "utf8")).toContain("1234");
  });

  it("[GW-222] a mounted configuration that is read-only stays, and the error says cause and remedy", async () => {
    const before = "{ gateway: { port: 1234 } }\n";
    const inside = mounted("openclaw.json", before, "ro");
    const { exitCode, stderr } = await openclawProcess(
      ["config", "set", "gateway.port", "18790"],
      inside,
    );
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(
      /openclaw\.json cannot be replaced: it is mounted separately \(EBUSY.*cannot be written in place \(EROFS/,
    );
    expect(stderr).toContain("mount the folder instead of the file");
    expect(stderr).not.toContain("at file:");
    expect(readFileSync(source, "utf8")).toBe(before);
  });

  it("[GW-222] a mounted list of trusted folders is changed in place", async () => {
    const inside = mounted("trusted-folders.json", "{}\n");
    const { exitCode } = await openclawProcess(["trust"], inside);
    expect(exitCode).toBe(0);
    expect(JSON.parse(readFileSync(source, "utf8"))).toEqual({ [place.workspace]: true });
  });

  it("[GW-222] a mounted database is restored in place, and its previous content is kept", async () => {
    const run = (args: readonly string[], where: Place = place) => openclawProcess(args, where);
    expect((await run(["secrets", "set", "A", "--from-env", "VALUE"], withValue())).exitCode).toBe(
      0,
    );
    const backup = join(place.workspace, "saved.backup");
    mkdirSync(place.workspace, { recursive: true });
    expect(await run(["db", "backup", backup])).toMatchObject({ exitCode: 0 });
    expect(
      (await run(["secrets", "set", "LATER", "--from-env", "VALUE"], withValue())).exitCode,
    ).toBe(0);
    const database = join(place.state, "openclaw.db");
    renameSync(database, source);
    const inside = mountedSource("openclaw.db");
    const { exitCode, stdout, stderr } = await run(["db", "restore", backup, "--yes"], inside);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("openclaw.db.before-restore-");
    const { stdout: listed } = await run(["secrets", "list"], inside);
    expect(listed).toContain("A");
    expect(listed).not.toContain("LATER");
  });

  it("[GW-222] a mounted key of secrets is rotated in place", async () => {
    const set = ["secrets", "set", "A", "--from-env", "VALUE"];
    expect((await openclawProcess(set, withValue())).exitCode).toBe(0);
    const keyFile = join(place.state, "secrets.key");
    const key = readFileSync(keyFile, "utf8");
    rmSync(keyFile);
    mkdirSync(place.workspace, { recursive: true });
    const inside = mounted("secrets.key", key);
    const { exitCode, stderr } = await openclawProcess(["secrets", "rotate"], inside);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(readFileSync(source, "utf8")).not.toBe(key);
    expect(existsSync(join(place.state, "secrets.key.next"))).toBe(false);
  });
});
