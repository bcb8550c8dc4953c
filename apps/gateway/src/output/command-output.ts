import { type GatewayMethods, gatewayMethods } from "@openclaw/protocol";
import { type TSchema, Type } from "typebox";

/** Output of a command with `--json`: one document, or one object for each line. */
export interface CommandOutput {
  readonly form: "document" | "lines";
  readonly schema: TSchema;
}

/** Outputs by the name of the command, for example `plugins list`. */
export type CommandOutputs = Readonly<Record<string, CommandOutput>>;

/**
 * Returns the output of a command that prints one document.
 * @param schema - schema of the document
 */
export function document(schema: TSchema): CommandOutput {
  return { form: "document", schema };
}

/**
 * Returns the output of a command that prints one object for each line.
 * @param schema - schema of a line
 */
export function lines(schema: TSchema): CommandOutput {
  return { form: "lines", schema };
}

/**
 * Returns the schema of the result of a gateway method, which many commands print as it is.
 * @param name - name of the method
 */
export function resultOf<Name extends keyof GatewayMethods & string>(
  name: Name,
): GatewayMethods[Name]["result"] {
  return gatewayMethods[name].result;
}

/** Time in milliseconds since the epoch. */
export const time = Type.Integer({ minimum: 0, description: "Milliseconds since the epoch." });

/** Path of a file or a folder. */
export const path = Type.String({ description: "Path on the machine of the command." });

/** Problem of a configuration file with its place. */
export const configurationProblem = Type.Object({
  key: Type.String(),
  message: Type.String(),
  suggestion: Type.Optional(Type.String()),
  file: path,
  line: Type.Integer(),
  column: Type.Integer(),
});

/** Remark about a plugin. */
export const pluginNote = Type.Object({
  level: Type.Enum(["info", "warn", "error"]),
  code: Type.String(),
  message: Type.String(),
  hint: Type.Optional(Type.String()),
  pluginId: Type.Optional(Type.String()),
});
