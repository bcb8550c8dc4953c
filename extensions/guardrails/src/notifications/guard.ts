import { errorMessage } from "@openclaw/plugin-sdk/kit";
import {
  type OutboundWebhook,
  OutboundWebhookError,
  openOutboundWebhook,
} from "@openclaw/plugin-sdk/outbound-webhook";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { MessageTarget } from "@openclaw/plugin-sdk/services";
import { type Static, Type } from "typebox";
import { DayCalendar } from "../day.js";
import { GuardConfigInvalidError } from "../errors.js";
import { defineGuard } from "../guard.js";
import type { GuardHost } from "../guard-host.js";
import { SEVERITIES } from "../notices.js";
import { NOTIFICATION_EVENTS, type Notification } from "./event.js";
import { type HeldNotifications, NotificationForwarder } from "./forwarder.js";
import { minutesOf, type QuietHours } from "./quiet-hours.js";
import { selects } from "./rule.js";
import { observeEvents } from "./sources.js";

const NAME = "notification_forwarder";
/** Keys of the conversation in which the owner wrote last, and of the notifications held in quiet hours. */
const OWNER_KEY = "owner-conversation";
const HELD_KEY = "held-notifications";
/** Time between two looks at the clock for the end of the quiet hours, in milliseconds. */
const RELEASE_EVERY_MS = 60_000;
/** Channels in which a message can only be answered. */
const ANSWERED_ONLY = new Set(["terminal", "api", "cron", "console"]);

const time = () => Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" });

const schema = Type.Object(
  {
    rules: Type.Array(
      Type.Object(
        {
          events: Type.Optional(
            Type.Array(Type.Enum([...NOTIFICATION_EVENTS]), { description: "All when absent." }),
          ),
          severity: Type.Optional(Type.Enum([...SEVERITIES], { description: "Least severity." })),
          senders: Type.Optional(
            Type.Array(Type.String(), { description: "Senders who caused it." }),
          ),
        },
        { additionalProperties: false },
      ),
      {
        default: [{ severity: "warning" }],
        description: "An event is forwarded when one of the rules selects it.",
      },
    ),
    to: Type.Optional(
      Type.Object(
        {
          channel: Type.String({ minLength: 1 }),
          to: Type.String({ minLength: 1 }),
          accountId: Type.Optional(Type.String({ minLength: 1 })),
          threadId: Type.Optional(Type.String({ minLength: 1 })),
        },
        {
          additionalProperties: false,
          description:
            "Conversation that receives the summaries; without it and without a webhook the one in which the owner wrote last.",
        },
      ),
    ),
    webhook: Type.Optional(
      Type.Object(
        {
          url: Type.String({ minLength: 1 }),
          secret: Type.Optional(
            Type.String({ minLength: 1, description: "Key of the signature." }),
          ),
        },
        { additionalProperties: false, description: "Receiver outside the host." },
      ),
    ),
    dedupSeconds: Type.Integer({
      minimum: 0,
      maximum: 86_400,
      default: 300,
      description: "Time in which an equal notification is sent once.",
    }),
    quietHours: Type.Optional(
      Type.Object(
        { from: time(), to: time(), timeZone: Type.Optional(Type.String({ minLength: 1 })) },
        {
          additionalProperties: false,
          description:
            "Hours in which only critical notifications are sent; the others follow at the end.",
        },
      ),
    ),
  },
  { additionalProperties: false },
);

type Settings = Static<typeof schema>;

/** Sends summaries of events to a conversation or a webhook (DHOOK-043). */
export const notificationForwarder = defineGuard({
  name: NAME,
  schema,
  install(settings, host) {
    const { api, counters, now } = host;
    const webhook = webhookOf(settings, host);
    const send = async (text: string, notification?: Notification) => {
      if (webhook !== undefined) await sendToWebhook(webhook, text, notification);
      if (settings.to !== undefined || webhook === undefined)
        await sendToConversation(settings, host, text);
      counters.changed();
    };
    const { kv } = api.store;
    const forwarder = new NotificationForwarder({
      now,
      dedupMs: settings.dedupSeconds * 1000,
      quietHours: quietHoursOf(settings),
      send,
      held: {
        async load() {
          const stored = await kv.get(HELD_KEY);
          return isHeld(stored) ? stored : undefined;
        },
        async save(held) {
          if (held === undefined) await kv.delete(HELD_KEY);
          else await kv.set(HELD_KEY, { texts: [...held.texts], more: held.more });
        },
      },
    });
    const report = (error: unknown) => {
      counters.failed();
      const problem = errorMessage(error);
      api.logger.warn(`${NAME}: a notification could not be sent: ${problem}`);
    };
    // In order, so that a summary follows the event that began it.
    let sending: Promise<unknown> = Promise.resolve();
    const enqueue = (work: () => Promise<unknown>) => {
      sending = sending.then(work).catch(report);
    };

    observeEvents(
      host,
      (notification) => {
        counters.run(() => undefined);
        return settings.rules.some((rule) => selects(rule, notification));
      },
      (notification) => enqueue(() => forwarder.forward(notification)),
    );
    if (settings.to === undefined && webhook === undefined) rememberOwner(host);
    let timer: NodeJS.Timeout | undefined;
    if (settings.quietHours !== undefined) {
      timer = setInterval(() => enqueue(() => forwarder.release()), RELEASE_EVERY_MS);
      timer.unref();
    }
    api.lifecycle.onDispose(async () => {
      clearInterval(timer);
      await sending;
      await webhook?.close();
    });
  },
});

/** Keeps the conversation in which the owner wrote last. */
function rememberOwner({ api, counters }: Pick<GuardHost, "api" | "counters">): void {
  let known: string | undefined;
  api.on("message_received", (_event, context) => {
    const { senderIsOwner, messageProvider: channel, channelId: to, accountId, threadId } = context;
    if (senderIsOwner !== true || channel === undefined || to === undefined) return undefined;
    if (ANSWERED_ONLY.has(channel)) return undefined;
    const target = {
      channel,
      to,
      ...defined({ accountId }),
      ...(threadId === undefined ? {} : { threadId: String(threadId) }),
    };
    const written = JSON.stringify(target);
    if (written === known) return undefined;
    known = written;
    return api.store.kv.set(OWNER_KEY, target).catch(() => counters.failed());
  });
}

async function sendToConversation(
  { to }: Settings,
  { api }: Pick<GuardHost, "api">,
  text: string,
): Promise<void> {
  const stored: unknown = await api.store.kv.get(OWNER_KEY);
  const target = to ?? (isTarget(stored) ? stored : undefined);
  if (target === undefined) {
    throw new Error(
      "there is no conversation of the owner yet; write to the agent on a channel, or set notification_forwarder.to or .webhook",
    );
  }
  const { messages } = api.runtime;
  if (messages === undefined)
    throw new Error("this host cannot send messages; set notification_forwarder.webhook");
  const receipt = await messages.send({ ...target, text });
  if (receipt.status === "failed") throw new Error(receipt.error);
}

async function sendToWebhook(
  webhook: OutboundWebhook,
  text: string,
  notification: Notification | undefined,
): Promise<void> {
  const point = notification?.event ?? "summary";
  const { state } = await webhook.send({
    event: point,
    hook: { name: NAME, point, id: NAME },
    content: text,
    data: {
      ...(notification?.senderId === undefined ? {} : { sender: notification.senderId }),
      ...(notification?.sessionKey === undefined ? {} : { session: notification.sessionKey }),
    },
  });
  if (state === "dropped") throw new Error("too many notifications wait for the webhook");
}

function webhookOf({ webhook }: Settings, { api }: GuardHost): OutboundWebhook | undefined {
  if (webhook === undefined) return undefined;
  try {
    const { url, secret } = webhook;
    return openOutboundWebhook(api, {
      name: NAME,
      url,
      durable: true,
      includeContent: true,
      ...defined({ secret }),
    });
  } catch (error) {
    if (!OutboundWebhookError.isInstance(error)) throw error;
    throw new GuardConfigInvalidError(NAME, [`webhook: ${error.message}`]);
  }
}

function quietHoursOf({ quietHours }: Settings): QuietHours | undefined {
  if (quietHours === undefined) return undefined;
  const { from, to, timeZone } = quietHours;
  try {
    return { from: minutesOf(from), to: minutesOf(to), calendar: new DayCalendar(timeZone) };
  } catch {
    const problem = `quietHours.timeZone is ${JSON.stringify(timeZone)}, which is not a time zone; for example Europe/Lisbon`;
    throw new GuardConfigInvalidError(NAME, [problem]);
  }
}

function isTarget(value: unknown): value is MessageTarget {
  return typeof value === "object" && value !== null && "channel" in value && "to" in value;
}

function isHeld(value: unknown): value is HeldNotifications {
  return (
    typeof value === "object" &&
    value !== null &&
    "texts" in value &&
    Array.isArray(value.texts) &&
    "more" in value
  );
}
