import { ChannelAuthFailedError, ChannelHttpError } from "@openclaw/plugin-sdk/channel-core";
import type { Attachment } from "chat";
import { sizeProblem } from "../messages/limits.js";
import type { BridgeSettings, Preset } from "./preset.js";

const CHECK_MS = 10_000;
const OFFICE = "application/vnd.openxmlformats-officedocument";
/** Greatest size in MB of each type of file. */
const SIZES: ReadonlyMap<string, number> = new Map([
  ...["image/jpeg", "image/png"].map((type) => [type, 5] as const),
  ...["aac", "amr", "mpeg", "mp4", "ogg"].map((type) => [`audio/${type}`, 16] as const),
  ...["video/mp4", "video/3gpp"].map((type) => [type, 16] as const),
  ...["text/plain", "application/pdf", "application/msword"].map((type) => [type, 100] as const),
  ...["ms-excel", "ms-powerpoint"].map((type) => [`application/vnd.${type}`, 100] as const),
  ...["wordprocessingml.document", "spreadsheetml.sheet", "presentationml.presentation"].map(
    (type) => [`${OFFICE}.${type}`, 100] as const,
  ),
]);

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
  limits: { buttonText: 1024, buttons: 3, label: 20, files: 1 },
  refusalOf,
  // Meta allows one message to a person every 6 seconds, and 45 at once that borrow from later ones.
  messageMs: 6000,
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

/** Types and sizes that Meta takes, of the page Media of its documentation; the adapter chooses the kind by the type. */
function refusalOf(file: { readonly mimeType: string; readonly bytes: number }) {
  const [type = ""] = file.mimeType.toLowerCase().split(";");
  const size = SIZES.get(type.trim());
  if (size === undefined) return "WhatsApp does not take files of its type";
  return sizeProblem(file, "WhatsApp", size);
}

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
