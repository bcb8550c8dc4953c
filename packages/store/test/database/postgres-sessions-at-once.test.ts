import { Client } from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openStore, type Store } from "../../src/index.js";
import { newServerDatabase } from "../support/open-store.js";

// The server takes longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** Opens two nodes on one database. */
async function openNodes() {
  const { url } = newServerDatabase();
  const one = await openStore({ url, nodeId: "one" });
  const two = await openStore({ url, nodeId: "two" });
  opened.push(one, two);
  return { one, two, url };
}

function gate(): { open(): void; opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

/** Begins a transaction, which writes a row and then waits. */
function begin(store: Store, name: string, session?: string, log: string[] = []) {
  const written = gate();
  const mayEnd = gate();
  const work = async (unit: Store) => {
    await unit.sessions.open(`agent:main:${name}`, { agentId: "main" });
    log.push(`${name} writes`);
    written.open();
    await mayEnd.opened;
  };
  const done = store.transaction(work, { session }).then(() => log.push(`${name} is done`));
  return { written: written.opened, end: mayEnd.open, done };
}

/** Resolves when a number of transactions wait for a lock of the server. */
async function waiting(url: string, count: number): Promise<void> {
  const client = new Client({ connectionString: url.replace(/\?.*$/u, "") });
  await client.connect();
  // Those of this process: other tests use the server too.
  const text = `select count(*)::int as waiting from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and not granted and application_name like $1`;
  const name = `openclaw, process ${process.pid} of %`;
  try {
    await expect.poll(async () => (await client.query(text, [name])).rows[0]?.waiting).toBe(count);
  } finally {
    await client.end();
  }
}

describe("transactions of sessions on a server", () => {
  it("[SCALE-644] of different sessions run at once, in one process and on two nodes", async () => {
    const { one, two } = await openNodes();
    const running = [begin(one, "a", "a"), begin(one, "b", "b"), begin(two, "c", "c")];
    await Promise.all(running.map(({ written }) => written));
    for (const { end } of running) end();
    await Promise.all(running.map(({ done }) => done));
    expect(await one.sessions.list({ limit: 10 })).toHaveLength(3);
  });

  it("[SCALE-644] of one session, and one that runs alone, wait on another node too", async () => {
    const { one, two, url } = await openNodes();
    const log: string[] = [];
    const first = begin(one, "first", "a", log);
    await first.written;
    const same = begin(two, "same", "a", log);
    await waiting(url, 1);
    const other = begin(two, "other", "b", log);
    await other.written;
    const alone = begin(one, "alone", undefined, log);
    for (const { end, done } of [other, first]) {
      end();
      await done;
    }
    await same.written;
    // It waits in its own process until then.
    await waiting(url, 1);
    for (const { end, done } of [same, alone]) {
      end();
      await done;
    }
    expect(log).toEqual([
      ...["first writes", "other writes", "other is done", "first is done", "same writes"],
      ...["same is done", "alone writes", "alone is done"],
    ]);
  });

  it("[SCALE-644] publish to other nodes what they publish", async () => {
    const { one, two } = await openNodes();
    const heard = new Promise((resolve) => two.topics.subscribe("test", resolve));
    const publish = async (unit: Store) => unit.topics.publish("test", "said in a session");
    await one.transaction(publish, { session: "a" });
    expect(await heard).toBe("said in a session");
  });
});
