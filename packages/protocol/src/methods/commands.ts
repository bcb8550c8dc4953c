import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

/** The methods about the slash commands of conversations. */
export const commandMethods = methodTable(
  defineMethod({
    name: "commands.list",
    summary:
      "Lists the slash commands that work now: those of the product, then those of plugins, as `/help` shows them (SUB-017). Send one as the text of `chat.send`.",
    params: Type.Object({}, { additionalProperties: false }),
    result: Type.Object({
      commands: Type.Array(
        Type.Object({
          name: Type.String({ description: "Name without the slash." }),
          aliases: Type.Array(Type.String(), { description: "Other names, without the slash." }),
          usage: Type.Optional(
            Type.String({
              description: "Arguments, for example `[id]`; absent when there are none.",
            }),
          ),
          summary: Type.String({ description: "One line." }),
          source: Type.Enum(["core", "plugin"]),
          pluginId: Type.Optional(Type.String({ description: "Plugin that registered it." })),
        }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "commands.complete",
    summary:
      "Returns values for the last word of a slash command that a person is writing, as the plugin of the command proposes them (PLUG-862).",
    params: Type.Object(
      {
        name: Type.String({
          minLength: 1,
          maxLength: 96,
          description: "Name of the command without the slash.",
        }),
        args: Type.String({ maxLength: 10_000, description: "Text after the name." }),
      },
      { additionalProperties: false },
    ),
    result: Type.Object({ values: Type.Array(Type.String()) }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
);
