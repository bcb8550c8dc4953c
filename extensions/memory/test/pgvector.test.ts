import { afterAll, beforeAll } from "vitest";
import { describeMemory } from "./support/memory-suite.js";
import { PgliteServer } from "./support/pglite-database.js";

let server: PgliteServer;
beforeAll(async () => {
  server = await PgliteServer.start();
}, 60_000);
afterAll(() => server.stop());

describeMemory({
  name: "PostgreSQL with pgvector",
  dialect: "postgres",
  vectors: "pgvector",
  place: () => ({ store: server.newStore() }),
});
