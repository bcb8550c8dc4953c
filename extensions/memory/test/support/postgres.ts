import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { vector } from "@electric-sql/pglite-pgvector";

/** A PostgreSQL server in this process, with pgvector. */
export interface PostgresWithVectors {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server in memory on a free port. */
export async function startPostgresWithVectors(): Promise<PostgresWithVectors> {
  const database = await PGlite.create({ extensions: { vector } });
  const server = new PGLiteSocketServer({ db: database, host: "127.0.0.1", port: 0, maxConnections: 100 });
  await server.start();
  const address = server.getServerConn();
  return {
    url: `postgres://postgres:postgres@${address}/postgres`,
    async stop() {
      await server.stop();
      await database.close();
    },
  };
}
