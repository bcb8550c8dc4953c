import type { JsonObject, JsonSchema, JsonValue } from "../schema/json.js";

/** Schema of the fields of an input request: an object without nested objects. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Request of a tool for input of a person, as `input` of its result (EXT-360). */
export interface ToolInputRequest {
  /** Identifies the request among those of the call, 1 to 64 characters of `A-Z a-z 0-9 _ -`; default `input`. */
  readonly name?: string;
  /** Sentence for the person, at most 512 characters. */
  readonly message: string;
  /** Fields to fill in. */
  readonly schema: InputSchema;
  /** Value that the call receives with the input; stored with the call and shown to no person and no model. */
  readonly state?: JsonValue;
}

/** Answer to an input request, with which the call is made once more. */
export type ToolInput = {
  /** Name of the request. */
  readonly name: string;
  /** State of the request. */
  readonly state?: JsonValue;
} & (
  | {
      readonly action: "accept";
      /** Values that fit the schema. */
      readonly content: JsonObject;
    }
  /** The person declined. */
  | { readonly action: "decline" }
  /** No person can answer, or none did in time. */
  | { readonly action: "cancel" }
);
