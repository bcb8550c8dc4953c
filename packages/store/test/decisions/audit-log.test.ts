import { createHash } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { NewAuditEntry } from "../../src/decisions.js";
import { StoreArgumentError } from "../../src/errors.js";
import { openTestEngine, openTestStore, START, storeDatabase } from "../support/open-store.js";

const created: NewAuditEntry = {
  event: "created",
  approvalId: "apr_1",
  runId: "run",
  sessionKey: "session \0",
  tool: "write",
  actor: { channel: "test", id: "owner" },
  digest: "d1",
};

describe("store.audit", () => {
  it("[APPR-034] stores events as a hash chain", async () => {
    const database = storeDatabase();
    const store = await openTestStore({ ...database, now: () => START });
    const first = await store.decisions.auditLog.append(created);
    expect(first).toEqual({ ...created, seq: 1, at: START, hash: expect.any(String) });
    const second = await store.decisions.auditLog.append({
      ...created,
      event: "decided",
      decision: "denied",
    });
    await store.decisions.auditLog.append({
      event: "revoked",
      grantId: "grt_1",
      sessionKey: "other",
    });
    expect(second.hash).not.toBe(first.hash);
    await store.close();

    const { auditLog: audit } = (await openTestStore(database)).decisions;
    expect((await audit.list()).map(({ seq }) => seq)).toEqual([3, 2, 1]);
    expect(await audit.list({ approvalId: "apr_1", limit: 1 })).toEqual([second]);
    expect(await audit.list({ sessionKey: "other" })).toMatchObject([{ grantId: "grt_1" }]);
    expect(await audit.list({ before: 2 })).toEqual([first]);
    expect(await audit.verify()).toEqual({ intact: true, rows: 3 });
    await expect(audit.list({ limit: 0 })).rejects.toThrow(StoreArgumentError);
  });

  it("is empty and intact at first", async () => {
    const { auditLog: audit } = (await openTestStore()).decisions;
    expect(await audit.list()).toEqual([]);
    expect(await audit.verify()).toEqual({ intact: true, rows: 0 });
  });

  it("does not fork with concurrent writers, and drops entries that are rolled back", async () => {
    const store = await openTestStore();
    await Promise.all(Array.from({ length: 20 }, () => store.decisions.auditLog.append(created)));
    const undone = store.transaction(async (unit) => {
      await unit.decisions.auditLog.append(created);
      throw new Error("undo");
    });
    await expect(undone).rejects.toThrow("undo");
    expect(await store.decisions.auditLog.append(created)).toMatchObject({ seq: 21 });
    expect(await store.decisions.auditLog.verify()).toEqual({ intact: true, rows: 21 });
  });

  it("[APPR-034] seals each entry with all of its fields and the hash before it", async () => {
    const database = storeDatabase();
    const store = await openTestStore({ ...database, now: () => START });
    for (const event of ["created", "decided"] as const) {
      await store.decisions.auditLog.append({ ...created, event });
    }
    await store.close();
    const engine = await openTestEngine(database);
    const rows = await engine.unit.query().selectFrom("audit").selectAll().orderBy("seq").execute();
    let previous = "";
    for (const { seq, at, event, approval_id, run_id, session_key, facts, hash } of rows) {
      const place = [Number(seq), Number(at), event, approval_id, run_id, session_key];
      const sealed = JSON.stringify([...place, facts, previous]);
      expect(hash).toBe(createHash("sha256").update(sealed).digest("hex"));
      previous = hash;
    }
    expect(rows).toHaveLength(2);
  });

  it("[APPR-034] covers the entry before with each hash", async () => {
    const second = async (first: Partial<NewAuditEntry>) => {
      const { auditLog } = (await openTestStore({ now: () => START })).decisions;
      await auditLog.append({ ...created, ...first });
      return await auditLog.append({ ...created, event: "consumed" });
    };
    const entry = await second({});
    expect(await second({})).toEqual(entry);
    expect((await second({ tool: "edit" })).hash).not.toBe(entry.hash);
  });

  it.each<[string, string, number, string]>([
    ["changed", "update audit set facts = '{}' where seq = 2", 2, "entry 2 was changed"],
    ["moved in time", "update audit set at = at + 1 where seq = 2", 2, "entry 2 was changed"],
    ["given another event", "update audit set event = 'granted' where seq = 2", 2, "entry 2 was"],
    ["given another run", "update audit set run_id = 'x' where seq = 2", 2, "entry 2 was"],
    ["given another session", "update audit set session_key = 'x' where seq = 2", 2, "entry 2 was"],
    ["followed by another end", "update audit_head set hash = 'x'", 4, "the chain ends at "],
    [
      "given another approval",
      "update audit set approval_id = 'x' where seq = 3",
      3,
      "entry 3 was",
    ],
    ["removed", "delete from audit where seq = 2", 2, "entry 2 is missing"],
    [
      "removed from the end",
      "delete from audit where seq = 3",
      3,
      "the chain ends at entry 2, but 3",
    ],
    [
      "chained differently",
      "update audit set previous_hash = 'x' where seq = 2",
      2,
      "entry 2 does not match the hash of the previous entry",
    ],
  ])("[APPR-034] reports the first entry that was %s", async (_what, change, seq, problem) => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    for (let index = 0; index < 3; index++) await store.decisions.auditLog.append(created);
    await store.close();
    const engine = await openTestEngine(database);
    await sql.raw(change).execute(engine.unit.query());
    await engine.unit.close();
    const { auditLog: audit } = (await openTestStore(database)).decisions;
    expect(await audit.verify()).toEqual({
      intact: false,
      seq,
      problem: expect.stringContaining(problem),
    });
  });

  it("verifies more than one page", async () => {
    const store = await openTestStore();
    await store.transaction(async (unit) => {
      for (let index = 0; index < 501; index++)
        await unit.decisions.auditLog.append({ event: "delivered" });
    });
    expect(await store.decisions.auditLog.verify()).toEqual({ intact: true, rows: 501 });
  });
});
