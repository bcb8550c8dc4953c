import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { describeMemory } from "./support/memory-suite.js";
import { describeMove } from "./support/move-suite.js";
import { temporaryFolder } from "./support/temporary-folder.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server of the project `postgres`. */
    postgresUrl?: string;
  }
}

const place = () => ({ url: `${inject("postgresUrl")}?schema=test_${randomUUID()}` });

describeMemory({
  name: "PostgreSQL without pgvector",
  dialect: "postgres",
  vectors: "none",
  place,
});

describeMove({
  name: "from SQLite to PostgreSQL",
  from: () => ({ folder: temporaryFolder() }),
  to: place,
});
describeMove({
  name: "from PostgreSQL to SQLite",
  from: place,
  to: () => ({ folder: temporaryFolder() }),
});
