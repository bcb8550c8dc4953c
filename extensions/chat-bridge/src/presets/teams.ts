import { ChannelAuthFailedError, ChannelHttpError } from "@openclaw/plugin-sdk/channel-core";
import { sizeProblem } from "../messages/limits.js";
import type { BridgeSettings, Preset } from "./preset.js";

const LOGIN = "https://login.microsoftonline.com";
const SCOPE = "https://api.botframework.com/.default";
const CHECK_MS = 10_000;
const IMAGES = new Set(["image/png", "image/jpeg", "image/jpg", "image/gif"]);

/** Microsoft Teams by a bot of the Bot Framework. */
export const teams: Preset = {
  channel: "teams",
  adapter: { name: "@chat-adapter/teams", version: "4.41.0", factory: "createTeamsAdapter" },
  // Teams accepts messages of 28 KB in UTF-16.
  capabilities: { textLimit: 12_000, buttons: true, streaming: true },
  required: {
    appId: "the Microsoft App ID of the Azure Bot, page Configuration",
    appPassword: "the value of a client secret of the app registration",
    appTenantId: "the App Tenant ID of the Azure Bot, page Configuration",
  },
  optional: ["userName", "apiUrl", "loginUrl"],
  // Azure creates bots of one tenant only.
  fixed: () => ({ appType: "SingleTenant" }),
  isUserId: (id) => id.startsWith("29:"),
  hasStatusText: false,
  checkStart: ({ settings }) => checkCredentials(settings),
  checkHealth: ({ settings }) => checkCredentials(settings),
  // A card has its text in UTF-8 and with escapes, so that it has room for fewer characters than a message.
  limits: { buttonText: 4000, buttons: 6, label: 80, files: 10 },
  refusalOf(file) {
    if (!IMAGES.has(file.mimeType)) {
      return "Teams takes PNG, JPEG and GIF images from bots, and no other files";
    }
    return sizeProblem(file, "Teams", 1);
  },
};

/** The adapter asks for a token when it sends first, so a wrong secret would show at the first reply. */
async function checkCredentials(settings: BridgeSettings): Promise<void> {
  const { appId, appPassword, appTenantId, loginUrl = LOGIN } = settings;
  const tenant = encodeURIComponent(String(appTenantId));
  const response = await fetch(`${loginUrl}/${tenant}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: String(appId),
      client_secret: String(appPassword),
      scope: SCOPE,
    }),
    signal: AbortSignal.timeout(CHECK_MS),
  });
  if (response.ok) {
    await response.body?.cancel();
    return;
  }
  const reason = reasonOf(await response.text());
  const problem = `Microsoft does not give a token for the bot (${reason}); check appId, appPassword and appTenantId of channels.teams, and that the client secret has not expired`;
  if (response.status === 400 || response.status === 401) {
    throw new ChannelAuthFailedError("teams", problem);
  }
  throw new ChannelHttpError("teams", response.status, problem);
}

/** Returns the code of Microsoft, for example AADSTS7000215. */
function reasonOf(body: string): string {
  return /AADSTS\d+/.exec(body)?.[0] ?? "no reason given";
}
