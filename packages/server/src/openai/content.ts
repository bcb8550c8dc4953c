import { errorMessage } from "@openclaw/foundation";
import { mediaOf, textOfFile } from "@openclaw/messaging";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { CacheablePart, FilePart, ImagePart, TextPart } from "@openclaw/plugin-sdk/tools";
import { invalid, isFailure, type OpenAiFailure } from "./error.js";

/** Maximum number of URLs that are fetched for one request. */
const MOST_URLS = 20;
/** Maximum size of everything that is fetched for one request, in bytes. */
const MOST_BYTES = 20_000_000;
/** Time for everything that is fetched for one request, in milliseconds. */
const FETCH_TIMEOUT_MS = 15_000;

/** Part of the content of a message, in the same form for all routes. */
export type RequestedPart =
  | TextPart
  | (CacheablePart & {
      readonly type: "image";
      /** Data URL or https URL. */
      readonly url: string;
      /** Parameter with the URL. */
      readonly param: string;
    })
  | (CacheablePart & {
      readonly type: "file";
      /** Data URL, base64 or https URL; undefined when the request names the file in another way. */
      readonly source: string | undefined;
      readonly name: string | undefined;
      readonly param: string;
    });

/** Content of a message for a model. */
export type MessageContent = (TextPart | ImagePart | FilePart)[];

/**
 * Sends a GET request within the network check.
 * @param url - URL from a client
 * @param signal - ends the request
 */
export type FetchUrl = (url: string, signal: AbortSignal) => Promise<Response>;

/**
 * Reads the images and files of one request. Those with a URL are fetched by the gateway within the network
 * check, so that every provider can receive them and a session keeps them.
 */
export class ContentReader {
  readonly #fetch: FetchUrl;
  readonly #disconnected: AbortSignal;
  #deadline: AbortSignal | undefined;
  #urls = 0;
  #bytes = 0;

  /**
   * @param fetch - sends requests
   * @param disconnected - aborts when the client has disconnected
   */
  constructor(fetch: FetchUrl, disconnected: AbortSignal) {
    this.#fetch = fetch;
    this.#disconnected = disconnected;
  }

  /**
   * Returns the content of a message, or the failure of its first part that a model cannot receive.
   * @param parts - parts of the content
   */
  async read(parts: readonly RequestedPart[]): Promise<MessageContent | OpenAiFailure> {
    const read = await Promise.all(
      parts.map(async (part) => {
        const content = await this.#part(part);
        const { cache } = part;
        return cache === undefined || isFailure(content) ? content : { ...content, cache };
      }),
    );
    return read.find(isFailure) ?? read.filter((part) => !isFailure(part));
  }

  /**
   * Returns the content of a tool result, which cannot contain files.
   * @param parts - parts of the content
   * @param param - parameter with the content
   */
  async readResult(
    parts: readonly RequestedPart[],
    param: string,
  ): Promise<(TextPart | ImagePart)[] | OpenAiFailure> {
    const content = await this.read(parts);
    if (isFailure(content)) return content;
    const accepted = content.filter((part) => part.type !== "file");
    if (accepted.length === content.length) return accepted;
    const message = `${param} contains a file, which models do not accept in the result of a tool; send it in a message of the user`;
    return invalid("unsupported_content", message, param);
  }

  async #part(part: RequestedPart): Promise<TextPart | ImagePart | FilePart | OpenAiFailure> {
    switch (part.type) {
      case "text":
        return part;
      case "image": {
        const [, mimeType, data] = IMAGE.exec(part.url) ?? [];
        if (mimeType !== undefined && data !== undefined) return { type: "image", mimeType, data };
        if (!isWebUrl(part.url)) return unsupportedImage(part.param);
        const bytes = await this.#load(part.url, part.param);
        if (isFailure(bytes)) return bytes;
        const media = mediaOf(bytes);
        return media?.type === "image" ? media : unsupportedImage(part.param);
      }
      case "file": {
        const { source = "", name, param } = part;
        const bytes = isWebUrl(source) ? await this.#load(source, param) : bytesOf(source);
        if (bytes === undefined) return unreadableFile(param);
        if (isFailure(bytes)) return bytes;
        return mediaOf(bytes, name) ?? textOfFile(bytes, name) ?? unsupportedFile(param, name);
      }
    }
  }

  async #load(url: string, param: string): Promise<Uint8Array | OpenAiFailure> {
    this.#urls += 1;
    if (this.#urls > MOST_URLS) {
      const message = `a request can contain at most ${MOST_URLS} URLs of images and files; send the others as data URLs`;
      return invalid("too_many_urls", message, param);
    }
    this.#deadline ??= AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const deadline = this.#deadline;
    try {
      const response = await this.#fetch(url, AbortSignal.any([deadline, this.#disconnected]));
      if (!response.ok) {
        await response.body?.cancel();
        return unloaded(param, `its server answered with status ${response.status}`);
      }
      const bytes = new Uint8Array(await response.arrayBuffer());
      this.#bytes += bytes.byteLength;
      if (this.#bytes <= MOST_BYTES) return bytes;
      return unloaded(param, `the URLs of the request have more than ${MOST_BYTES} bytes in total`);
    } catch (error) {
      if (deadline.aborted) {
        const seconds = FETCH_TIMEOUT_MS / 1000;
        return unloaded(param, `it was not complete after ${seconds} seconds`);
      }
      // The message of another error may contain the URL with its query.
      return unloaded(
        param,
        OpenClawError.isInstance(error) ? errorMessage(error) : "the connection failed",
      );
    }
  }
}

const IMAGE = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/;
const BASE64 = /^(?:data:[^,]*;base64,)?([A-Za-z0-9+/]+={0,2})$/;

function isWebUrl(url: string): boolean {
  return /^https?:/i.test(url);
}

function bytesOf(source: string): Uint8Array | undefined {
  const [, data] = BASE64.exec(source) ?? [];
  return data === undefined ? undefined : Buffer.from(data, "base64");
}

function unloaded(param: string, reason: string): OpenAiFailure {
  const message = `${param} could not be fetched: ${reason}. Send the content as a data URL`;
  return invalid("url_not_fetched", message, param);
}

function unsupportedImage(param: string): OpenAiFailure {
  const message = `${param} must be a PNG, JPEG, GIF or WebP image, as https URL or as data URL in base64 (data:image/png;base64,…)`;
  return invalid("image_unsupported", message, param);
}

function unreadableFile(param: string): OpenAiFailure {
  const message = `${param} must have the content as data URL or https URL (data:application/pdf;base64,…); this gateway has no stored files, so \`file_id\` is not supported`;
  return invalid("unsupported_content", message, param);
}

function unsupportedFile(param: string, name: string | undefined): OpenAiFailure {
  const named = name === undefined ? "" : ` (${JSON.stringify(name)})`;
  const message = `${param}${named} must be a PDF, an image or a text in UTF-8; convert it and send it again`;
  return invalid("unsupported_content", message, param);
}
