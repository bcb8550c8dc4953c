import { createHmac } from "node:crypto";

/** Options of {@link startWhatsAppServer}. */
export interface WhatsAppServerOptions {
  /** Callback URL of the webhook. */
  readonly callbackUrl: string;
  /** Sends requests to the callback URL. */
  readonly request: (url: URL, init: RequestInit) => Promise<Response>;
  /** Origin under which clients reach the server, for example through a proxy; that of loopback when absent. */
  readonly origin?: string;
}

/** Notification that was sent to the webhook. */
export interface WhatsAppDelivery {
  /** ID of the message. */
  readonly id: string;
  /** Status of the answer of the webhook. */
  readonly status: number;
  /** Sends the notification again, as Meta does until it is answered with 200. */
  repeat(): Promise<WhatsAppDelivery>;
}

/** Dependencies of {@link WhatsAppWebhook}. */
export interface WhatsAppWebhookDependencies extends WhatsAppServerOptions {
  readonly appSecret: string;
  readonly phoneNumberId: string;
  /** Returns a number that was not used before. */
  next(): number;
}

/** Notifications that Meta sends to the webhook of the business. */
export class WhatsAppWebhook {
  readonly #dependencies: WhatsAppWebhookDependencies;

  /** @param dependencies - webhook and secret of the app */
  constructor(dependencies: WhatsAppWebhookDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Verifies the callback URL, as Meta does when it is saved.
   * @param token - token of the verification
   */
  async verifyUrl(token: string): Promise<boolean> {
    const challenge = String(1_000_000 + this.#dependencies.next());
    const url = new URL(this.#dependencies.callbackUrl);
    url.searchParams.set("hub.mode", "subscribe");
    url.searchParams.set("hub.verify_token", token);
    url.searchParams.set("hub.challenge", challenge);
    const response = await this.#dependencies.request(url, { method: "GET" });
    return response.status === 200 && (await response.text()) === challenge;
  }

  /**
   * Sends any notification.
   * @param signature - signature instead of the right one
   * @returns status of the answer
   */
  async sendRaw(body: string, signature?: string): Promise<number> {
    const signed = createHmac("sha256", this.#dependencies.appSecret).update(body).digest("hex");
    const response = await this.#dependencies.request(new URL(this.#dependencies.callbackUrl), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-hub-signature-256": signature ?? `sha256=${signed}`,
      },
      body,
    });
    return response.status;
  }

  /**
   * Sends the notification of a message of a person.
   * @param sender - the person
   * @param content - type and content of the message
   * @param onMessage - called with its ID before it is sent
   */
  notify(
    { id: from, name }: { readonly id: string; readonly name: string },
    content: object,
    onMessage: (id: string) => void,
  ): Promise<WhatsAppDelivery> {
    const { phoneNumberId, next } = this.#dependencies;
    const id = `wamid.${Buffer.from(`${from}-${next()}`).toString("base64")}`;
    onMessage(id);
    const value = {
      messaging_product: "whatsapp",
      metadata: { display_phone_number: "15550001111", phone_number_id: phoneNumberId },
      contacts: [{ profile: { name }, wa_id: from }],
      messages: [{ from, id, timestamp: String(1_700_000_000 + next()), ...content }],
    };
    const body = JSON.stringify({
      object: "whatsapp_business_account",
      entry: [{ id: "0", changes: [{ value, field: "messages" }] }],
    });
    const send = async (): Promise<WhatsAppDelivery> => ({
      id,
      status: await this.sendRaw(body),
      repeat: send,
    });
    return send();
  }
}
