import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { sessionFork } from "../runs/fork.js";
import {
  conversationSize,
  movedHistory,
  queueMode,
  runState,
  sessionRow,
  threadState,
} from "./session-results.js";

const closed = { additionalProperties: false };
const name = { minLength: 1, maxLength: 200 };
const sessionKey = Type.String({
  minLength: 1,
  maxLength: 400,
  description: "Full or short key of the session, for example `agent:main:main` or `main`.",
});
const label = { minLength: 1, maxLength: 200, description: "Name for people." };
const model = {
  ...name,
  description: "Model of later turns, `provider/model`; overrides the model of the agent.",
};
const mode = {
  description: "Handling of messages that arrive during a turn; overrides `session.queueMode`.",
};
const extension = {
  sessionKey,
  pluginId: Type.String({ ...name, description: "Plugin that registered the namespace." }),
  namespace: Type.String(name),
  expectedVersion: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Changes the value only if it has this version; 0 while there is no value.",
    }),
  ),
};
const errorsOfPatch = [
  "SESSION_NOT_FOUND",
  "SESSION_EXTENSION_NOT_FOUND",
  "SESSION_VALUE_TOO_LARGE",
  "SESSION_VALUE_CHANGED",
];

/** The session methods (GW-025). */
export const sessionMethods = methodTable(
  defineMethod({
    name: "sessions.list",
    summary: "Lists sessions, most recently used first.",
    params: Type.Object(
      {
        filter: Type.Optional(
          Type.Object(
            {
              agentId: Type.Optional(Type.String(name)),
              channel: Type.Optional(Type.String(name)),
              label: Type.Optional(Type.String(name)),
              pinned: Type.Optional(
                Type.Boolean({ description: "True for pinned sessions, false for the others." }),
              ),
              archived: Type.Optional(
                Type.Boolean({ description: "True for archived sessions, false for the others." }),
              ),
              state: Type.Optional(
                Type.Enum(runState.enum, {
                  description: "State of the last turn of the current conversation.",
                }),
              ),
              text: Type.Optional(
                Type.String({
                  ...name,
                  description:
                    "Text that the key, the label or the last message contains; of ASCII letters, the case is ignored.",
                }),
              ),
            },
            { ...closed, description: "Only sessions with these values." },
          ),
        ),
        cursor: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1000,
            description: "`nextCursor` of the page before; the first page when absent.",
          }),
        ),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 200,
            default: 50,
            description: "Maximum number of sessions; default 50.",
          }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      sessions: Type.Array(sessionRow),
      total: Type.Integer({ description: "Number of sessions that the filter selects." }),
      nextCursor: Type.Optional(
        Type.String({
          description:
            "Cursor of the next page; absent on the last one. A session that is used in the meantime moves to the first page.",
        }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "sessions.get",
    summary: "Returns one session.",
    params: Type.Object({ sessionKey }, closed),
    result: sessionRow,
    errors: ["SESSION_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "sessions.create",
    summary: "Creates an empty session.",
    params: Type.Object(
      {
        sessionKey: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 400,
            description:
              "Key `agent:<id>:<name>`, or a short key; a key with a new ID when absent. Keys of subagents, `cron:` and `hook:` are reserved.",
          }),
        ),
        agentId: Type.Optional(
          Type.String({
            ...name,
            description: "Agent of a session without a given key; default the default agent.",
          }),
        ),
        label: Type.Optional(Type.String(label)),
        model: Type.Optional(Type.String(model)),
        queueMode: Type.Optional(Type.Enum(queueMode.enum, mode)),
      },
      closed,
    ),
    result: sessionRow,
    errors: ["SESSION_EXISTS", "MODEL_NOT_FOUND", "MODEL_PROVIDER_NOT_READY"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "sessions.patch",
    summary: "Changes settings of a session; they apply to turns that start later.",
    params: Type.Object(
      {
        sessionKey,
        label: Type.Optional(Type.Union([Type.String(label), Type.Null()])),
        model: Type.Optional(Type.Union([Type.String(model), Type.Null()])),
        queueMode: Type.Optional(Type.Union([Type.Enum(queueMode.enum, mode), Type.Null()])),
        pinned: Type.Optional(
          Type.Boolean({ description: "True to keep it at the top of lists." }),
        ),
        archived: Type.Optional(
          Type.Boolean({ description: "True to put it away, false to take it back." }),
        ),
      },
      { ...closed, description: "null removes a setting." },
    ),
    result: sessionRow,
    errors: ["SESSION_NOT_FOUND", "MODEL_NOT_FOUND", "MODEL_PROVIDER_NOT_READY"],
    scope: "operator.write",
    effect: "write",
    idempotency: "repeatable",
  }),
  defineMethod({
    name: "sessions.reset",
    summary:
      "Ends the conversation of a session after its queued turns, and starts a new one (TURN-010).",
    params: Type.Object({ sessionKey }, closed),
    result: sessionRow,
    errors: ["SESSION_NOT_FOUND"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "sessions.compact",
    summary:
      "Replaces all but the two newest exchanges of a conversation by a summary, after the queued turns (TURN-051).",
    params: Type.Object({ sessionKey }, closed),
    result: Type.Object({
      compacted: Type.Boolean({
        description:
          "False when there was nothing to summarise, or a plugin prevented the compaction.",
      }),
      before: conversationSize,
      after: conversationSize,
    }),
    errors: [
      "SESSION_NOT_FOUND",
      "MODEL_NOT_FOUND",
      "MODEL_PROVIDER_NOT_READY",
      "MODEL_AUTHENTICATION_FAILED",
      "MODEL_NOT_AVAILABLE",
      "MODEL_CONTEXT_LENGTH_EXCEEDED",
      "MODEL_RATE_LIMITED",
      "MODEL_REPLY_TOO_LARGE",
      "MODEL_ABORTED",
    ],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "sessions.undo",
    summary:
      "Takes back the last turn of a conversation, after the queued turns (SUB-031). The effects of its tool calls remain.",
    params: Type.Object({ sessionKey }, closed),
    result: movedHistory,
    errors: ["SESSION_NOT_FOUND"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "sessions.redo",
    summary: "Brings back the turn that was taken back last, unless a turn began since (SUB-032).",
    params: Type.Object({ sessionKey }, closed),
    result: movedHistory,
    errors: ["SESSION_NOT_FOUND"],
    scope: "operator.write",
    effect: "write",
  }),
  sessionFork,
  defineMethod({
    name: "sessions.threads",
    summary:
      "Lists the conversations of a session with their states, and the checkpoints of the current one, newest first (SUB-024). Send `/thread <id>` or `/resume <id>` with `chat.send` to use them.",
    params: Type.Object(
      {
        sessionKey,
        state: Type.Optional(
          Type.Enum([...threadState.enum, "WaitingForApproval"], {
            description:
              "Only conversations in this state; `WaitingForApproval` is another name of `AwaitingApproval`.",
          }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      sessionKey: Type.String({ description: "Full key of the session." }),
      threads: Type.Array(
        Type.Object({
          id: Type.String({ description: "ID for `/thread`, a UUID." }),
          state: threadState,
          isCurrent: Type.Boolean({
            description: "True for the conversation that messages reach.",
          }),
          messageCount: Type.Integer(),
          openedAt: Type.Integer({ description: "Milliseconds since the epoch." }),
          lastAt: Type.Integer({ description: "Time of the last message." }),
        }),
      ),
      checkpoints: Type.Array(
        Type.Object({
          id: Type.String({ description: "ID for `/resume`, a UUID; the state before this turn." }),
          createdAt: Type.Integer(),
        }),
      ),
      redo: Type.Integer({ description: "Number of turns that `/redo` brings back." }),
    }),
    errors: ["SESSION_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "sessions.pluginPatch",
    summary:
      "Changes a value that a plugin keeps with a session, with a JSON merge patch (RFC 7396) or as a whole; null removes it (TURN-050).",
    params: Type.Union([
      Type.Object(
        { ...extension, patch: Type.Unknown({ description: "JSON merge patch." }) },
        closed,
      ),
      Type.Object({ ...extension, value: Type.Unknown({ description: "New value." }) }, closed),
    ]),
    result: Type.Object({
      value: Type.Unknown({ description: "Value after the change; null when it was removed." }),
      version: Type.Integer({ description: "Version of the value; 0 when it was removed." }),
    }),
    errors: errorsOfPatch,
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "sessions.delete",
    summary: "Deletes a session with all its data (TURN-010).",
    params: Type.Object({ sessionKey }, closed),
    result: Type.Object({
      sessionKey: Type.String({ description: "Full key of the deleted session." }),
      sessionId: Type.String({ description: "ID of its last conversation." }),
      messageCount: Type.Integer({ description: "Number of messages of its last conversation." }),
    }),
    errors: ["SESSION_NOT_FOUND", "SESSION_BUSY"],
    scope: "operator.admin",
    effect: "write",
  }),
);

/** Session as shown in lists; times are milliseconds since the epoch. */
export type SessionSummary = Immutable<Static<typeof sessionRow>>;
