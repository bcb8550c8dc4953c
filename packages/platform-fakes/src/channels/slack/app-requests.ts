import { createHmac } from "node:crypto";
import type { SlackManifest } from "./app.js";
import { subscriptionOf } from "./events.js";
import { type SlackSockets, socketEvent } from "./sockets.js";
import { BOT_USER, type SlackWorkspace, TEAM } from "./workspace.js";

/** Sends a request of the platform to the app, for example with `fetch`. */
export type AppRequest = (url: URL, init: RequestInit) => Promise<Response>;

/** Event that was sent to the app. */
export interface SlackDelivery {
  /** Timestamp of the message. */
  readonly ts: string;
  /** Status of each answer of the app, in order; none when the app does not receive such events. */
  readonly statuses: readonly number[];
  /** Sends the events again, as Slack does when the app does not answer with 200 within 3 seconds. */
  repeat(): Promise<SlackDelivery>;
}

/** Dependencies of {@link SlackAppRequests}. */
export interface SlackAppRequestsDependencies {
  readonly manifest: SlackManifest;
  readonly workspace: SlackWorkspace;
  readonly signingSecret: string;
  readonly request: AppRequest;
  /** Connections of an app that uses Socket Mode. */
  readonly sockets: SlackSockets | undefined;
}

/** Requests that Slack sends to the URLs of an app, with its signature, or by Socket Mode. */
export class SlackAppRequests {
  readonly #dependencies: SlackAppRequestsDependencies;

  /** @param dependencies - app, workspace and secret */
  constructor(dependencies: SlackAppRequestsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Sends the events of a message that the app subscribed to.
   * @param ts - timestamp of the message
   * @param events - events, in order
   */
  async deliver(ts: string, events: readonly object[]): Promise<SlackDelivery> {
    const { request_url, bot_events } = this.#dependencies.manifest.settings.event_subscriptions;
    const bodies = events
      .filter((event) => bot_events.includes(subscriptionOf(event)) && this.#isHeard(event))
      .map((event) => JSON.stringify(this.envelope(event)));
    const send = async (retry: number): Promise<SlackDelivery> => {
      const statuses: number[] = [];
      for (const body of bodies) {
        statuses.push((await this.send(request_url, body, "application/json", { retry })).status);
      }
      return { ts, statuses, repeat: () => send(retry + 1) };
    };
    return send(0);
  }

  /** Slack sends an app the messages of conversations that it is in. */
  #isHeard(event: object): boolean {
    const channel: unknown = Reflect.get(event, "channel");
    const found =
      typeof channel === "string"
        ? this.#dependencies.workspace.conversations.get(channel)
        : undefined;
    return found?.members.has(BOT_USER) === true;
  }

  /**
   * Returns an event as it is sent.
   * @param event - content of `event`
   */
  envelope(event: unknown): object {
    const id = this.#dependencies.workspace.next();
    return {
      token: "t",
      team_id: TEAM,
      api_app_id: "A0APP00001",
      event,
      type: "event_callback",
      event_id: `Ev${id}`,
      event_time: 1_700_000_000 + id,
      authorizations: [{ team_id: TEAM, user_id: BOT_USER, is_bot: true }],
    };
  }

  /**
   * Sends a request.
   * @param url - URL of the app
   * @param type - its media type
   * @param options - number of the repeat, and signature instead of the right one
   */
  async send(
    url: string,
    body: string,
    type: string,
    { retry = 0, signature }: { retry?: number; signature?: string | undefined } = {},
  ): Promise<Response> {
    const { sockets } = this.#dependencies;
    if (sockets !== undefined) {
      const event = socketEvent(body, type);
      return new Response(null, { status: await sockets.send(event.type, event.payload, retry) });
    }
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signed = createHmac("sha256", this.#dependencies.signingSecret).update(
      `v0:${timestamp}:${body}`,
    );
    const headers: Record<string, string> = {
      "content-type": type,
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": signature ?? `v0=${signed.digest("hex")}`,
    };
    if (retry > 0) {
      headers["x-slack-retry-num"] = String(retry);
      headers["x-slack-retry-reason"] = "http_error";
    }
    return await this.#dependencies.request(new URL(url), { method: "POST", headers, body });
  }
}
