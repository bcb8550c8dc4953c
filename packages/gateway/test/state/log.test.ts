import { tracingChannel } from "node:diagnostics_channel";
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { bindMount, canBindMount, temporaryFolder } from "@openclaw/foundation/testing";
import { createSafetyRules, inspectOutput, type RuleSet } from "@openclaw/safety";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openLog } from "../../src/state/log.js";
import { ROTATION_LIMITS } from "../../src/state/rotating-file.js";

function linesOf(file: string): Record<string, unknown>[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

afterEach(() => void vi.restoreAllMocks());

/** A disk that takes half of one line and then is full, until it is told to end. */
function fullDisk(): { end(): void } {
  let isFirst = true;
  const write = fs.writeSync;
  const full = vi.spyOn(fs, "writeSync").mockImplementation((descriptor, data, offset) => {
    if (!isFirst) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    isFirst = false;
    const bytes = Buffer.from(data.toString());
    return write(descriptor, bytes, Number(offset ?? 0), bytes.length >> 1);
  });
  syncBuiltinESMExports();
  return {
    end() {
      full.mockRestore();
      syncBuiltinESMExports();
    },
  };
}

/** Returns the files of the corpus of the safety engine that contain a secret, with the secret. */
function plantedSecrets(): { readonly text: string; readonly secret: string }[] {
  const folder = new URL("../../../safety/test/corpus/attack/", import.meta.url);
  return readdirSync(folder).flatMap((name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    return inspectOutput(text)
      .findings.filter(({ kind }) => kind === "leak")
      .map(({ range: [start, end] }) => ({ text, secret: text.slice(start, end) }));
  });
}

describe("openLog", () => {
  it("writes one JSON object per line, immediately and readable only by its user", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "logs", "gateway.log");
    const log = openLog(file, { level: "info" });
    const before = Date.now();
    log.logger("plugins", { pluginId: "guard" }).warn("a line\nbreak", { hook: "agent_end" });
    const [line] = linesOf(file);
    expect(line).toMatchObject({
      level: 40,
      subsystem: "plugins",
      pluginId: "guard",
      msg: "a line\nbreak",
      hook: "agent_end",
    });
    expect(line?.time).toBeGreaterThanOrEqual(before);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    log.close();
  });

  it("drops lines below its level, and all when it is silent", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    for (const level of ["warn", "silent"] as const) {
      const log = openLog(file, { level });
      const logger = log.logger("gateway");
      for (const severity of ["debug", "info", "warn", "error"] as const) logger[severity](level);
      log.close();
    }
    expect(linesOf(file).map(({ level, msg }) => [level, msg])).toEqual([
      [40, "warn"],
      [50, "warn"],
    ]);
  });

  it("continues the file of the process before", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    for (const text of ["first", "second"]) {
      const log = openLog(file, { level: "info" });
      log.logger("gateway").info(text);
      log.close();
    }
    expect(linesOf(file).map(({ msg }) => msg)).toEqual(["first", "second"]);
  });

  it("writes complete errors, and handles values that are not JSON", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const log = openLog(file, { level: "info" });
    const cyclic: Record<string, unknown> = { big: 1n };
    cyclic.self = cyclic;
    const cause = new Error("no network", { cause: new TypeError("no route") });
    log.logger("gateway").error("it failed", { cause, cyclic });
    const [line] = linesOf(file);
    expect(line).toMatchObject({
      cause: { type: "Error", message: "no network: no route" },
      cyclic: { self: "[CIRCULAR]" },
    });
    expect(JSON.stringify(line)).toContain("caused by: TypeError: no route");
    log.close();
  });

  it("renames fields with the names of the line's own keys", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const log = openLog(file, { level: "info" });
    const fields = { level: 60, time: 0, msg: "forged", subsystem: "gateway", pluginId: "other" };
    log.logger("plugins", { pluginId: "guard" }).info("true", fields);
    const text = readFileSync(file, "utf8");
    expect(linesOf(file)).toMatchObject([
      { level: 30, msg: "true", subsystem: "plugins", pluginId: "guard", pluginId_: "other" },
    ]);
    expect(text.match(/"pluginId":/g)).toHaveLength(1);
    log.close();
  });

  it("[SAFE-055] [SAFE-056] contains no secret, by form or by name, in messages, fields and errors", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const log = openLog(file, { level: "debug" });
    // Composed here, so that this file contains no secret that a scan would find.
    const secret = `sk-${"a1B2".repeat(6)}`;
    const logger = log.logger("plugins", { pluginId: "guard" });
    logger.info(`calling with ${secret}`, { note: `it was ${secret}`, apiKey: "plain words" });
    logger.error("it failed", { cause: new Error(`refused ${secret} of ann@example.com`) });
    logger.debug("nested", { request: { headers: [{ authorization: "Basic YTpiYWJhYmFiYQ==" }] } });
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(secret);
    expect(text).not.toContain("plain words");
    expect(text).not.toContain("ann@example.com");
    expect(text).not.toContain("YTpiYWJhYmFiYQ");
    expect(linesOf(file)).toMatchObject([
      { msg: expect.stringMatching(/^calling with \[REDACTED_/), apiKey: "[REDACTED]" },
      { cause: { message: expect.stringContaining("[REDACTED_EMAIL]") } },
      { msg: "nested" },
    ]);
    log.close();
  });

  it("[SAFE-055] redacts lines with the rules that were added", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const log = openLog(file, { level: "info" });
    const ticket = {
      id: "ticket",
      title: "ticket",
      reason: "Tickets are confidential.",
      severity: "high",
      kind: "leak",
      pattern: "TICKET \\d{6}",
      examples: { match: ["TICKET 123456"], clean: ["TICKET"] },
    } as const;
    let rules: RuleSet | undefined;
    log.redactWith(() => rules);
    const logger = log.logger("gateway");
    const write = () => logger.info("about TICKET 123456", { note: ["TICKET 123456"] });
    write();
    rules = createSafetyRules({ added: [ticket] });
    write();
    rules = createSafetyRules({ added: [{ ...ticket, actions: { log: "allow" } }] });
    write();
    expect(linesOf(file).map(({ msg, note }) => [msg, note])).toEqual([
      ["about TICKET 123456", ["TICKET 123456"]],
      ["about [REDACTED_API_KEY]", ["[REDACTED_API_KEY]"]],
      ["about TICKET 123456", ["TICKET 123456"]],
    ]);
    log.close();
  });

  it("[GW-048] starts a new file when one is full, and keeps five older ones", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const log = openLog(file, { level: "info" }, { limits: { maximumBytes: 1000, files: 5 } });
    const logger = log.logger("gateway");
    for (let line = 0; line < 100; line += 1) logger.info(`line ${line} ${"x".repeat(100)}`);
    log.close();
    const files = readdirSync(folder.path).sort();
    const newest = ["gateway.log", ...[1, 2, 3, 4, 5].map((number) => `gateway.log.${number}`)];
    expect(files).toEqual(newest);
    const kept = newest.toReversed().flatMap((name) => linesOf(join(folder.path, name)));
    const numbers = kept.map(({ msg }) => Number(String(msg).split(" ")[1]));
    expect(numbers).toEqual(
      Array.from({ length: numbers.length }, (_, at) => 100 - numbers.length + at),
    );
    for (const name of files) {
      const { size, mode } = statSync(join(folder.path, name));
      expect(size).toBeLessThanOrEqual(1000);
      expect(mode & 0o777).toBe(0o600);
    }
    expect(ROTATION_LIMITS).toEqual({ maximumBytes: 10 * 1024 * 1024, files: 5 });
  });

  it.skipIf(!canBindMount())(
    "[GW-560] rotates a log that is mounted alone, without losing a line",
    () => {
      using folder = temporaryFolder();
      const [source, file] = [join(folder.path, "source"), join(folder.path, "gateway.log")];
      for (const each of [source, file]) writeFileSync(each, "");
      using _mount = bindMount(source, file);
      const log = openLog(file, { level: "info" }, { limits: { maximumBytes: 1000, files: 5 } });
      const logger = log.logger("gateway");
      for (let line = 0; line < 20; line += 1) logger.info(`line ${line} ${"x".repeat(100)}`);
      log.close();
      const files = [5, 4, 3, 2, 1].map((number) => `${file}.${number}`).filter(existsSync);
      expect(files.length).toBeGreaterThan(1);
      const kept = [...files, source].flatMap(linesOf);
      const numbers = kept.map(({ msg }) => Number(String(msg).split(" ")[1]));
      expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => at));
      for (const each of [...files, source]) expect(statSync(each).size).toBeLessThanOrEqual(1000);
    },
  );

  it("counts what an earlier process wrote", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    for (const text of ["first", "second", "third"]) {
      const log = openLog(file, { level: "info" }, { limits: { maximumBytes: 150, files: 1 } });
      log.logger("gateway").info(text);
      log.close();
    }
    const texts = (name: string) => linesOf(join(folder.path, name)).map(({ msg }) => msg);
    expect([texts("gateway.log.1"), texts("gateway.log")]).toEqual([
      ["first", "second"],
      ["third"],
    ]);
  });

  it("continues a full file that cannot be renamed, and reports it once", () => {
    const told = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    mkdirSync(`${file}.1`);
    writeFileSync(join(`${file}.1`, "keep"), "");
    const log = openLog(file, { level: "info" }, { limits: { maximumBytes: 100, files: 1 } });
    const logger = log.logger("gateway");
    for (const text of ["one", "two", "three"]) logger.info(`${text} ${"x".repeat(100)}`);
    log.close();
    expect(linesOf(file)).toHaveLength(3);
    expect(told).toHaveBeenCalledTimes(1);
    told.mockRestore();
  });

  it("[GW-048] adds run, session and trace of the turn in which a line is written", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const log = openLog(file, { level: "info" });
    const logger = log.logger("gateway");
    const turn = { runId: "r1", sessionKey: "agent:main:main", traceId: "0af7651916cd43dd" };
    const { start } = tracingChannel<unknown, object>("openclaw:turn");
    logger.info("before");
    await start.runStores({ ...turn, agentId: "main" }, async () => {
      logger.info("first");
      await Promise.resolve();
      logger.info("own", { runId: "r2" });
      log.logger("plugins", { runId: "r3" }).info("bound");
    });
    logger.info("after");
    log.close();
    expect(start.hasSubscribers).toBe(false);
    const { sessionKey, traceId } = turn;
    const ids = linesOf(file).map(({ msg, level: _level, time: _time, subsystem: _s, ...more }) => [
      msg,
      more,
    ]);
    expect(ids).toEqual([
      ["before", {}],
      ["first", turn],
      ["own", { runId: "r2", sessionKey, traceId }],
      ["bound", { runId: "r3", sessionKey, traceId }],
      ["after", {}],
    ]);
  });

  it("[GW-048] has levels for single subsystems, which change while loggers are in use", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const log = openLog(file, { level: "warn", levels: { plugins: "debug" } });
    const [gateway, plugins] = [log.logger("gateway"), log.logger("plugins")];
    const write = (text: string) => {
      gateway.info(`gateway ${text}`);
      plugins.debug(`plugins ${text}`);
    };
    write("before");
    log.setLevels({ level: "info", levels: { plugins: "silent" } });
    write("after");
    log.close();
    const texts = linesOf(file).map(({ msg }) => msg);
    expect(texts).toEqual(["plugins before", "gateway after"]);
  });

  it("drops lines after it was closed", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const log = openLog(file, { level: "info" });
    const logger = log.logger("gateway");
    logger.info("in time");
    log.close();
    logger.info("too late");
    log.close();
    expect(linesOf(file).map(({ msg }) => msg)).toEqual(["in time"]);
  });

  it("[HOST-039] keeps running on a full disk, reports it once, and counts the lost lines", () => {
    const told = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const log = openLog(file, { level: "info" });
    const logger = log.logger("gateway");
    const full = fullDisk();
    for (let line = 1; line <= 600; line += 1) logger.info(`lost ${line}`);
    expect(log.unwritten().map(({ msg }) => msg)).toEqual(
      Array.from({ length: 512 }, (_, index) => `lost ${index + 89}`),
    );
    full.end();
    logger.info("written");
    log.close();
    const texts = readFileSync(file, "utf8").split("\n").slice(0, -1);
    // The disk took a part of the first line.
    expect(() => JSON.parse(texts[0] ?? "")).toThrow();
    expect(texts.slice(1).map((text) => JSON.parse(text))).toMatchObject([
      { msg: "written" },
      { level: 40, subsystem: "log", code: "LOG_LINES_LOST", lines: 600 },
    ]);
    expect(told.mock.calls).toEqual([
      [expect.stringMatching(/^openclaw: cannot write the log .*gateway\.log: ENOSPC.*\n$/)],
    ]);
  });

  it("[GW-048] [HOST-039] contains no planted secret of the corpus, in messages, fields and lines of plugins", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const shown: string[] = [];
    const followed: unknown[] = [];
    const log = openLog(file, { level: "debug" }, { output: (text) => void shown.push(text) });
    log.onLine((line) => void followed.push(line));
    const secrets = plantedSecrets();
    expect(secrets.length).toBeGreaterThan(10);
    const host = log.logger("gateway");
    const plugin = log.logger("plugins", { pluginId: "guard" });
    for (const { text } of secrets) {
      host.info(text, { note: text });
      plugin.error("failed", { cause: new Error(text), nested: [{ text }] });
    }
    log.close();
    const written = readFileSync(file, "utf8");
    expect(shown.join("")).toBe(written);
    expect(followed).toHaveLength(secrets.length * 2);
    const kept = secrets.filter(({ secret }) => {
      const json = JSON.stringify(secret).slice(1, -1);
      return [written, JSON.stringify(followed)].some((sink) => sink.includes(json));
    });
    expect(kept.map(({ secret }) => secret)).toEqual([]);
  });

  it("[GW-048] leaves keys of sessions and IDs of runs readable", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.log");
    const log = openLog(file, { level: "info" });
    const fields = {
      sessionKey: "agent:main:telegram:direct:4711",
      runId: "0199c0de-1111-7222-8333-444455556666",
      traceId: "0af7651916cd43dd8448eb211c80319c",
      pluginId: "guard",
    };
    log.logger("plugins").info("a turn", fields);
    log.close();
    expect(linesOf(file)).toMatchObject([fields]);
  });

  it("keeps nothing without a file", () => {
    const log = openLog(undefined, { level: "debug" });
    expect(() => log.logger("gateway").error("nowhere")).not.toThrow();
    log.close();
  });
});
