import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ComponentCache, DEFAULT_LIMITS, prepareComponent, WorkerPool } from "@openclaw/wasm-host";
import { describe, expect, it, onTestFinished } from "vitest";
import { ComponentLibrary } from "../src/library/library.js";
import type { ComponentList } from "../src/methods.js";
import { ComponentFolder, method } from "./support/fixture.js";

const CAPABILITIES = { http: { allowlist: [{ host: "api.example.com", methods: ["GET"] }] } };
const PERMISSION = "requests: GET https://api.example.com/";

/** Folder with a component that is not installed. */
async function separate(
  text = {},
  capabilities?: object,
): Promise<{ source: string; folder: string }> {
  const folder = new ComponentFolder();
  return { source: await folder.add("weather", text, capabilities), folder: folder.path };
}

const defined = (text: string | undefined) => text ?? [];

const listed = async (host: Parameters<typeof method>[0]) =>
  (await method(host, "wasm.list")).body as ComponentList;

describe("components of a folder", () => {
  it("[WASM-014] [WASM-043] are installed with the permissions that were accepted", async () => {
    const { source } = await separate({}, CAPABILITIES);
    const folder = new ComponentFolder();
    const host = await folder.host();
    const inspection = (await method(host, "wasm.inspect", { source })).body;
    expect(inspection).toMatchObject({ name: "weather", kind: "tool", added: [PERMISSION] });
    const refused = await method(host, "wasm.install", { source });
    expect(refused.body.error.message).toContain("permissions that were not accepted");
    expect(existsSync(join(folder.path, "weather.wasm"))).toBe(false);
    await method(host, "wasm.install", { source, accepted: inspection.added });
    expect((await listed(host)).components).toMatchObject([
      { name: "weather", trust: "user", source, permissions: [PERMISSION] },
    ]);
    expect((await host.callTool("weather")).text).toBe("{}");
  });

  it("[WASM-014] ask only for what is new in an update", async () => {
    const first = await separate({}, CAPABILITIES);
    const wider = { ...CAPABILITIES, workspace: { allowed_prefixes: ["context/"] } };
    const second = await separate({ description: "A newer one." }, wider);
    const folder = new ComponentFolder();
    const host = await folder.host();
    await method(host, "wasm.install", { source: first.source, accepted: [PERMISSION] });
    const { added } = (await method(host, "wasm.inspect", { source: second.source })).body;
    expect(added).toEqual(["files of the workspace: may read context/"]);
    const refused = await method(host, "wasm.install", { source: second.source });
    expect(refused.body.error.message).toContain("files of the workspace: may read context/");
    expect((await listed(host)).components).toMatchObject([
      { description: "Returns its arguments." },
    ]);
    await method(host, "wasm.install", { source: second.source, accepted: added });
    expect((await listed(host)).components).toMatchObject([{ description: "A newer one." }]);
    // A narrower one asks for nothing.
    const third = await separate({ description: "A narrow one." });
    expect((await method(host, "wasm.install", { source: third.source })).status).toBe(200);
  });

  it("[WASM-042] are not loaded when they changed since they were installed", async () => {
    const folder = new ComponentFolder();
    await folder.add("weather", {}, CAPABILITIES);
    await folder.add("time");
    const host = await folder.host();
    expect((await listed(host)).components).toHaveLength(2);
    const other = await separate({ description: "Another one." });
    writeFileSync(join(folder.path, "time.wasm"), readFileSync(other.source));
    writeFileSync(join(folder.path, "weather.capabilities.json"), "{}");
    const { problems, components } = (await method(host, "wasm.reload")).body as ComponentList;
    expect(components).toEqual([]);
    expect(problems.map(({ message }) => message).sort()).toEqual([
      expect.stringContaining("time.wasm changed since component"),
      expect.stringContaining("weather.capabilities.json changed since component"),
    ]);
  });

  it("[WASM-040] report a bad file with its name, and load the others", async () => {
    const folder = new ComponentFolder();
    await folder.add("weather");
    writeFileSync(join(folder.path, "broken.wasm"), "not WebAssembly");
    await folder.add("greedy", {}, { http: 7 });
    const host = await folder.host();
    const { components, problems } = await listed(host);
    expect(components.map(({ name }) => name)).toEqual(["weather"]);
    expect(problems.map(({ name }) => name).sort()).toEqual(["broken", "greedy"]);
    expect(JSON.stringify(host.logs)).toContain(
      "broken: the file is not a valid WebAssembly binary",
    );
  });

  it("[WASM-505] are not loaded after an installation that was interrupted", async () => {
    const folder = new ComponentFolder();
    await folder.add("weather");
    const record = { hash: "0", trust: "user", source: "a", accepted: [], isPending: true };
    writeFileSync(join(folder.path, ".installed.json"), JSON.stringify({ weather: record }));
    const host = await folder.host();
    const { components, problems } = await listed(host);
    expect(components).toEqual([]);
    expect(problems).toMatchObject([{ message: expect.stringContaining("was interrupted") }]);
    const { source } = await separate();
    await method(host, "wasm.install", { source });
    expect((await listed(host)).components).toHaveLength(1);
  });

  it.each([
    ["before anything was replaced", { record: false }, "Returns its arguments."],
    ["before the component was replaced", { record: true }, undefined],
    ["between the component and its capabilities", { record: true, file: true }, undefined],
    [
      "before the installation was noted",
      { record: true, file: true, capabilities: true },
      undefined,
    ],
  ])(
    "[WASM-505] after a kill %s, have the old version or none, and are repaired by another installation",
    async (_case, done: { record: boolean; file?: boolean; capabilities?: boolean }, served) => {
      const folder = new ComponentFolder();
      const host = await folder.host();
      const first = await separate({}, CAPABILITIES);
      await method(host, "wasm.install", { source: first.source, accepted: [PERMISSION] });
      const newer = await separate({ description: "A newer one." });
      // The files as `kill -9` leaves them, with the one that was being written.
      writeFileSync(join(folder.path, ".0000.tmp"), "part of a file");
      const records = join(folder.path, ".installed.json");
      const { weather } = JSON.parse(readFileSync(records, "utf8"));
      if (done.record) {
        writeFileSync(records, JSON.stringify({ weather: { ...weather, isPending: true } }));
      }
      if (done.file) writeFileSync(join(folder.path, "weather.wasm"), readFileSync(newer.source));
      if (done.capabilities) rmSync(join(folder.path, "weather.capabilities.json"));
      const { components, problems } = (await method(host, "wasm.reload")).body as ComponentList;
      expect(components.map(({ description }) => description)).toEqual([served].flatMap(defined));
      expect(problems).toHaveLength(served === undefined ? 1 : 0);
      await method(host, "wasm.install", { source: newer.source });
      expect((await listed(host)).components).toMatchObject([
        { description: "A newer one.", permissions: [] },
      ]);
    },
  );

  it("[WASM-512] [WASM-006] are offered from the cache at once; one that another version of the host transpiled follows", async () => {
    const folder = new ComponentFolder();
    const cacheFolder = mkdtempSync(join(tmpdir(), "wasm-library-"));
    onTestFinished(() => rmSync(cacheFolder, { recursive: true, force: true }));
    await folder.add("first");
    await folder.add("second", { description: "The second one." });
    const pool = new WorkerPool({ workers: 1 });
    onTestFinished(() => pool.close());
    const libraryOf = (cache: ComponentCache) =>
      new ComponentLibrary({
        ...{ cache, pool, folder: folder.path, kind: "tool", limits: DEFAULT_LIMITS },
        warn: () => undefined,
      });
    const previous = new ComponentCache(cacheFolder, "1.0.0");
    expect([...(await libraryOf(previous).components()).keys()]).toEqual(["first", "second"]);
    // At the next start nothing is transpiled.
    expect([...(await libraryOf(previous).available()).keys()].sort()).toEqual(["first", "second"]);
    const next = new ComponentCache(cacheFolder, "2.0.0");
    await prepareComponent("first", readFileSync(join(folder.path, "first.wasm")), {
      ...{ cache: next, pool },
    });
    const library = libraryOf(next);
    const ready = await library.available();
    expect([...ready.keys()]).toContain("first");
    await library.components();
    expect([...ready.keys()].sort()).toEqual(["first", "second"]);
    expect([...(await library.available()).keys()].sort()).toEqual(["first", "second"]);
  });

  it("[WASM-043] are removed while a call runs, which ends", async () => {
    const folder = new ComponentFolder();
    await folder.add("weather", {
      execute: `(local $turns i32)
        (loop $again
          (local.set $turns (i32.add (local.get $turns) (i32.const 1)))
          (br_if $again (i32.lt_u (local.get $turns) (i32.const 1000000))))
        (call $ok (local.get $params) (local.get $length))`,
    });
    const host = await folder.host();
    await listed(host);
    const running = host.callTool("weather");
    await method(host, "wasm.remove", { name: "weather" });
    expect((await running).text).toMatch(/^(?:\{\}|Unknown tool: weather)$/);
    expect((await host.callTool("weather")).text).toBe("Unknown tool: weather");
    const missing = await method(host, "wasm.remove", { name: "weather" });
    expect(missing.body.error.message).toContain('component "weather" not found');
  });

  it("[WASM-043] are installed from a folder, and not from one without or with several components", async () => {
    const { folder: source } = await separate({}, CAPABILITIES);
    const folder = new ComponentFolder();
    const host = await folder.host();
    const installed = await method(host, "wasm.install", { source, accepted: [PERMISSION] });
    expect(installed.body).toMatchObject({ name: "weather" });
    for (const [path, message] of [
      ["relative", /is not an absolute path/],
      [join(source, "none"), /cannot be read/],
    ] as const) {
      const { body } = await method(host, "wasm.install", { source: path });
      expect(body.error.message).toMatch(message);
    }
    const named = await method(host, "wasm.inspect", { source, name: "../up" });
    expect(named.body.error.message).toContain('"../up" cannot be the name of a component');
    rmSync(join(source, "weather.wasm"));
    mkdirSync(join(source, "empty"));
    const empty = await method(host, "wasm.inspect", { source });
    expect(empty.body.error.message).toContain("has 0 files *.wasm");
  });
});
