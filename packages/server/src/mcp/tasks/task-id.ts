import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";

/** Contents of the ID of a task. */
const reference = Type.Object(
  {
    /** Full key of the session. */
    sessionKey: Type.String({ minLength: 1, maxLength: 400 }),
    messageId: Type.String({ minLength: 1, maxLength: 200 }),
    /** Time at which the message was sent, in milliseconds since 1970. */
    at: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
  },
  { additionalProperties: false },
);

/** Turn that a task stands for. */
export type TaskReference = Static<typeof reference>;

/**
 * Returns the ID of a task. It has everything that is needed to find the turn in the store, so that any node answers, also
 * after a restart. It gives no rights: each request is made with those of its token.
 * @param task - turn of the task
 */
export function taskIdOf(task: TaskReference): string {
  return Buffer.from(JSON.stringify(task)).toString("base64url");
}

/**
 * Reads the ID of a task.
 * @param taskId - ID from the client
 * @throws ProtocolError for one that this server did not give
 */
export function readTaskId(taskId: string): TaskReference {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(taskId, "base64url").toString("utf8"));
  } catch {
    read = undefined;
  }
  if (Check(reference, read)) return read;
  throw taskNotFound();
}

/** Returns the error for a task that does not exist. */
export function taskNotFound(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "task not found; tools/call of chat_send returns the ID of a task",
  );
}
