import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const sessionKey = Type.String({
  minLength: 1,
  maxLength: 400,
  description: "Full or short key of the session, for example `agent:main:main` or `main`.",
});

const closed = { additionalProperties: false };

const attachment = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 255 })),
    mimeType: Type.String({ minLength: 1, maxLength: 255 }),
    bytes: Type.Integer({ minimum: 0, description: "Size of the file." }),
    url: Type.Optional(Type.String({ maxLength: 2048, description: "URL of the file." })),
  },
  closed,
);

const image = Type.Object(
  {
    data: Type.String({
      minLength: 4,
      description:
        "PNG, JPEG, GIF or WebP in base64, at most 5 MB of it; its bytes decide the type.",
    }),
  },
  closed,
);

const file = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255, description: "Name, which the model sees." }),
    data: Type.String({
      minLength: 4,
      description:
        "PDF, image, audio, or text in UTF-8, in base64, at most 5 MB of it; its bytes decide the type.",
    }),
  },
  closed,
);

const historyPart = Type.Union([
  Type.Object({
    type: Type.Literal("text"),
    text: Type.String(),
    guidanceOf: Type.Optional(
      Type.String({ description: "Plugin that added the text to a tool result for the model." }),
    ),
  }),
  Type.Object(
    { type: Type.Literal("image"), mimeType: Type.String() },
    { description: "An image, without its data, which `chat.image` returns." },
  ),
  Type.Object(
    {
      type: Type.Literal("file"),
      mimeType: Type.String(),
      name: Type.Optional(Type.String()),
    },
    { description: "A file, without its data." },
  ),
  Type.Object({ type: Type.Literal("thinking"), text: Type.String() }),
  Type.Object({
    type: Type.Literal("toolCall"),
    toolCallId: Type.String(),
    toolName: Type.String(),
    params: Type.Unknown(),
  }),
]);

const historyMessage = Type.Object({
  id: Type.String({ description: "ID of the entry." }),
  seq: Type.Integer({ description: "Position in the conversation, from 1; give it as `before`." }),
  at: Type.Integer({ description: "Time, in milliseconds since the epoch." }),
  role: Type.Enum(["user", "assistant", "toolResult"]),
  content: Type.Array(historyPart),
  runId: Type.Optional(Type.String({ description: "Turn that wrote the entry." })),
  messageId: Type.Optional(
    Type.String({ description: "Message that the turn answers, as `chat.send` returned it." }),
  ),
  toolCallId: Type.Optional(Type.String({ description: "Call of a tool result." })),
  toolName: Type.Optional(Type.String()),
  isError: Type.Optional(Type.Boolean({ description: "True for the result of a failed call." })),
  failure: Type.Optional(
    Type.Enum(["refused", "timed-out", "interrupted", "outcome-unknown"], {
      description: "Why the tool of a result did not run to its end; absent when it did.",
    }),
  ),
  details: Type.Optional(
    Type.Unknown({ description: "Details of a tool result, of which at most 8 KiB are stored." }),
  ),
  blockedBy: Type.Optional(
    Type.String({ description: "Plugin that blocked the message which this text replaces." }),
  ),
});

const historyRun = Type.Object({
  runId: Type.String(),
  messageId: Type.String(),
  state: Type.Enum([
    "queued",
    "running",
    "awaiting_approval",
    "completed",
    "failed",
    "interrupted",
    "blocked",
  ]),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
  startedToolCalls: Type.Optional(
    Type.Array(Type.String(), {
      description: "Tool calls that have started, of a turn that has not ended.",
    }),
  ),
});

/** The chat methods. */
export const chatMethods = methodTable(
  defineMethod({
    name: "chat.send",
    summary:
      "Sends a message to a session, and returns once the message is stored; the reply follows as events (GW-024). Over a WebSocket, the connection receives the events of the session from then on. A repeat with the same idempotency key returns the first message, for at least 7 days.",
    params: Type.Object(
      {
        sessionKey,
        text: Type.String({ minLength: 1, maxLength: 1_000_000 }),
        attachments: Type.Optional(Type.Array(attachment, { maxItems: 20 })),
        images: Type.Optional(
          Type.Array(image, {
            minItems: 1,
            maxItems: 20,
            description:
              "Images that the model sees with the text. A call that is larger than a frame is sent over HTTP, up to gateway.limits.uploadBytes.",
          }),
        ),
        files: Type.Optional(
          Type.Array(file, {
            minItems: 1,
            maxItems: 20,
            description:
              "Files that the model reads with the text: text becomes a part of the message, and audio is stored and transcribed by a plugin (`transcribe_audio`). The limits are those of images.",
          }),
        ),
        model: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: "Model of this turn, `provider/model`.",
          }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      messageId: Type.String(),
      runId: Type.Optional(
        Type.String({
          description:
            "ID of the turn; absent while the message is not part of a turn, for example a command.",
        }),
      ),
      sessionKey: Type.String({ description: "Full key of the session." }),
    }),
    errors: ["SESSION_KEY_REFUSED", "MESSAGE_REFUSED", "INBOX_FULL", "IDEMPOTENCY_MISMATCH"],
    scope: "operator.write",
    effect: "write",
    idempotency: "own",
  }),
  defineMethod({
    name: "chat.history",
    summary:
      "Returns messages of a session, oldest first, and the states of the turns that wrote them: also the way to read a reply that a client missed (GW-024).",
    params: Type.Object(
      {
        sessionKey,
        before: Type.Optional(
          Type.Integer({ minimum: 1, description: "Returns the messages before this position." }),
        ),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
      },
      closed,
    ),
    result: Type.Object({
      sessionKey: Type.String({ description: "Full key of the session." }),
      messages: Type.Array(historyMessage),
      runs: Type.Array(historyRun, {
        description: "Turns of these messages, and turns that have not ended.",
      }),
      hasMore: Type.Boolean({ description: "True if there are earlier messages." }),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "chat.image",
    summary: "Returns the data of an image in a message of `chat.history`.",
    params: Type.Object(
      {
        sessionKey,
        seq: Type.Integer({ minimum: 1, description: "Position of the message." }),
        image: Type.Integer({
          minimum: 1,
          description: "Number of the image among those of the message, from 1.",
        }),
      },
      closed,
    ),
    result: Type.Object({
      mimeType: Type.String(),
      data: Type.String({ description: "Bytes of the image, in base64." }),
    }),
    errors: ["IMAGE_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "chat.abort",
    summary:
      "Interrupts the turn that runs in a session and its subagents, or the turn with an ID, also when it waits (TURN-053).",
    params: Type.Object(
      {
        sessionKey: Type.Optional(sessionKey),
        runId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: "Interrupts only the turn with this ID.",
          }),
        ),
      },
      { ...closed, minProperties: 1, description: "Give at least one of both." },
    ),
    result: Type.Object({
      aborted: Type.Boolean({
        description: "True when a turn or a subagent was running or waiting.",
      }),
    }),
    errors: [],
    scope: "operator.write",
    effect: "write",
  }),
);
