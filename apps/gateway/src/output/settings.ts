import { Type } from "typebox";
import {
  type CommandOutputs,
  configurationProblem,
  document,
  path,
  resultOf,
} from "./command-output.js";

const changed = document(
  Type.Object({
    changed: Type.Array(
      Type.Object({
        key: Type.String(),
        removed: Type.Boolean(),
        applies: Type.Enum(["hot", "plugin", "channel", "listener", "restart"]),
        file: Type.Optional(path),
        database: Type.Optional(
          Type.Literal(true, { description: "The key was changed in the database." }),
        ),
      }),
    ),
    secrets: Type.Optional(
      Type.Array(Type.String(), { description: "Names of the secrets that were stored." }),
    ),
    incomplete: Type.Optional(
      Type.Array(
        Type.Object({
          channel: Type.String(),
          accountId: Type.String(),
          lacks: Type.Array(Type.String(), { description: "Settings that it still needs." }),
        }),
        { description: "Channels that are not started yet." },
      ),
    ),
    unchecked: Type.Optional(
      Type.Array(Type.String(), { description: "Channels whose settings nothing checks." }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: "Names in the change that nothing has yet." }),
    ),
    failures: Type.Optional(resultOf("config.reload").properties.failures),
    problem: Type.Optional(
      Type.String({ description: "Why a running gateway did not apply the change." }),
    ),
    hash: Type.Optional(Type.String({ description: "Version of the file, for --base-hash." })),
    gateway: Type.Optional(resultOf("config.reload")),
    unanswered: Type.Optional(
      Type.String({ description: "Why the running gateway did not say what it did." }),
    ),
  }),
);

/** Outputs of the commands about the configuration and secrets. */
export const settingOutputs: CommandOutputs = {
  "config validate": document(
    Type.Object({
      file: path,
      exists: Type.Boolean(),
      valid: Type.Boolean(),
      errors: Type.Array(configurationProblem),
      warnings: Type.Array(configurationProblem),
    }),
  ),
  "config get": document(
    Type.Unknown({
      description:
        "The value of the key; with --explain its origin too; without a key an object with file, hash and value.",
    }),
  ),
  "config schema": document(Type.Object({}, { description: "JSON Schema of the file." })),
  "config set": changed,
  "config unset": changed,
  "config patch": changed,
  "config edit": document(Type.Object({ file: path, saved: Type.Boolean() })),
  "config restore": document(
    Type.Union([
      Type.Object({ restored: Type.Literal(false) }),
      Type.Object({ restored: Type.Literal(true), files: Type.Array(path) }),
    ]),
  ),
  "secrets set": document(resultOf("secrets.set")),
  "secrets list": document(resultOf("secrets.list")),
  "secrets uses": document(resultOf("secrets.uses")),
  "secrets delete": document(
    Type.Object({
      name: Type.String(),
      deleted: Type.Boolean(),
      usedBy: Type.Optional(
        Type.String({ description: "Key of the configuration that refers to it." }),
      ),
    }),
  ),
  "secrets rotate": document(resultOf("secrets.rotate")),
  "secrets export": document(Type.Object({ file: path })),
  "secrets import": document(resultOf("secrets.import")),
  "secrets login": document(
    Type.Object({
      name: Type.String(),
      status: Type.Enum(["completed", "failed", "expired", "cancelled"]),
      message: Type.String({ description: "Sentence about the status, without secrets." }),
    }),
  ),
  "secrets logout": document(
    Type.Object({
      name: Type.String(),
      removed: Type.Boolean({ description: "False when there were no tokens." }),
      revoked: Type.Boolean({ description: "True when the server revoked them." }),
    }),
  ),
  "secrets logins": document(resultOf("logins.list")),
};
