import { Type } from "typebox";
import { channelOutputs } from "./channels.js";
import type { CommandOutput, CommandOutputs } from "./command-output.js";
import { conversationOutputs } from "./conversations.js";
import { decisionOutputs } from "./decisions.js";
import { operationOutputs } from "./operation.js";
import { pluginOutputs } from "./plugins.js";
import { settingOutputs } from "./settings.js";

/** Output of every command that has `--json` (GW-044). */
export const commandOutputs: CommandOutputs = {
  ...operationOutputs,
  ...channelOutputs,
  ...conversationOutputs,
  ...pluginOutputs,
  ...decisionOutputs,
  ...settingOutputs,
};

/** Object that every command prints with `--json` when it fails with an error. */
const failure = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: "Code in docs/reference/error-codes.md." }),
      kind: Type.String({ description: "Kind of the error, from which the exit code follows." }),
      message: Type.String(),
    }),
  },
  { description: "Error; the exit code is not 0." },
);

/**
 * Returns the JSON Schema of the output of a command with `--json`: its result, or an error.
 * @param name - name of the command, for example `plugins list`
 * @param output - output of the command
 */
export function outputSchema(name: string, { form, schema }: CommandOutput): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `openclaw ${name} --json`,
    description:
      form === "lines"
        ? "Each line of standard output is one such object."
        : "Standard output is one such document.",
    anyOf: [schema, failure],
  };
}
