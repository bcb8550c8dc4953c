import { ChannelAuthFailedError, ChannelHttpError } from "@openclaw/plugin-sdk/channel-core";
import type { Attachment } from "chat";
import type { BridgeSettings, Preset } from "./preset.js";

const CHECK_MS = 10_000;

/** WhatsApp by the Cloud API of Meta. */
export const whatsapp: Preset = {
  channel: "whatsapp",
  adapter: { name: "@chat-adapter/whatsapp", version: "4.41.1", factory: "createWhatsAppAdapter" },
  capabilities: { textLimit: 4096, buttons: true, audio: "voice" },
  required: {
    accessToken: "the token of a system user with whatsapp_business_messaging",
    phoneNumberId: "the Phone number ID of WhatsApp, API Setup",
    appSecret: "the App secret of App settings, Basic",
    verifyToken: "a text of your own, which you also enter as Verify token of the webhook",
  },
  inHeaders: ["accessToken"],
  optional: ["apiUrl", "apiVersion"],
  buttonTextLimit: 1024,
  canEdit: false,
  hasStatusText: false,
  checkStart: ({ settings }) => checkNumber(settings),
  checkHealth: ({ settings }) => checkNumber(settings),
  fetchFile(adapter, { fetchMetadata }, { fileTransport }) {
    const mediaId = fetchMetadata?.mediaId;
    if (mediaId === undefined || fileTransport === undefined || !isDownloader(adapter)) {
      return undefined;
    }
    return adapter.downloadMedia(mediaId, fileTransport);
  },
};

/** The adapter does not ask Meta when it starts, so a wrong token would show at the first reply. */
async function checkNumber(settings: BridgeSettings): Promise<void> {
  const { apiUrl = "https://graph.facebook.com", apiVersion = "v25.0" } = settings;
  const { phoneNumberId, accessToken } = settings;
  const response = await fetch(`${apiUrl}/${apiVersion}/${phoneNumberId}?fields=id`, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(CHECK_MS),
  });
  await response.body?.cancel();
  if (response.ok) return;
  const { status } = response;
  if (status === 401) {
    const problem =
      "Meta does not accept the token; set channels.whatsapp.accessToken to a valid one";
    throw new ChannelAuthFailedError("whatsapp", problem);
  }
  const problem = `Meta answered the check of the phone number with HTTP ${status}; check channels.whatsapp.phoneNumberId`;
  throw new ChannelHttpError("whatsapp", status, problem);
}

interface Downloader {
  downloadMedia(
    mediaId: string,
    transport: unknown,
  ): ReturnType<NonNullable<Attachment["fetchData"]>>;
}

function isDownloader(value: object): value is Downloader {
  return "downloadMedia" in value;
}
