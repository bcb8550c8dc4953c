// Tries to take a lock, prints what came of it as JSON, and holds it until its input ends.
import { acquireStateLock } from "../../src/index.ts";

const [file, port] = process.argv.slice(2);
try {
  const lock = await acquireStateLock(file, { pid: process.pid, startedAt: 1_700_000_000_000 });
  if (port !== undefined) await lock.setHolder({ port: Number(port) });
  console.log(JSON.stringify({ locked: true }));
  for await (const _ of process.stdin);
  await lock.release();
} catch (error) {
  console.log(JSON.stringify({ locked: false, code: error.code, holder: error.holder }));
}
