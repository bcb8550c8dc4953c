import { randomUUID } from "node:crypto";
import { isIdText } from "@openclaw/foundation";
import type { InboundMessage } from "@openclaw/messaging";
import {
  agentOfCallerKey,
  directSessionKey,
  expandSessionKey,
  senderOfCaller,
} from "@openclaw/messaging";
import { type MethodCaller, MODEL_HEADER, SESSION_KEY_HEADER } from "@openclaw/protocol";
import type { Context } from "hono";
import { requestHeader } from "../http/request-header.js";
import { invalid, type OpenAiFailure } from "./error.js";
import type { OpenAiHost } from "./host.js";

/** Sender of a request. */
export type RequestSender = Pick<
  InboundMessage,
  "channel" | "senderId" | "senderIsOwner" | "accountId"
>;

/** Maximum length of `user`, in characters: its session key fits into a header in any spelling. */
const MOST_USER = 512;

/**
 * Returns the `user` of a request; the ID is absent when the request names none.
 * @param user - value of the parameter
 */
export function readUser(
  user: string | null | undefined,
): { readonly id: string | undefined } | OpenAiFailure {
  if (user === undefined || user === null || user === "") return { id: undefined };
  const id = user.toWellFormed();
  if (id.length <= MOST_USER && isIdText(id)) return { id };
  const message = `\`user\` must have at most ${MOST_USER} characters, none of them a control character; send an ID or a name`;
  return invalid("invalid_request", message, "user");
}

/**
 * Returns the sender. Without `user` it is the holder of the token: an owner for the token of the gateway, and for a
 * named token its name with its rights, as for `chat.send`. With `user` it is that user, who is not an owner (APPR-028).
 * Users have a separate account, so that no name can look like the owner.
 * @param user - `user` of the request
 * @param caller - authenticated client
 */
export function senderOf(user: string | undefined, caller: MethodCaller): RequestSender {
  return user === undefined
    ? { channel: "api", ...senderOfCaller(caller) }
    : { channel: "api", senderId: user, senderIsOwner: false, accountId: "user" };
}

/** Returns the authenticated client of a request. */
export type CallerOf = (context: Context) => Promise<MethodCaller>;

/** Agent and model that a request selects. */
export interface Target {
  readonly agentId: string;
  /** `provider/model`; undefined for the model of the agent. */
  readonly model: string | undefined;
}

/**
 * Returns the agent and the model that a request selects: `openclaw`, `openclaw/<agent>`, `agent:<id>`, or a
 * permitted `provider/model`, which the agent `main` uses. The header `x-openclaw-model` overrides the model.
 * @param context - context of the request
 * @param name - `model` of the request
 * @param host - agents and models
 */
export function readTarget(
  context: Context,
  name: string,
  { agentIds, models }: Pick<OpenAiHost, "agentIds" | "models">,
): Target | OpenAiFailure {
  const model = requestHeader(context, MODEL_HEADER);
  const agentId = agentOfModel(name);
  if (agentId !== undefined && agentIds.includes(agentId)) return { agentId, model };
  if (agentId === undefined && models().includes(name)) {
    return { agentId: "main", model: model ?? name };
  }
  const names = [...agentIds.map((id) => `openclaw/${id}`), ...models()].join(", ");
  return {
    status: 404,
    type: "not_found_error",
    code: "model_not_found",
    message: `agent or model ${JSON.stringify(name)} not found; use openclaw, or one of: ${names}`,
    param: "model",
  };
}

/**
 * Returns the agent that a model name selects: `openclaw`, `openclaw/<agent>` or `agent:<id>`; undefined for
 * other names.
 */
function agentOfModel(model: string): string | undefined {
  if (model === "openclaw") return "main";
  return /^(?:openclaw\/|agent:)([a-z0-9][a-z0-9_-]{0,63})$/.exec(model)?.[1];
}

/** Session of a request. */
export interface ChosenSession {
  readonly sessionKey: string;
  readonly agentId: string;
}

/**
 * Chooses the session of the header, else one per `user`, else the one that the request continues, else a new
 * one.
 * @param context - context of the request
 * @param chosen - user, agent and continued session of the request, and the agents of the host
 */
export function chooseSession(
  context: Context,
  chosen: {
    readonly user: string | undefined;
    readonly agentId: string;
    readonly continued: ChosenSession | undefined;
    readonly agentIds: readonly string[];
  },
): ChosenSession | OpenAiFailure {
  const { user, agentId, continued, agentIds } = chosen;
  const header = requestHeader(context, SESSION_KEY_HEADER);
  if (header === undefined) {
    if (user === undefined && continued !== undefined) return continued;
    const peer = user ?? randomUUID();
    return { agentId, sessionKey: directSessionKey({ agentId, channel: "api", peer }) };
  }
  if (!isIdText(header)) {
    const message = `the session key in the header ${SESSION_KEY_HEADER} holds a line break, a mark of direction or another hidden character; send it without`;
    return invalid("session_key_refused", message);
  }
  const sessionKey = expandSessionKey(header, agentId);
  const owner = agentOfCallerKey(sessionKey);
  if (owner !== undefined && agentIds.includes(owner)) return { sessionKey, agentId: owner };
  const keys = agentIds.map((id) => `agent:${id}:…`).join(", ");
  return invalid(
    "session_key_refused",
    `callers may not use the session key "${header}"; use ${keys}`,
  );
}
