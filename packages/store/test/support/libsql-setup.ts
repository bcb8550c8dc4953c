import type { TestProject } from "vitest/node";
import { startLibsqlServer } from "./libsql-server.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of a libSQL server for tests, up to the name of a database; absent when the store uses another engine. */
    libsqlUrl?: string;
    /** Folder of the files of that server. */
    libsqlFolder?: string;
    /** True when libSQL opens the files of the store. */
    isLibsql?: boolean;
  }
}

/** Runs a server for a test run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startLibsqlServer();
  project.provide("libsqlUrl", server.anyUrl);
  project.provide("libsqlFolder", server.folder);
  return async () => await server[Symbol.asyncDispose]();
}
