import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";

const closed = { additionalProperties: false };
const text = { minLength: 1, maxLength: 400 };

const forkStep = Type.Object({
  step: Type.Integer({ description: "Place in the journal of the run, from 1." }),
  kind: Type.Enum(["message", "model", "tool"]),
  name: Type.String({ description: "Model, tool, or `user`." }),
  at: Type.Number({ description: "Time, in milliseconds since the epoch." }),
});

/** Continues a run from an earlier point, in a new session. */
export const runFork = defineMethod({
  name: "run.fork",
  summary:
    "Continues a recorded run from one of its model calls in a new session. The steps before are taken from the recording and not executed again; the model is asked again from there (TURN-502).",
  params: Type.Object(
    {
      runId: Type.String({ ...text, description: "ID of the run, which has ended." }),
      fromStep: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            "`step` of a model call of the run, which is the first to be made again; default the last one.",
        }),
      ),
      model: Type.Optional(
        Type.String({ ...text, description: "Model of the fork; default that of the run." }),
      ),
      isPreview: Type.Optional(
        Type.Boolean({ description: "True to return the steps without starting the fork." }),
      ),
    },
    closed,
  ),
  result: Type.Object({
    fromStep: Type.Integer({ description: "The first model call that is made again." }),
    recorded: Type.Array(forkStep, {
      description: "Steps that are taken from the recording, and are not executed again.",
    }),
    repeated: Type.Array(forkStep, {
      description:
        "Steps of the run from there on. The fork makes the first of them, and then what the model asks for, with policy and approvals of now.",
    }),
    points: Type.Array(Type.Integer(), { description: "Values that `fromStep` can have." }),
    started: Type.Optional(
      Type.Object({
        sessionKey: Type.String({ description: "Full key of the new session." }),
        runId: Type.String({ description: "ID of the fork." }),
        messageId: Type.String({ description: "Message that the fork answers." }),
      }),
    ),
  }),
  errors: [
    "RUN_NOT_FOUND",
    "RUN_NOT_REPLAYABLE",
    "RUN_NOT_FORKABLE",
    "MODEL_NOT_FOUND",
    "MODEL_PROVIDER_NOT_READY",
  ],
  scope: "operator.write",
  effect: "write",
});

/** Continues a conversation from an earlier message, in a new session. */
export const sessionFork = defineMethod({
  name: "sessions.fork",
  summary:
    "Copies a conversation up to a message into a new session, and leaves the original as it is (TURN-503). No tool call is executed again.",
  params: Type.Object(
    {
      sessionKey: Type.String({ ...text, description: "Full or short key of the session." }),
      through: Type.Integer({
        minimum: 0,
        description:
          "`seq` of the last message that is copied, as `chat.history` returns it; the results of its tool calls are copied too. 0 for none.",
      }),
    },
    closed,
  ),
  result: Type.Object({
    sessionKey: Type.String({ description: "Full key of the new session." }),
    messages: Type.Integer({ description: "Number of messages that were copied." }),
  }),
  errors: ["SESSION_NOT_FOUND", "SESSION_KEY_REFUSED"],
  scope: "operator.write",
  effect: "write",
});
