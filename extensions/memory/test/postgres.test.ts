import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { describeMemory } from "./support/memory-suite.js";
import { type PostgresWithVectors, startPostgresWithVectors } from "./support/postgres.js";

let server: PostgresWithVectors | undefined;
beforeAll(async () => {
  server = await startPostgresWithVectors();
}, 60_000);
afterAll(() => server?.stop());

describeMemory({
  name: "PostgreSQL",
  dialect: "postgres",
  vectors: "pgvector",
  place: () => ({ url: `${server?.url}?schema=test_${randomUUID()}` }),
});
