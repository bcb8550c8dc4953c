import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { describeMemory } from "./support/memory-suite.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server of the project `postgres`. */
    postgresUrl?: string;
  }
}

describeMemory({
  name: "PostgreSQL without pgvector",
  dialect: "postgres",
  vectors: "none",
  place: () => ({ url: `${inject("postgresUrl")}?schema=test_${randomUUID()}` }),
});
