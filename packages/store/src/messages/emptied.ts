import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { isJsonObject, readJson, writeJson } from "../database/json-column.js";
import type { Schema } from "../database/schema.js";
import { decodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/**
 * Empties messages whose text must not be kept (TURN-024), and the copies of it in the requests of responses.
 * @param where - selects the messages
 */
export async function emptyMessages(
  where: (builder: ExpressionBuilder<Schema, "inbox">) => Expression<SqlBool>,
  unit: UnitOfWork,
): Promise<void> {
  unit.erases();
  const messages = await unit
    .query()
    .updateTable("inbox")
    .set({ content: "", attachments: "[]" })
    .where(where)
    .returning("id")
    .execute();
  const ids = messages.map(({ id }) => id);
  if (ids.length === 0) return;
  const requests = await unit
    .query()
    .selectFrom("responses")
    .select(["response_id", "request"])
    .where("inbox_id", "in", ids)
    .execute();
  for (const { response_id, request } of requests) {
    const id = decodeText(response_id);
    const emptied = { ...readJson(request, isJsonObject, "responses.request", id), entries: [] };
    await unit
      .query()
      .updateTable("responses")
      .set({ request: writeJson(emptied, "responses.request", id) })
      .where("response_id", "=", response_id)
      .execute();
  }
}
