// Opens a store, opens one session in it, and prints what it found as JSON.
import { openStore } from "../../src/index.ts";

const [place] = process.argv.slice(2);
const store = await openStore(JSON.parse(place));
const { session, created } = await store.sessions.open("shared", { agentId: "agent" });
const migrations = await store.migrations();
console.log(JSON.stringify({ created, sessionId: session.sessionId, migrations }));
await store.close();
