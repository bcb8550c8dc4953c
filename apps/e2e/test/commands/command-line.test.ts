import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parse } from "acorn";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import {
  BIN,
  type GatewayProcess,
  openclawProcess,
  startGatewayProcess,
} from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";

const binFolder = dirname(BIN);
const manifest = JSON.parse(readFileSync(join(binFolder, "../package.json"), "utf8")) as {
  version: string;
  engines: { node: string };
};

describe("unsupported Node.js version", () => {
  const { accepts, range } = createRequire(import.meta.url)(
    join(binFolder, "supported-node.cjs"),
  ) as {
    accepts(version: string): boolean;
    range: string;
  };

  it("[GW-053] is reported in one sentence, by files that any Node.js can parse", async () => {
    for (const file of ["openclaw.cjs", "supported-node.cjs"]) {
      const source = readFileSync(join(binFolder, file), "utf8").replace(/^#!.*/, "");
      expect(() => parse(source, { ecmaVersion: 5 })).not.toThrow();
    }
    using place = emptyPlace({
      // In quotes, because the path of the checkout may have spaces.
      NODE_OPTIONS: `--require "${join(import.meta.dirname, "../support/old-node.cjs")}"`,
    });
    const result = await openclawProcess(["--version"], place);
    expect(result.exitCode).toBe(78);
    expect(result.stdout).toBe("");
    expect(result.stderr).toMatch(
      /^OpenClaw needs Node\.js \^22[^\n]*, and this is 20\.20\.2[^\n]*\.\n$/,
    );
  });

  it("[GW-053] is reported through the range that the packages publish", () => {
    expect(range).toBe(manifest.engines.node);
    expect(
      ["22.22.2", "22.30.0", "24.15.0", "24.21.0", "26.0.0", "27.1.0"].filter(accepts),
    ).toHaveLength(6);
    expect(
      ["20.20.2", "22.22.1", "23.9.0", "24.14.9", "25.9.0", "0.12.18"].filter(accepts),
    ).toEqual([]);
  });
});

describe("openclaw command line", () => {
  it("prints version and help, and rejects unknown commands and options", async () => {
    using place = emptyPlace();
    expect((await openclawProcess(["--version"], place)).stdout).toBe(`${manifest.version}\n`);
    const help = await openclaw(["--help"], place);
    expect(help.exitCode).toBe(0);
    for (const word of ["chat", "gateway", "plugins", "config", "Exit codes"]) {
      expect(help.stdout).toContain(word);
    }
    const unknown = await openclaw(["chta"], place);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain("chat");
  });

  it.each([
    [["pairing", "list", "telegram"], "(see openclaw pairing list --help)"],
    [["cron", "add", "--nope"], "(see openclaw cron add --help)"],
    [["--nope"], "(see openclaw run --help)"],
    [["nope"], "(see openclaw --help)"],
  ])("[GW-211] names the help of the command that %j has wrong", async (args, hint) => {
    using place = emptyPlace();
    const { exitCode, stderr } = await openclaw(args, place);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(hint)]);
  });

  it("reads a message from piped input, and appends input to -m", async () => {
    using place = emptyPlace();
    const piped = await openclawProcess(["chat"], { ...place, input: "what time is it\n" });
    expect(piped.exitCode).toBe(0);
    expect(piped.stdout).toMatch(/\d:\d/);
    const silent = await openclawProcess(["chat"], { ...place, input: "" });
    expect(silent.exitCode).toBe(2);
    expect(silent.stderr).toContain("-m");
  });

  it("prints data as one JSON document with --json", async () => {
    using place = emptyPlace();
    const plugins = await openclaw(["plugins", "list", "--json"], place);
    const listed = JSON.parse(plugins.stdout) as { plugins: { id: string; enabled: boolean }[] };
    expect(listed.plugins.map(({ id }) => id)).toContain("channel-guidance");
    expect(
      JSON.parse((await openclaw(["config", "validate", "--json"], place)).stdout),
    ).toMatchObject({
      exists: false,
      valid: true,
    });
    const chat = await openclaw(["chat", "--json", "-m", "what time is it"], place);
    expect(JSON.parse(chat.stdout)).toMatchObject({ ok: true });
    expect(JSON.parse((await openclaw(["gateway", "status", "--json"], place)).stdout)).toEqual({
      running: false,
    });
  });

  it("answers status and stop without a gateway", async () => {
    using place = emptyPlace();
    expect((await openclaw(["gateway", "status"], place)).exitCode).toBe(3);
    expect((await openclaw(["gateway", "stop"], place)).exitCode).toBe(0);
  });
});

describe("gateway process that has started", () => {
  let place: Place;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    place = emptyPlace();
    gateway = await startGatewayProcess(place);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    place[Symbol.dispose]();
  });

  it("[GW-002] keeps its state in one private folder and writes nothing else", async () => {
    expect(statSync(place.state).mode & 0o777).toBe(0o700);
    expect(statSync(join(place.state, "gateway.token")).mode & 0o777).toBe(0o600);
    expect(gateway.token.length).toBeGreaterThanOrEqual(24);
  });

  it("[HOST-003] starts without a key, service or wizard, and prints where everything is", async () => {
    const { stdout } = gateway.output();
    expect(stdout).toContain(gateway.url);
    expect(stdout).toContain(place.state);
    expect(stdout).toContain("demo/echo");
    expect(stdout).toContain("OPENAI_API_KEY");
    expect(stdout).toContain(`$(cat '${join(place.state, "gateway.token")}')`);
    expect(stdout).not.toContain(gateway.token);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  });
});

describe("gateway process", () => {
  it("[GW-008] is used by chat, and both share one conversation", async () => {
    using place = emptyPlace();
    place.writeWorkspace({ "package.json": '{ "version": "9.9.9" }' });
    await openclaw(["chat", "-m", "read package.json"], place);
    {
      await using gateway = await startGatewayProcess(place);
      const remote = await openclaw(["chat", "-m", "what time is it"], place);
      expect(remote.exitCode).toBe(0);
      expect(remote.stdout).toMatch(/\d:\d/);
      const second = await openclaw(["gateway", "run", "--port", "0"], place);
      expect(second.exitCode).toBe(75);
      expect(second.stderr).toContain(String(gateway.pid));
      const stopped = await openclaw(["gateway", "stop"], place);
      expect(stopped.exitCode).toBe(0);
      expect(stopped.stdout).toContain(String(gateway.pid));
    }
    const again = await openclaw(["gateway", "status"], place);
    expect(again.exitCode).toBe(3);
  });

  it("[GW-008] releases the state folder at once when it was killed", async () => {
    using place = emptyPlace();
    {
      await using gateway = await startGatewayProcess(place);
      await gateway.end("SIGKILL");
    }
    await using next = await startGatewayProcess(place);
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("exits cleanly on %s", async (signal) => {
    using place = emptyPlace();
    await using gateway = await startGatewayProcess(place);
    expect(await gateway.end(signal)).toBe(0);
    expect(gateway.output().stderr).toBe("");
  });

  it("[GW-054] prints the model, the source of the choice, and a change to a paid model", async () => {
    using place = emptyPlace();
    place.writeState({ "openclaw.json": "{ models: { retry: { retries: 0 } } }" });
    {
      await using demo = await startGatewayProcess(place);
      expect(demo.output().stdout).toMatch(/demo\/echo.*no API key/);
      await demo.end("SIGTERM");
    }
    const withKey = {
      ...place,
      environment: { OPENAI_API_KEY: "sk-none", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" },
    };
    {
      await using paid = await startGatewayProcess(withKey);
      expect(paid.output().stdout).toMatch(/openai\/gpt-4o.*OPENAI_API_KEY/);
      expect(paid.output().stdout).toContain("cost money");
      const chat = await openclaw(["chat", "-m", "hello"], withKey);
      expect(chat.stderr).toContain("cost money");
      const second = await openclaw(["chat", "-m", "hello"], withKey);
      expect(second.stderr).not.toContain("cost money");
      await paid.end("SIGTERM");
    }
    await using named = await startGatewayProcess(withKey, ["--model", "demo/echo"]);
    expect(named.output().stdout).toMatch(/demo\/echo.*--model/);
  });
});
