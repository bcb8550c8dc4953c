import { Type } from "typebox";
import { defineEvent } from "../definition/event.js";

/** States of a due time of a routine; the last five are final. */
export const routineRunState = Type.Enum(
  ["queued", "running", "ok", "attention", "failed", "skipped", "missed"] as const,
  { description: "Status of the due time." },
);

/** Events of routines. */
export const routineEvents = {
  "cron.changed": defineEvent({
    name: "cron.changed",
    summary: "Sent when a routine was changed, and when one of its runs begins and ends.",
    payload: Type.Object({
      action: Type.Enum(["added", "updated", "removed", "started", "finished", "scheduled"]),
      routineId: Type.String(),
      name: Type.String(),
      enabled: Type.Boolean(),
      sessionKey: Type.Optional(
        Type.String({
          description: "Session that gets its results; absent when no conversation asked.",
        }),
      ),
      nextAt: Type.Optional(
        Type.Integer({ description: "Next due time, in milliseconds since the epoch." }),
      ),
      plannedAt: Type.Optional(
        Type.Integer({ description: "Due time of the run, in milliseconds since the epoch." }),
      ),
      state: Type.Optional(routineRunState),
      reason: Type.Optional(Type.String({ description: "Why the run ended as it did." })),
      delivery: Type.Optional(Type.Enum(["not-requested", "delivered", "not-delivered"])),
    }),
    scope: "operator.read",
    delivery: "durable",
  }),
};
