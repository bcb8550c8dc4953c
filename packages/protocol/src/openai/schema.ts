import { type Static, type TSchema, Type } from "typebox";

/** Returns the schema of an optional field that may also be null, as clients send fields without a value. */
export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** Definition of a function that a client runs. */
export const functionDefinitionSchema = Type.Object({
  name: Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$" }),
  description: nullable(Type.String()),
  parameters: nullable(Type.Record(Type.String(), Type.Unknown())),
  strict: nullable(Type.Boolean()),
});

/** Definition of a function that a client runs. */
export type FunctionDefinition = Static<typeof functionDefinitionSchema>;

/** Effort that a model makes to reason before its answer. */
export const reasoningEffortSchema = Type.Enum([
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
]);

/** Schema of a JSON reply. */
export const jsonFormatSchema = Type.Object({
  name: Type.String(),
  description: nullable(Type.String()),
  schema: nullable(Type.Record(Type.String(), Type.Unknown())),
  strict: nullable(Type.Boolean()),
});

/** Data that a client stores with a request: at most 16 pairs. */
export const metadataSchema = Type.Record(
  Type.String({ maxLength: 64 }),
  Type.String({ maxLength: 512 }),
  { maxProperties: 16 },
);
