import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };
const text = { minLength: 1, maxLength: 400 };

const runId = Type.String({ ...text, description: "ID of the run." });

const comparedStep = Type.Object({
  kind: Type.String({ description: "For example `model-requested` or `tool-answered`." }),
  content: Type.Unknown({ description: "What is compared, without IDs and times." }),
});

const stepDifference = Type.Object({
  step: Type.Integer({ description: "Place in the recorded journal, from 1." }),
  expected: Type.Optional(comparedStep),
  got: Type.Optional(comparedStep),
});

const replayReport = Type.Object({
  status: Type.Enum(["identical", "diverged"]),
  steps: Type.Integer({ description: "Number of recorded steps that are compared." }),
  divergence: Type.Optional(
    Type.Object(stepDifference.properties, {
      description: "First step that differs; absent when all are identical.",
    }),
  ),
});

const outcomeOfCall = Type.Enum(["ran", "asked", "denied", "absent"], {
  description: "`asked`: after an approval request; `absent`: the model did not make the call.",
});

const flip = Type.Object({
  toolCallId: Type.String(),
  toolName: Type.String(),
  before: outcomeOfCall,
  after: outcomeOfCall,
});

/** The methods that repeat recorded runs without effects. */
export const runReplayMethods = methodTable(
  defineMethod({
    name: "run.replay",
    summary:
      "Replays a recorded run with the plugins, policy and configuration of now: models and tools answer from the recording, so that nothing is executed and nothing is sent (TURN-057).",
    params: Type.Object({ runId }, closed),
    result: replayReport,
    errors: ["RUN_NOT_FOUND", "RUN_NOT_REPLAYABLE"],
    scope: "operator.write",
    effect: "read",
  }),
  defineMethod({
    name: "run.whatIf",
    summary:
      "Replays a recorded run twice, as it is and with changes, and returns the steps and decisions that the changes alter; nothing is executed (TURN-501).",
    params: Type.Object(
      {
        runId,
        configuration: Type.Optional(
          Type.Object(
            {
              file: Type.String({ ...text, description: "Name of the file in results." }),
              text: Type.String({ description: "Text of the configuration file." }),
            },
            {
              ...closed,
              description:
                "Configuration to replay with, without included files and variables; that of now when absent.",
            },
          ),
        ),
        disabledPlugins: Type.Optional(
          Type.Array(Type.String({ ...text, description: "ID of a plugin." }), {
            maxItems: 100,
            description: "Plugins that are left out.",
          }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      baseline: Type.Object(replayReport.properties, {
        description:
          "Replay without the changes; when it diverged, the plugins or the configuration have changed since the run.",
      }),
      steps: Type.Integer({ description: "Number of steps without the changes." }),
      flips: Type.Array(flip, { description: "Calls that end in another way." }),
      differences: Type.Array(stepDifference, {
        description: "Steps that differ, at most 200; `expected` is without the changes.",
      }),
    }),
    errors: ["RUN_NOT_FOUND", "RUN_NOT_REPLAYABLE", "CONFIG_INVALID"],
    scope: "operator.admin",
    effect: "read",
  }),
);
