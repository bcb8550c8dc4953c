import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN, openclawProcess, startGatewayProcess, VERSION } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { UserServices } from "../../src/user-services.js";

const product = dirname(dirname(BIN));
/** Below the package, so that the dependencies of the installed copies are found without a registry. */
let ground: string;

/** Fault of a version: it damages what it should only read, and ends before it is ready. */
const FAULT = `
import { writeFileSync } from "node:fs";
if (process.argv[2] === "gateway") {
  writeFileSync(process.env.OPENCLAW_STATE_DIR + "/openclaw.db", "damaged");
  writeFileSync(process.env.OPENCLAW_STATE_DIR + "/openclaw.json", "{ damaged");
  throw new Error("planted fault");
}
`;

/** Packs the built product under another version, as \`pnpm pack\` does, without its dependencies. */
function pack(version: string, fault = ""): string {
  const folder = join(ground, `package-${version}`, "package");
  mkdirSync(folder, { recursive: true });
  cpSync(join(product, "bin"), join(folder, "bin"), { recursive: true });
  const filter = (file: string) => !/\.(?:map|ts|txt)$|tsbuildinfo$|metafile/.test(file);
  cpSync(join(product, "dist"), join(folder, "dist"), { recursive: true, filter });
  const main = join(folder, "dist/main.js");
  writeFileSync(main, fault + readFileSync(main, "utf8"));
  const manifest = JSON.parse(readFileSync(join(product, "package.json"), "utf8"));
  const { name, type, bin, exports } = manifest;
  const packed = { name, version, type, bin, exports, files: ["bin", "dist"] };
  writeFileSync(join(folder, "package.json"), JSON.stringify(packed));
  const archive = join(ground, `openclaw-${version}.tgz`);
  // Barely compressed, because compressing takes most of the time of packing.
  const compress = ["--use-compress-program", "gzip -1"];
  execFileSync("tar", [...compress, "-cf", archive, "-C", dirname(folder), "package"]);
  rmSync(dirname(folder), { recursive: true });
  return archive;
}

/** Installs an archive as a user does, once. */
function install(archive: string): void {
  const folder = join(ground, "original");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "mine", private: true }));
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", archive], {
    ...{ cwd: folder, stdio: "ignore" },
  });
}

/** Returns a copy of the installation, and its script of `openclaw`. */
function installed(name: string): { readonly folder: string; readonly bin: string } {
  const folder = join(ground, name);
  cpSync(join(ground, "original"), folder, { recursive: true });
  return { folder, bin: join(folder, "node_modules/openclaw/bin/openclaw.cjs") };
}

/** Runs the installed copy, with programs of a folder before those of the machine. */
async function run(bin: string, args: readonly string[], place: Place, programs = "") {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: place.workspace,
    env: {
      ...{
        PATH: `${programs}:${process.env.PATH}`,
        HOME: place.state,
        OPENCLAW_STATE_DIR: place.state,
      },
      npm_config_offline: "true",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [exitCode] = await once(child, "close");
  return { exitCode, stdout, stderr };
}

/** Installs a plugin that tells a file why the gateway starts and stops. */
function tellReasons(place: Place, file: string): void {
  place.installPlugin(
    "witness",
    `import { appendFileSync } from "node:fs";
     export default { id: "witness", register(api) {
       for (const name of ["gateway_pre_start", "gateway_pre_stop"]) {
         api.on(name, ({ reason }) => appendFileSync(${JSON.stringify(file)}, name + " " + reason + "\\n"));
       }
     } };`,
  );
}

const reasons = (file: string) =>
  existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];

describe("openclaw update", () => {
  let [second, faulty] = ["", ""];
  beforeAll(() => {
    ground = mkdtempSync(join(product, ".update-test-"));
    const first = pack("0.1.1");
    second = pack("0.1.2");
    faulty = pack("0.1.3", FAULT);
    install(first);
  });
  afterAll(() => rmSync(ground, { recursive: true, force: true }));

  it("[GW-060] [GW-061] [GW-380] replaces the version, keeps the data and a backup, and stops a running gateway first", async () => {
    using place = emptyPlace();
    const told = join(place.workspace, "told");
    tellReasons(place, told);
    const { folder, bin } = installed("sound");
    place.writeState({ "openclaw.json": "{ logging: { level: 'info' } }" });
    expect((await run(bin, ["--version"], place)).stdout).toBe("0.1.1\n");
    await run(bin, ["chat", "-m", "what time is it"], place);
    await using gateway = await startGatewayProcess(place);
    writeFileSync(told, "");

    const unasked = await run(bin, ["update", "--from", second], place);
    expect(unasked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("add --yes") });
    const updated = await run(bin, ["update", "--from", second, "--yes"], place);
    expect(updated).toMatchObject({ exitCode: 0 });
    expect(updated.stdout).toContain("Updated from 0.1.1 to 0.1.2. Backup: ");
    expect(updated.stdout).toContain("The gateway was stopped; start it again.");
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();

    // Neither the check of the new version nor a command after it is the second half of the restart.
    await (await startGatewayProcess(place)).end("SIGKILL");
    expect(reasons(told)).toEqual([
      "gateway_pre_stop restart",
      "gateway_pre_start boot",
      "gateway_pre_stop command",
      "gateway_pre_start restart",
    ]);

    expect((await run(bin, ["--version"], place)).stdout).toBe("0.1.2\n");
    const sessions = await run(bin, ["sessions", "list", "--json"], place);
    expect(JSON.parse(sessions.stdout).sessions).toHaveLength(1);
    const [backup = ""] = readdirSync(join(place.state, "backups"));
    const kept = readdirSync(join(place.state, "backups", backup));
    expect(kept.toSorted()).toEqual(["openclaw.db", "openclaw.db.plugins", "openclaw.json"]);
    expect(readdirSync(ground).filter((name) => /-(next|previous)$/.test(name))).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({
      ...{ name: "mine", dependencies: { openclaw: "file:../openclaw-0.1.2.tgz" } },
    });
    const again = await run(bin, ["update", "--from", second], place);
    expect(again).toMatchObject({ exitCode: 0, stdout: "Version 0.1.2 is in use already.\n" });
  });

  it.runIf(process.platform === "linux")(
    "[GW-060] [GW-380] stops a gateway that runs as a service, and starts it again with the new version",
    async () => {
      using place = emptyPlace();
      const told = join(place.workspace, "told");
      tellReasons(place, told);
      const { bin } = installed("service");
      await using services = await UserServices.start(place);
      const command = (...args: string[]) => run(bin, args, place, services.bin);
      place.writeState({ "openclaw.json": "{ gateway: { port: 0 } }" });
      expect(await command("service", "install")).toMatchObject({ exitCode: 0, stderr: "" });
      await expect.poll(() => reasons(told)).toEqual(["gateway_pre_start boot"]);
      expect(await command("service", "restart")).toMatchObject({ exitCode: 0 });
      await expect
        .poll(() => reasons(told).slice(1))
        .toEqual(["gateway_pre_stop restart", "gateway_pre_start restart"]);

      writeFileSync(told, "");
      const updated = await command("update", "--from", second, "--yes");
      expect(updated).toMatchObject({ exitCode: 0 });
      expect(updated.stdout).toContain("The service is running again.");
      expect(reasons(told)).toEqual([
        "gateway_pre_stop restart",
        "gateway_pre_start boot",
        "gateway_pre_stop command",
        "gateway_pre_start restart",
      ]);
      const status = await command("status", "--json");
      expect(JSON.parse(status.stdout)).toMatchObject({ version: "0.1.2" });
    },
  );

  it("[GW-060] returns to the version, the database and the configuration from before when the new version does not become ready", async () => {
    using place = emptyPlace();
    const { folder, bin } = installed("faulty");
    const configuration = "{ logging: { level: 'info' } } // mine";
    place.writeState({ "openclaw.json": configuration });
    await run(bin, ["chat", "-m", "what time is it"], place);

    const failed = await run(bin, ["update", "--from", faulty], place);
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toContain(
      "version 0.1.3 did not become ready (exit code 1); version 0.1.1, the database and the configuration are those from before the update:",
    );
    expect(failed.stderr).toContain("planted fault");
    expect((await run(bin, ["--version"], place)).stdout).toBe("0.1.1\n");
    expect(readFileSync(join(place.state, "openclaw.json"), "utf8")).toBe(configuration);
    const sessions = await run(bin, ["sessions", "list", "--json"], place);
    expect(JSON.parse(sessions.stdout).sessions).toHaveLength(1);
    expect(await run(bin, ["gateway", "check"], place)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(folder, "package.json"), "utf8")).toContain("openclaw-0.1.1.tgz");
  });

  it("[GW-060] changes nothing without a usable source, or in an installation that cannot be reverted", async () => {
    using place = emptyPlace();
    const { bin } = installed("refused");
    const nothing = await run(bin, ["update"], place);
    expect(nothing).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("--from") });
    const damaged = join(ground, "openclaw-9.9.9.tgz");
    writeFileSync(damaged, "not an archive");
    const failed = await run(bin, ["update", "--from", damaged], place);
    expect(failed).toMatchObject({ exitCode: 1 });
    expect(failed.stderr).toContain("could not be installed by npm");
    expect((await run(bin, ["--version"], place)).stdout).toBe("0.1.1\n");

    const loose = join(ground, "loose", "openclaw");
    cpSync(dirname(dirname(bin)), loose, { recursive: true });
    const refused = await run(join(loose, "bin/openclaw.cjs"), ["update", "--from", second], place);
    expect(refused).toMatchObject({ exitCode: 3 });
    expect(refused.stderr).toContain("npm install -g");
  });
});

describe("openclaw gateway check", () => {
  it("[GW-061] shows whether this version can start, without resuming work or starting services", async () => {
    using place = emptyPlace();
    place.installPlugin(
      "watch",
      `import { appendFileSync } from "node:fs";
       const note = (name) => () => appendFileSync(${JSON.stringify(join(place.workspace, "seen"))}, name + "\\n");
       export default { register(api) {
         for (const hook of ["gateway_pre_start", "gateway_start", "gateway_stop"]) api.on(hook, note(hook));
       } };`,
    );
    const checked = await openclawProcess(["gateway", "check"], place);
    expect(checked).toMatchObject({ exitCode: 0, stderr: "" });
    expect(checked.stdout).toMatch(/^OpenClaw \S+ can start on .*\.\n$/);
    expect(checked.stdout).toContain(`OpenClaw ${VERSION} can`);
    expect(readFileSync(join(place.workspace, "seen"), "utf8")).toBe(
      "gateway_pre_start\ngateway_stop\n",
    );
    expect(existsSync(join(place.state, "openclaw.db"))).toBe(true);
    place.writeState({ "openclaw.json": "{ gateway: { prot: 1 } }" });
    expect(await openclawProcess(["gateway", "check"], place)).toMatchObject({ exitCode: 78 });
  });
});
