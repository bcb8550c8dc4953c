import { afterAll, beforeAll } from "vitest";
import { describeMemory } from "./support/memory-suite.js";
import { describeMove } from "./support/move-suite.js";
import { PgliteServer } from "./support/pglite-server.js";
import { temporaryFolder } from "./support/temporary-folder.js";

let server: PgliteServer;
beforeAll(async () => {
  server = await PgliteServer.start();
}, 60_000);
afterAll(() => server.stop());

const place = () => ({ url: server.newUrl() });

describeMemory({
  name: "PostgreSQL with pgvector",
  dialect: "postgres",
  vectors: "pgvector",
  place,
});

describeMove({
  name: "from SQLite to PostgreSQL with pgvector",
  from: () => ({ folder: temporaryFolder() }),
  to: place,
});
describeMove({
  name: "from PostgreSQL with pgvector to SQLite",
  from: place,
  to: () => ({ folder: temporaryFolder() }),
});
