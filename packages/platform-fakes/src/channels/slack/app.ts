/** Manifest of a Slack app, as far as the fake reads it; see https://api.slack.com/reference/manifests. */
export interface SlackManifest {
  readonly display_information: { readonly name: string };
  readonly features: {
    readonly bot_user: { readonly display_name: string; readonly always_online?: boolean };
    readonly app_home?: {
      readonly messages_tab_enabled?: boolean;
      readonly messages_tab_read_only_enabled?: boolean;
    };
    readonly slash_commands?: readonly {
      readonly command: string;
      readonly url: string;
      readonly description: string;
    }[];
  };
  readonly oauth_config: { readonly scopes: { readonly bot: readonly string[] } };
  readonly settings: {
    readonly event_subscriptions: {
      readonly request_url: string;
      readonly bot_events: readonly string[];
    };
    readonly interactivity?: { readonly is_enabled: boolean; readonly request_url?: string };
    readonly socket_mode_enabled?: boolean;
  };
}

/** Scopes without which Slack does not deliver an event. */
const EVENT_SCOPES: Readonly<Record<string, string>> = {
  "message.im": "im:history",
  "message.channels": "channels:history",
  "message.groups": "groups:history",
  app_mention: "app_mentions:read",
};

/**
 * Checks a manifest as Slack does when an app is created from it.
 * @throws Error that names what Slack rejects
 */
export function checkManifest(manifest: SlackManifest): void {
  const { display_information, features, oauth_config, settings } = manifest;
  const { name } = display_information;
  if (name === "" || name.length > 35) reject("display_information.name", "1 to 35 characters");
  const shown = features.bot_user.display_name;
  if (!/^[\w .-]{1,80}$/.test(shown)) {
    reject("features.bot_user.display_name", "1 to 80 letters, digits, spaces and . _ -");
  }
  const scopes = oauth_config.scopes.bot;
  const { bot_events, request_url } = settings.event_subscriptions;
  for (const event of bot_events) {
    const scope = EVENT_SCOPES[event];
    if (scope === undefined) reject("settings.event_subscriptions.bot_events", `no ${event}`);
    else if (!scopes.includes(scope)) reject("oauth_config.scopes.bot", `${scope} for ${event}`);
  }
  const { interactivity } = settings;
  const urls = [request_url, interactivity?.request_url, ...commandUrls(manifest)];
  for (const url of urls) {
    if (url !== undefined && !/^https:\/\//.test(url)) reject("request_url", "an https URL");
  }
  if (interactivity?.is_enabled === true && interactivity.request_url === undefined) {
    reject("settings.interactivity.request_url", "a URL");
  }
  if (commandUrls(manifest).length > 0 && !scopes.includes("commands")) {
    reject("oauth_config.scopes.bot", "commands for slash commands");
  }
}

function commandUrls({ features }: SlackManifest): readonly string[] {
  return (features.slash_commands ?? []).map(({ url }) => url);
}

function reject(field: string, expected: string): never {
  throw new Error(`invalid_manifest: ${field} must have ${expected}`);
}
