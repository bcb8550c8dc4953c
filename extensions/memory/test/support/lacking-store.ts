import type { PluginStore } from "@openclaw/plugin-sdk/store";
import { openTestStore } from "@openclaw/plugin-testkit";
import { onTestFinished } from "vitest";

/**
 * Opens a store without full text or without vector functions, until the end of the test.
 * @param lack - missing functions of the database
 */
export async function lackingStore(
  lack: "full text" | "vectors",
): Promise<Pick<PluginStore, "database">> {
  const { store, close } = await openTestStore();
  onTestFinished(close);
  return {
    async database(options) {
      const database = await store.database(options);
      if (lack === "vectors") {
        return {
          dialect: database.dialect,
          vectors: { extension: "none", reason: "not installed" },
          query: (sql, params) => database.query(sql, params),
          transaction: (work) => database.transaction(work),
        };
      }
      return {
        dialect: database.dialect,
        vectors: database.vectors,
        query: async (sql, params) => {
          if (sql.includes("fts5")) throw new Error("no such module: fts5");
          return await database.query(sql, params);
        },
        transaction: (work) => database.transaction(work),
      };
    },
  };
}
