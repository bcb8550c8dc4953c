import type { ServerResponse } from "node:http";
import { type LoopbackRequest, LoopbackServer } from "./loopback-server.js";

/** Settings of a server with the audio API of OpenAI. */
export interface AudioServerOptions {
  /** API key that requests need; any request is accepted when absent. */
  readonly apiKey?: string;
}

/** Accepted request for a transcript. */
export interface TranscriptionRequest {
  readonly model: string;
  readonly language: string | undefined;
  readonly fileName: string;
  readonly bytes: number;
}

/** Accepted request for spoken text. */
export interface SpeechServerRequest {
  readonly model: string;
  readonly input: string;
  readonly voice: string;
  readonly format: string;
}

const FORMATS = new Set(["flac", "m4a", "mp3", "mp4", "mpeg", "mpga", "oga", "ogg", "wav", "webm"]);
const SPEECH_FORMATS: ReadonlyMap<string, readonly [mimeType: string, head: string]> = new Map([
  ["mp3", ["audio/mpeg", "ID3"]],
  ["opus", ["audio/ogg", "OggS"]],
  ["aac", ["audio/aac", "AAC "]],
  ["flac", ["audio/flac", "fLaC"]],
  ["wav", ["audio/wav", "RIFF"]],
]);
const MOST_BYTES = 25 * 1024 * 1024;
const LONGEST_INPUT = 4096;

/** An answer with an error, in the form of OpenAI. */
class Rejection extends Error {
  readonly status: number;
  readonly code: string | null;

  constructor(status: number, message: string, code: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Fake of the audio API of OpenAI: `/v1/audio/transcriptions` and `/v1/audio/speech`. It checks key, form, fields, formats and
 * sizes as OpenAI does. A recording is understood when {@link AudioServer.record} made it, or the server spoke it.
 */
export class AudioServer implements AsyncDisposable {
  readonly transcriptions: TranscriptionRequest[] = [];
  readonly speeches: SpeechServerRequest[] = [];
  readonly #apiKey: string | undefined;
  readonly #failures: Rejection[] = [];
  readonly #server = new LoopbackServer((request, response) => this.#answer(request, response));

  /** @param options - key of the server */
  constructor({ apiKey }: AudioServerOptions = {}) {
    this.#apiKey = apiKey;
  }

  /** URL of the API, with `/v1`. */
  get baseURL(): string {
    return `${this.#server.origin}/v1`;
  }

  /**
   * Returns a recording that the server understands.
   * @param text - spoken text
   */
  record(text: string): Uint8Array {
    return Buffer.from(`OggS${text}`);
  }

  /**
   * Returns the text of spoken audio.
   * @param audio - audio that the server spoke
   * @returns undefined for any other audio
   */
  hear(audio: Uint8Array): string | undefined {
    const content = Buffer.from(audio).toString();
    const heads = [...SPEECH_FORMATS.values()].map(([, head]) => head);
    const head = heads.find((each) => content.startsWith(each));
    return head === undefined ? undefined : content.slice(head.length);
  }

  /**
   * Makes the next request fail.
   * @param status - HTTP status
   * @param message - message of the error
   */
  fail(status: number, message: string): void {
    this.#failures.push(new Rejection(status, message));
  }

  /** Starts to listen on a free port of the loopback interface. */
  async listen(): Promise<void> {
    await this.#server.listen();
  }

  /** Closes the server and its connections. */
  async close(): Promise<void> {
    await this.#server.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(request: LoopbackRequest, response: ServerResponse): Promise<void> {
    const { method, path: url, headers } = request;
    const body = new Uint8Array(request.body);
    try {
      if (this.#apiKey !== undefined && headers.authorization !== `Bearer ${this.#apiKey}`) {
        throw new Rejection(401, "Incorrect API key provided", "invalid_api_key");
      }
      const failure = this.#failures.shift();
      if (failure !== undefined) throw failure;
      const type = headers["content-type"] ?? "";
      if (method === "POST" && url === "/v1/audio/transcriptions") {
        const answer = await this.#transcribe(body, type);
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(answer));
      } else if (method === "POST" && url === "/v1/audio/speech") {
        const { mimeType, audio } = this.#speak(body, type);
        response.writeHead(200, { "content-type": mimeType }).end(audio);
      } else throw new Rejection(404, `Invalid URL (${method} ${url})`, "unknown_url");
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { status, message, code } = error;
      response.writeHead(status, { "content-type": "application/json" });
      const about = { message, type: "invalid_request_error", param: null, code };
      response.end(JSON.stringify({ error: about }));
    }
  }

  async #transcribe(body: Uint8Array<ArrayBuffer>, type: string): Promise<object> {
    if (!type.startsWith("multipart/form-data")) {
      throw new Rejection(400, "Invalid content type: expected multipart/form-data");
    }
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    const file = form.get("file");
    if (!(file instanceof File)) throw new Rejection(400, "you must provide a file");
    const model = form.get("model");
    if (typeof model !== "string" || model === "") {
      throw new Rejection(400, "you must provide a model parameter");
    }
    const extension = file.name.split(".").at(-1)?.toLowerCase() ?? "";
    if (!FORMATS.has(extension)) {
      throw new Rejection(
        400,
        `Invalid file format. Supported formats: ${[...FORMATS].join(", ")}`,
      );
    }
    if (file.size > MOST_BYTES) throw new Rejection(413, "Maximum content size limit exceeded");
    const language = form.get("language");
    if (typeof language === "string" && !/^[a-z]{2,3}$/.test(language)) {
      throw new Rejection(400, `Invalid language '${language}': expected ISO-639-1`);
    }
    const text = this.hear(new Uint8Array(await file.arrayBuffer()));
    if (text === undefined) {
      throw new Rejection(400, "Audio file might be corrupted or unsupported", "invalid_value");
    }
    this.transcriptions.push({
      model,
      language: typeof language === "string" ? language : undefined,
      fileName: file.name,
      bytes: file.size,
    });
    return { text, usage: { type: "duration", seconds: 1 } };
  }

  #speak(body: Uint8Array, type: string): { readonly mimeType: string; readonly audio: Buffer } {
    if (!type.startsWith("application/json")) throw new Rejection(400, "expected a JSON body");
    const fields = JSON.parse(Buffer.from(body).toString()) as Readonly<Record<string, unknown>>;
    const { model, input, voice, response_format: format = "mp3" } = fields;
    if (typeof model !== "string") throw new Rejection(400, "you must provide a model parameter");
    if (typeof input !== "string" || input === "" || input.length > LONGEST_INPUT) {
      throw new Rejection(400, `input must have 1 to ${LONGEST_INPUT} characters`);
    }
    if (typeof voice !== "string") throw new Rejection(400, "you must provide a voice parameter");
    const known = SPEECH_FORMATS.get(String(format));
    if (known === undefined) throw new Rejection(400, `Invalid response_format '${format}'`);
    const [mimeType, head] = known;
    this.speeches.push({ model, input, voice, format: String(format) });
    return { mimeType, audio: Buffer.from(head + input) };
  }
}

/**
 * Starts a fake of the audio API of OpenAI for tests.
 * @param options - key of the server
 */
export async function startAudioServer(options: AudioServerOptions = {}): Promise<AudioServer> {
  const server = new AudioServer(options);
  await server.listen();
  return server;
}
