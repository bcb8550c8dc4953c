import type { ModelSettings, ModelToolChoice } from "@openclaw/models";
import type {
  FilePart,
  ImagePart,
  JsonObject,
  JsonSchema,
  TextPart,
} from "@openclaw/plugin-sdk/tools";
import type { Guidance } from "./call.js";

/** A tool that the client of a request runs itself (GW-036). */
export interface ClientTool {
  /** 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object schema. The host does not validate arguments with it. */
  readonly parameters: JsonSchema;
  /** True asks the provider to follow the schema exactly. */
  readonly strict?: boolean | undefined;
}

/** An authorized call of a client's tool, which the client has to run. */
export interface ClientCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The final arguments, after hooks. */
  readonly params: JsonObject;
  /** Notes of plugins that the model receives with the result. */
  readonly guidance?: readonly Guidance[] | undefined;
}

/** The result of a call that an earlier turn returned to its client. */
export interface ClientToolResult extends ClientCall {
  readonly content: readonly (TextPart | ImagePart)[];
  readonly isError: boolean;
}

/** The part of a request with which a client takes part in the model loop of its turn. */
export interface ClientRequest {
  /** Tools offered to the model in addition to those of the host. */
  readonly tools?: readonly ClientTool[] | undefined;
  /**
   * Applies to the first model call of the turn; `none` applies to all of them. The turn may need further
   * calls, for the results of the host's tools.
   */
  readonly toolChoice?: ModelToolChoice | undefined;
  /** False returns at most one call of a client's tool at a time. */
  readonly parallelToolCalls?: boolean | undefined;
  /** Settings of the model calls for the answer. */
  readonly settings?: ModelSettings | undefined;
  /** Images and files of the user's message. */
  readonly media?: readonly (ImagePart | FilePart)[] | undefined;
  /** Results with which the turn begins instead of a message of the user. */
  readonly results?: readonly ClientToolResult[] | undefined;
  /** True when the text and media of the request follow the results, as a message of the user. */
  readonly speaksAfterResults?: boolean | undefined;
}

/**
 * Returns true when a request has a message of the user, false when its text only describes the results of a client.
 * @param request - request of a turn
 */
export function hasUserMessage({
  client,
}: {
  readonly client?: ClientRequest | undefined;
}): boolean {
  return client?.results === undefined || client.speaksAfterResults === true;
}
