// What a PostgreSQL server has done until now: its processor time, its commits, and the rows that were written in each
// table. The difference of two readings is what the work between them cost.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";

const FLUSHES = 500;

/**
 * Reads the counters of a server.
 * @param url - URL of the server
 * @param schema - the tables that count
 */
export async function readCosts(url, schema) {
  return await withClient(url, async (client) => {
    const { rows: about } = await client.query(
      "select current_setting('data_directory') as folder, pg_current_xact_id()::text as xid, pg_current_wal_lsn() - '0/0'::pg_lsn as log",
    );
    const { rows } = await client.query(
      "select relname as name, n_tup_ins + n_tup_upd + n_tup_del as written from pg_stat_user_tables where schemaname = $1",
      [schema],
    );
    const [{ folder, xid, log }] = about;
    const master = Number(readFileSync(`${folder}/postmaster.pid`, "utf8").split("\n")[0]);
    return {
      processorMs: processorMs(master),
      commits: Number(xid),
      logBytes: Number(log),
      written: new Map(rows.map(({ name, written }) => [name, Number(written)])),
    };
  });
}

/**
 * Measures one statement, and one flush of the server's log: what a commit takes longer than one that does not wait for it.
 * @param url - URL of the server
 */
export async function measureFlush(url) {
  return await withClient(url, async (client) => {
    await client.query("create table flushed (id int)");
    const medianOf = async (setting) => {
      await client.query(`set synchronous_commit = ${setting}`);
      const times = [];
      for (let index = 0; index < FLUSHES; index += 1) {
        const begun = performance.now();
        await client.query("insert into flushed values (1)");
        times.push(performance.now() - begun);
      }
      return times.sort((one, other) => one - other)[FLUSHES / 2];
    };
    const [quick, flushed] = [await medianOf("off"), await medianOf("on")];
    await client.query("drop table flushed");
    return { flushMs: Math.max(0, flushed - quick), roundTripMs: quick, n: FLUSHES };
  });
}

async function withClient(url, use) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Processor time of a process, of its child processes that live and of those that have ended. */
function processorMs(master) {
  const perSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  let ticks = 0;
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/u.test(name))) {
    let stat;
    try {
      stat = readFileSync(`/proc/${entry}/stat`, "utf8");
    } catch {
      // The process has ended since the folder was read.
      continue;
    }
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isMaster = Number(entry) === master;
    if (!isMaster && Number(fields[1]) !== master) continue;
    // user and system; of the master also those of its ended children
    const counted = fields.slice(11, isMaster ? 15 : 13);
    ticks += counted.reduce((sum, each) => sum + Number(each), 0);
  }
  return (ticks / perSecond) * 1000;
}
