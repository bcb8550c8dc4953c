import type { SlackManifest } from "./app.js";
import type { SlackAppRequests } from "./app-requests.js";
import { buttonsOf } from "./blocks.js";
import type { SlackResponseUrls } from "./response-urls.js";
import { type SlackMessage, type SlackWorkspace, TEAM } from "./workspace.js";

const FORM = "application/x-www-form-urlencoded";

/** Dependencies of {@link SlackInteractions}. */
export interface SlackInteractionsDependencies {
  readonly workspace: SlackWorkspace;
  readonly manifest: SlackManifest;
  readonly app: Pick<SlackAppRequests, "send">;
  readonly responses: Pick<SlackResponseUrls, "create">;
  /** Origin of the server, for URLs of responses. */
  origin(): string;
}

/** Presses of buttons and slash commands. */
export class SlackInteractions {
  readonly #dependencies: SlackInteractionsDependencies;

  /** @param dependencies - workspace and app */
  constructor(dependencies: SlackInteractionsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Presses a button.
   * @param message - message of the bot
   * @param label - text on the button
   * @param user - the person
   * @returns status of the app's answer
   */
  async press(message: SlackMessage, label: string, user: string): Promise<number> {
    const { workspace, manifest, app } = this.#dependencies;
    const button = message.blocks
      .flatMap((block) => buttonsOf(block))
      .find(
        ({ text }) =>
          typeof text === "object" && text !== null && Reflect.get(text, "text") === label,
      );
    if (button === undefined) throw new Error(`the message has no button "${label}"`);
    const { interactivity } = manifest.settings;
    const url = interactivity?.is_enabled === true ? interactivity.request_url : undefined;
    if (url === undefined) throw new Error("interactivity is not enabled in the manifest");
    const { channel, ts, threadTs } = message;
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
    const payload = {
      type: "block_actions",
      user: { id: user, username: workspace.users.get(user)?.name, team_id: TEAM },
      team: { id: TEAM },
      channel: { id: channel },
      container: { type: "message", message_ts: ts, channel_id: channel, ...thread },
      message: { type: "message", ts, text: message.text, ...thread },
      trigger_id: `trigger-${workspace.next()}`,
      response_url: this.#responseUrl(channel),
      actions: [{ ...button, action_ts: `${1_700_000_000 + workspace.next()}.1` }],
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    return (await app.send(url, body, FORM)).status;
  }

  /**
   * Runs a slash command.
   * @param command - for example `/openclaw`
   * @param text - text after it
   * @param place - where it is written, and by whom
   * @returns status of the app's answer
   */
  async command(
    command: string,
    text: string,
    { channel, user }: { readonly channel: string; readonly user: string },
  ): Promise<number> {
    const { workspace, manifest, app } = this.#dependencies;
    const found = manifest.features.slash_commands?.find((each) => each.command === command);
    if (found === undefined) throw new Error(`the manifest has no command ${command}`);
    const body = new URLSearchParams({
      command,
      text,
      team_id: TEAM,
      user_id: user,
      user_name: workspace.users.get(user)?.name.toLowerCase() ?? "",
      channel_id: channel,
      response_url: this.#responseUrl(channel),
      trigger_id: `trigger-${workspace.next()}`,
    }).toString();
    return (await app.send(found.url, body, FORM)).status;
  }

  #responseUrl(channel: string): string {
    return this.#dependencies.origin() + this.#dependencies.responses.create(channel);
  }
}
