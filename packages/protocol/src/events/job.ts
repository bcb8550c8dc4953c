import { Type } from "typebox";
import { defineEvent } from "../definition/event.js";

/** States of a job, in the order of its life. */
export const jobState = Type.Enum(
  [
    ...["pending", "in_progress", "completed", "submitted"],
    ...["accepted", "failed", "stuck", "cancelled"],
  ] as const,
  { description: "State of the job." },
);

/** Events of jobs (CHAN-035). */
export const jobEvents = {
  "job.changed": defineEvent({
    name: "job.changed",
    summary: "Sent when a job was created or changed its state, and when it waits for an approval.",
    payload: Type.Object({
      jobId: Type.String(),
      title: Type.String(),
      state: jobState,
      awaitsApproval: Type.Boolean({ description: "True while it waits for an approval." }),
      channel: Type.String({ description: "Channel on which it was asked for." }),
      sessionKey: Type.Optional(
        Type.String({
          description: "Session that gets the result; absent when no conversation asked.",
        }),
      ),
      parentId: Type.Optional(Type.String({ description: "Job that asked for it." })),
      reason: Type.Optional(Type.String({ description: "Why it failed." })),
    }),
    scope: "operator.read",
    delivery: "durable",
  }),
};
