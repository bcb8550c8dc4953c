import { Type } from "typebox";
import { defineMethod } from "../../definition/method.js";
import { methodTable } from "../../definition/method-table.js";

const closed = { additionalProperties: false };
const name = Type.String({ minLength: 1, maxLength: 200, description: "Name as listed." });
const values = Type.Record(Type.String(), Type.String({ maxLength: 1_000_000 }), {
  description: "Values of the arguments.",
});

const answer = Type.Object(
  {
    action: Type.Enum(["accept", "decline", "cancel"], {
      description: "`cancel` where no person can answer.",
    }),
    content: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  closed,
);
const inputRequest = Type.Object(
  {
    name: Type.String({ description: "Name of the answer in `inputs`." }),
    message: Type.String(),
    schema: Type.Record(Type.String(), Type.Unknown(), { description: "Schema of the content." }),
    url: Type.Optional(Type.String({ description: "Page that the person is asked to open." })),
  },
  {
    description:
      "Input without which the prompt has no messages: the call is made once more with the answer.",
  },
);

/** The methods of prompts of plugins (PLUG-350). */
export const promptMethods = methodTable(
  defineMethod({
    name: "prompts.list",
    summary: "Lists the prompts of plugins.",
    params: Type.Object({}, closed),
    result: Type.Object({
      prompts: Type.Array(
        Type.Object({
          name: Type.String({
            description: "Name, with the plugin and a colon before it where two plugins have it.",
          }),
          pluginId: Type.String(),
          title: Type.Optional(Type.String()),
          description: Type.String(),
          arguments: Type.Array(
            Type.Object({
              name: Type.String(),
              description: Type.Optional(Type.String()),
              required: Type.Boolean(),
            }),
          ),
        }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "prompts.get",
    summary: "Returns the messages of a prompt of a plugin.",
    params: Type.Object(
      {
        name,
        arguments: Type.Optional(values),
        inputs: Type.Optional(
          Type.Record(Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$" }), answer, {
            description: "Answers to the input requests of earlier calls, by their names.",
          }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      description: Type.String(),
      input: Type.Optional(inputRequest),
      messages: Type.Array(
        Type.Object({
          role: Type.Enum(["user", "assistant"]),
          content: Type.Record(Type.String(), Type.Unknown(), {
            description: "Part with text or an image.",
          }),
        }),
      ),
    }),
    errors: ["PLUGIN_PROMPT_NOT_FOUND", "PLUGIN_PROMPT_FAILED"],
    scope: "operator.write",
    effect: "read",
  }),
  defineMethod({
    name: "prompts.complete",
    summary: "Returns values for an argument of a prompt that a person is writing.",
    params: Type.Object(
      {
        name,
        argument: Type.String({ minLength: 1, maxLength: 200 }),
        value: Type.String({ maxLength: 10_000, description: "Value as far as it is written." }),
        arguments: Type.Optional(values),
      },
      closed,
    ),
    result: Type.Object({ values: Type.Array(Type.String()) }),
    errors: ["PLUGIN_PROMPT_NOT_FOUND"],
    scope: "operator.write",
    effect: "read",
  }),
);
