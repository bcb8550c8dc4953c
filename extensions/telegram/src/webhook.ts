import { createHash, timingSafeEqual } from "node:crypto";
import type { Update } from "grammy/types";
import type { TelegramChannel } from "./channel.js";

const MAXIMUM_BYTES = 1024 * 1024;
/** Time after which Telegram sends the update again, in milliseconds. */
const ACCEPT_MS = 50_000;

/**
 * Creates the handler of the webhook. It answers once the host has stored the message, so that Telegram sends an update
 * again that the host did not get.
 * @param channel - channel that receives the updates
 */
export function createWebhook(channel: TelegramChannel): (request: Request) => Promise<Response> {
  return async (request) => {
    const presented = request.headers.get("x-telegram-bot-api-secret-token") ?? "";
    const account = await channel.accountOfWebhook((secret) => isEqual(presented, secret));
    if (account === undefined) return new Response(null, { status: 401 });
    const body = await request.arrayBuffer();
    if (body.byteLength > MAXIMUM_BYTES) return new Response(null, { status: 413 });
    const update = parse(body);
    if (update === undefined) return new Response(null, { status: 400 });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), ACCEPT_MS);
    });
    const outcome = await Promise.race([account.updates.add(update), late]);
    clearTimeout(timer);
    return new Response(null, { status: outcome === "late" ? 503 : 200 });
  };
}

function parse(body: ArrayBuffer): Update | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    const isUpdate = typeof value === "object" && value !== null && "update_id" in value;
    return isUpdate && Number.isInteger(value.update_id) ? (value as Update) : undefined;
  } catch {
    return undefined;
  }
}

/** Compares in constant time; the hashes have the same length whatever a caller sends. */
function isEqual(one: string, other: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
