import type { JsonObject, JsonSchema, JsonValue } from "../schema/json.js";

/** Schema of the fields of an input request: an object without nested objects. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Request for input of a person. */
export interface InputRequest {
  /** Identifies the request among those of one call, 1 to 64 characters of `A-Z a-z 0-9 _ -`; default `input`. */
  readonly name?: string;
  /** Sentence for the person, at most 512 characters. */
  readonly message: string;
  /** Fields to fill in; without properties where the person only confirms. */
  readonly schema: InputSchema;
  /** Page that the person is asked to open, `http` or `https`, at most 4,096 characters. The host opens nothing. */
  readonly url?: string;
}

/** Request of a tool for input of a person, as `input` of its result (EXT-360). */
export interface ToolInputRequest extends InputRequest {
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
