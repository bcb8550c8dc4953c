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

/** Number of steps of the plan of a job that are done. */
export const jobPlan = Type.Object(
  {
    done: Type.Integer({ description: "Number of its steps that are done." }),
    total: Type.Integer({ description: "Number of its steps." }),
    step: Type.Optional(Type.String({ description: "The step that is worked on." })),
  },
  { description: "How far its plan is; absent when its agent has made none." },
);

/** Progress that a tool of a job reported last. */
export const jobProgress = Type.Object(
  {
    done: Type.Number({ description: "Amount that is done." }),
    total: Type.Optional(Type.Number({ description: "Amount of the whole work." })),
    note: Type.Optional(Type.String({ description: "What is being done." })),
  },
  { description: "Progress that a tool reported last." },
);

/** Open budget request of a job. */
export const jobBudgetRequest = Type.String({
  description:
    "Why its work waits for its creator, who answers with `jobs.continue` or `jobs.cancel`; absent while it does not wait.",
});

/** Events of jobs (CHAN-035). */
export const jobEvents = {
  "job.changed": defineEvent({
    name: "job.changed",
    summary:
      "Sent when a job was created, changed its state or its plan, made progress, and when it waits for an approval.",
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
      question: Type.Optional(jobBudgetRequest),
      plan: Type.Optional(jobPlan),
      progress: Type.Optional(jobProgress),
    }),
    scope: "operator.read",
    delivery: "durable",
  }),
  "job.worker_event": defineEvent({
    name: "job.worker_event",
    summary:
      "Sent when the worker of a job reports something; at most 20 a second for each job, of which the rest is counted.",
    payload: Type.Object({
      jobId: Type.String(),
      type: Type.Enum(["message", "tool_use", "tool_result", "result", "status"]),
      text: Type.String({ description: "After the safety pipeline." }),
      tool: Type.Optional(Type.String({ description: "Tool that it is about." })),
      skipped: Type.Optional(
        Type.Integer({ description: "Number of events before it that were not sent." }),
      ),
    }),
    scope: "operator.read",
    delivery: "droppable",
  }),
};
