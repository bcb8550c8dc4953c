import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { AuditFile, readAuditFile } from "../../src/audit-log/audit-file.js";
import { appendEntries, readEntries } from "../../src/audit-log/audit-store.js";
import { type AuditEntry, chained, chainProblem, NO_ENTRY } from "../../src/audit-log/entry.js";
import { auditLogger } from "../../src/audit-log/guard.js";
import { auditLines, verifyAudit } from "../../src/audit-log/verification.js";
import { DATABASE } from "../../src/migrations.js";
import { installGuard, temporaryStore } from "../support/installed-guard.js";
import { GUEST_CONTEXT } from "../support/open-host.js";

const KEY = "AKIAIOSFODNN7EXAMPLE";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "openclaw-audit-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const openDatabase = async () => (await temporaryStore()).database(DATABASE);

function chainOf(count: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    const last = entries.at(-1) ?? { seq: 0, hash: NO_ENTRY };
    entries.push(
      chained(
        { at: 1000 + index, point: "message_sent", sender: `a:${index}`, outcome: "delivered" },
        last,
      ),
    );
  }
  return entries;
}

describe("chain of the audit log", () => {
  it("[DHOOK-039] shows every changed, removed, added and moved entry", () => {
    const change = fc.constantFrom<(entries: AuditEntry[], at: number) => AuditEntry[]>(
      (entries, at) =>
        entries.map((each, index) => (index === at ? { ...each, outcome: "failed" } : each)),
      (entries, at) =>
        entries.map((each, index) => (index === at ? { ...each, at: each.at + 1 } : each)),
      (entries, at) =>
        entries.map((each, index) => (index === at ? { ...each, sender: "b:0" } : each)),
      (entries, at) => entries.filter((_each, index) => index !== at),
      (entries, at) => entries.flatMap((each, index) => (index === at ? [each, each] : [each])),
      (entries, at) => [...entries.slice(0, at), ...entries.slice(at).reverse()],
    );
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 12 }), fc.nat(), change, (count, place, tamper) => {
        const entries = chainOf(count);
        expect(chainProblem(entries)).toBeUndefined();
        // The first and the last entry can be cut off unseen; the newest hash shows that.
        const at = 1 + (place % (count - 2));
        expect(chainProblem(tamper(entries, at))).toMatch(/^entry \d+ /);
      }),
    );
  });

  it("[DHOOK-039] continues after a restart and in several batches, and names the first changed entry", async () => {
    const database = await openDatabase();
    const event = { at: 1, point: "session_start", outcome: "new" };
    await appendEntries(database, [event, event]);
    await appendEntries(database, [event]);
    expect(await verifyAudit(database, undefined)).toMatchObject({ places: [{ entries: 3 }] });
    await database.query("update audit_entries set outcome = 'other' where seq = 2");
    await expect(verifyAudit(database, undefined)).rejects.toThrow(
      "the audit log in the database was changed: entry 2 was changed",
    );
    await database.query("delete from audit_entries where seq = 2");
    await expect(verifyAudit(database, undefined)).rejects.toMatchObject({
      code: "GUARD_AUDIT_LOG_BROKEN",
    });
  });
});

describe("file of the audit log", () => {
  it("[DHOOK-039] rotates, keeps the chain over the files, and keeps the configured number", async () => {
    const path = join(folder(), "audit.jsonl");
    const file = new AuditFile(path, { maxBytes: 1000, keep: 2 });
    for (const entry of chainOf(20)) await file.append([entry]);
    const files = [`${path}.2`, `${path}.1`, path];
    const kept = (await Promise.all(files.map(readAuditFile))).flat();
    expect(existsSync(`${path}.3`)).toBe(false);
    expect(chainProblem(kept)).toBeUndefined();
    expect(kept.at(-1)?.seq).toBe(20);
    for (const each of files) expect(readFileSync(each).length).toBeLessThanOrEqual(1000);
  });

  it.for([2, 0])(
    "[GW-560] rotates while the file is mounted alone, and keeps %i files",
    async (keep, { skip }) => {
      const [source, path] = [join(folder(), "source"), join(folder(), "audit.jsonl")];
      for (const each of [source, path]) writeFileSync(each, "");
      const isMounted = spawnSync("mount", ["--bind", source, path]).status === 0;
      skip(!isMounted, "this process may not mount files");
      onTestFinished(() => void spawnSync("umount", [path]));
      const file = new AuditFile(path, { maxBytes: 1000, keep });
      for (const entry of chainOf(20)) await file.append([entry]);
      const files = [...(keep === 0 ? [] : [`${path}.2`, `${path}.1`]), source];
      const kept = (await Promise.all(files.map(readAuditFile))).flat();
      expect(chainProblem(kept)).toBeUndefined();
      expect(kept.at(-1)?.seq).toBe(20);
      for (const each of files) expect(readFileSync(each).length).toBeLessThanOrEqual(1000);
    },
  );

  it("continues behind a line that a crash left unfinished", async () => {
    const path = join(folder(), "audit.jsonl");
    const file = new AuditFile(path, { maxBytes: 100_000, keep: 1 });
    const [first, second] = chainOf(2);
    await file.append([first as AuditEntry]);
    writeFileSync(path, `${readFileSync(path, "utf8")}{"seq":2,"at":10`);
    expect(await file.repair()).toBe(1);
    await file.append([second as AuditEntry]);
    expect(chainProblem(await readAuditFile(path))).toBeUndefined();
  });
});

describe("audit_logger", () => {
  it("[DHOOK-039] appends time, point, session, sender, tool, digest and outcome of every point, and no content", async () => {
    const clock = { now: 1_700_000_000_000, store: await temporaryStore() };
    const path = join(folder(), "logs", "audit.jsonl");
    const guard = await installGuard(auditLogger, { file: path }, clock);
    const call = { toolName: "http", params: { key: KEY } };
    await guard.fire("session_start", { reason: "new", sessionId: "s" }, GUEST_CONTEXT);
    await guard.fire("message_receiving", { content: `my key is ${KEY}` }, GUEST_CONTEXT);
    await guard.fire(
      "request_post",
      { outcome: "queued", messageId: "m", durationMs: 1 },
      GUEST_CONTEXT,
    );
    await guard.fire("before_tool_call", call, GUEST_CONTEXT);
    await guard.fire("after_tool_call", { ...call, outcome: "error" }, GUEST_CONTEXT);
    await guard.fire("tool_result_persist", { toolName: "http", isSynthetic: true }, GUEST_CONTEXT);
    await guard.fire("transform_response", { content: KEY, runId: "r" }, GUEST_CONTEXT);
    await guard.fire("transcribe_audio", {}, GUEST_CONTEXT);
    await guard.fire("message_sending", { content: "hello", to: "chat-1" }, GUEST_CONTEXT);
    await guard.fire(
      "message_sent",
      { content: "hello", to: "chat-1", success: true },
      GUEST_CONTEXT,
    );
    await guard.fire(
      "session_end",
      { reason: "idle", sessionId: "s", messageCount: 2 },
      { ...GUEST_CONTEXT, ...({ senderId: KEY } as object) },
    );
    await guard.dispose();
    const database = await clock.store.database(DATABASE);
    const { values, lines } = await auditLines(database, undefined);
    expect(values.map(({ point, outcome, tool }) => [point, outcome, tool])).toEqual([
      ["session_start", "new", undefined],
      ["message_receiving", "received", undefined],
      ["request_post", "queued", undefined],
      ["before_tool_call", "requested", "http"],
      ["after_tool_call", "error", "http"],
      ["tool_result_persist", "not-executed", "http"],
      ["transform_response", "produced", undefined],
      ["transcribe_audio", "received", undefined],
      ["message_sending", "offered", undefined],
      ["message_sent", "delivered", undefined],
      ["session_end", "idle", undefined],
    ]);
    expect(values[1]).toMatchObject({
      seq: 2,
      at: clock.now,
      sessionKey: GUEST_CONTEXT.sessionKey,
      sender: "telegram:guest-1",
    });
    expect(values[1]?.digest).toMatch(/^[\da-f]{32}$/);
    expect(values[3]?.digest).toBe(values[4]?.digest);
    expect(values.at(-1)?.sender).toBe("[REDACTED]");
    const stored = JSON.stringify(values) + readFileSync(path, "utf8") + lines.join("\n");
    expect(stored).not.toContain(KEY);
    expect(stored).not.toContain("hello");
    expect(await readAuditFile(path)).toEqual(JSON.parse(JSON.stringify(values)));
    expect(await verifyAudit(database, path)).toMatchObject({
      places: [{ entries: 11 }, { entries: 11 }],
    });
  });

  it("keeps the entries when the disk of the file is full, reports it once, and writes them later", async () => {
    const clock = { now: 1, store: await temporaryStore() };
    const place = folder();
    const path = join(place, "audit.jsonl");
    symlinkSync("/dev/full", path);
    const guard = await installGuard(auditLogger, { file: path }, clock);
    const fire = () =>
      guard.fire("session_start", { reason: "new", sessionId: "s" }, GUEST_CONTEXT);
    const database = await clock.store.database(DATABASE);
    const count = async () => (await auditLines(database, undefined)).values.length;
    await fire();
    await expect.poll(count).toBe(1);
    await fire();
    await expect.poll(count).toBe(2);
    await expect.poll(() => guard.logs.length).toBe(1);
    expect(guard.logs[0]?.message).toMatch(
      /audit\.jsonl cannot be written: ENOSPC.*entries wait until it can be/,
    );
    expect(guard.counts.failed).toBe(1);
    rmSync(path);
    await fire();
    await guard.dispose();
    expect(guard.logs[1]?.message).toContain("can be written again");
    expect(await verifyAudit(database, path)).toMatchObject({ places: [{ entries: 3 }, {}] });
    expect(readdirSync(place)).toEqual(["audit.jsonl"]);
  });

  it("does not hold up messages when the database cannot be written", async () => {
    const store = await temporaryStore();
    const broken = {
      ...store,
      kv: store.kv,
      database: () => Promise.reject(new Error("disk full")),
    };
    const guard = await installGuard(auditLogger, true, { now: 1, store: broken });
    expect(await guard.fire("message_sending", { content: "hello", to: "chat-1" })).toBeUndefined();
    await expect
      .poll(() => guard.logs.map(({ message }) => message))
      .toEqual([
        "audit_logger: the database cannot be written: disk full; entries wait until it can be",
      ]);
  });

  it("finds a file that is not the one of the database", async () => {
    const database = await openDatabase();
    const path = join(folder(), "audit.jsonl");
    await new AuditFile(path, { maxBytes: 1000, keep: 1 }).append(chainOf(1));
    await appendEntries(database, [{ at: 5, point: "session_start", outcome: "new" }]);
    await expect(verifyAudit(database, path)).rejects.toThrow(
      "entry 1 is another one than in the database",
    );
    writeFileSync(path, "nonsense\n");
    await expect(verifyAudit(database, path)).rejects.toThrow("a line is not JSON");
    await expect(auditLines(database, "many")).rejects.toMatchObject({
      code: "GUARD_OPTION_INVALID",
    });
    const all: number[] = [];
    for await (const { seq } of readEntries(database)) all.push(seq);
    expect(all).toEqual([1]);
  });
});
