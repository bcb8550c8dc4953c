import { isJsonObject, readJson } from "../database/json-column.js";
import type { ApprovalRequester } from "./approval.js";

/** Serializes a requester for a column: equal requesters give equal strings. */
export function writeRequester({
  channel,
  accountId,
  senderId,
  isOwner,
}: ApprovalRequester): string {
  return JSON.stringify({ channel, accountId, senderId, isOwner });
}

/**
 * Parses a requester from a column.
 * @param text - the column's text
 * @param column - the column that it was read from
 * @param id - the row, for messages
 * @throws RowDataError when the text is not a requester
 */
export function readRequester(
  text: string,
  column: `${string}.${string}`,
  id: string,
): ApprovalRequester {
  return readJson(text, isRequester, column, id);
}

function isRequester(value: unknown): value is ApprovalRequester {
  return (
    isJsonObject(value) &&
    typeof value.channel === "string" &&
    typeof value.accountId === "string" &&
    typeof value.senderId === "string" &&
    (value.isOwner === undefined || value.isOwner === true)
  );
}
