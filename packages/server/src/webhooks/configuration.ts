import { type Static, Type } from "typebox";
import { unknownPlaceholders } from "./template.js";

const SECRET = "^[!-~]{24,512}$";
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** Name of the webhook that starts routines. */
const RESERVED = "routine";

const webhookSchema = Type.Object(
  {
    secret: Type.Optional(
      Type.String({
        pattern: SECRET,
        description: "Secret of the HMAC signature: at least 24 ASCII characters without spaces.",
      }),
    ),
    token: Type.Optional(
      Type.String({
        pattern: SECRET,
        description:
          "Bearer token instead of a signature: at least 24 ASCII characters without spaces.",
      }),
    ),
    text: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: "Text of the message; `{{payload.a.b}}` is replaced by a field of the body.",
    }),
    agentId: Type.Optional(
      Type.String({ minLength: 1, description: "Agent; chosen by `bindings` when absent." }),
    ),
    sessionKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        pattern: "^[^\\s]+$",
        description:
          "Session of the messages; without it, each webhook has the session `hook:<name>`.",
      }),
    ),
    deliver: Type.Optional(
      Type.Object(
        {
          channel: Type.String({ minLength: 1, description: "Name of the channel." }),
          to: Type.String({ minLength: 1, description: "ID of the conversation on the channel." }),
          accountId: Type.Optional(
            Type.String({
              minLength: 1,
              description: "Account of the channel; default when absent.",
            }),
          ),
          threadId: Type.Optional(
            Type.String({ minLength: 1, description: "Thread within the conversation." }),
          ),
        },
        {
          additionalProperties: false,
          description:
            "Conversation that receives the replies; without it they are in the transcript only.",
        },
      ),
    ),
  },
  { additionalProperties: false },
);

/** One webhook, `webhooks.<name>`. */
export type WebhookConfiguration = Static<typeof webhookSchema>;

/** Configuration `webhooks`: requests of other services that become messages (GW-041). */
export type WebhooksConfiguration = Readonly<Record<string, WebhookConfiguration>>;

/** Schema of `webhooks`. */
export const webhooksSchema = {
  type: "object",
  "x-key": "name",
  description: "Requests of other services that become messages, at `POST /hooks/<name>`.",
  additionalProperties: webhookSchema,
} as const;

/** Problem of the section that a schema cannot express. */
export interface WebhookProblem {
  readonly path: readonly string[];
  readonly message: string;
  readonly suggestion: string;
}

/**
 * Checks `webhooks` beyond its schema: names, placeholders, one way of authentication, and sessions that a webhook may
 * write to.
 * @param webhooks - section that matches the schema
 */
export function webhookProblems(webhooks: WebhooksConfiguration = {}): readonly WebhookProblem[] {
  return Object.entries(webhooks).flatMap(([name, webhook]) => problemsOf(name, webhook));
}

function problemsOf(
  name: string,
  { secret, token, text, sessionKey }: WebhookConfiguration,
): readonly WebhookProblem[] {
  const path = ["webhooks", name];
  const found: WebhookProblem[] = [];
  if (name === RESERVED || !NAME.test(name)) {
    const message =
      name === RESERVED
        ? `the name "${RESERVED}" is reserved for the host`
        : `expected a name of 1 to 64 of a-z 0-9 _ -, got ${JSON.stringify(name)}`;
    found.push({ path, message, suggestion: "rename it" });
  }
  if ((secret === undefined) === (token === undefined)) {
    const message = "expected either secret or token";
    found.push({ path, message, suggestion: "set secret for signed requests" });
  }
  for (const placeholder of unknownPlaceholders(text ?? "")) {
    found.push({
      path: [...path, "text"],
      message: `unknown placeholder ${placeholder}`,
      suggestion: "write {{payload}} or a field of it, for example {{payload.user.name}}",
    });
  }
  if (sessionKey !== undefined && /^(?:cron:|agent:[^:]+:subagent:)/.test(sessionKey)) {
    found.push({
      path: [...path, "sessionKey"],
      message: "a webhook cannot write to a session of a schedule or a subagent",
      suggestion: `use hook:${name}, or the key of a conversation`,
    });
  }
  return found;
}
