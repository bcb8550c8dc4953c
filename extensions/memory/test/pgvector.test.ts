import { afterAll, beforeAll } from "vitest";
import { describeMemory } from "./support/memory-suite.js";
import { describeMove } from "./support/move-suite.js";
import { PgliteServer } from "./support/pglite-database.js";
import { temporaryFolder } from "./support/temporary-folder.js";

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

describeMove({
  name: "from SQLite to PostgreSQL with pgvector",
  from: () => ({ folder: temporaryFolder() }),
  to: () => ({ store: server.newStore() }),
});
describeMove({
  name: "from PostgreSQL with pgvector to SQLite",
  from: () => ({ store: server.newStore() }),
  to: () => ({ folder: temporaryFolder() }),
});
