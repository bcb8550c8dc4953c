import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { detectCredentials, wrapExternalContent } from "@openclaw/safety";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import { exchangeHttp, type HttpAnswer, type HttpPolicy } from "./exchange.js";
import { htmlToMarkdown } from "./html-markdown.js";
import { httpText, textStart } from "./text.js";

const DEFAULT_MAX_CHARS = 50_000;
const MAX_CHARS = 90_000;
/** Below the 100 000 bytes at which the host cuts a result, so that the closing border stays (SAFE-002). */
const MAX_TEXT_BYTES = 92_000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Options of {@link createWebFetchTool}. */
export interface WebFetchToolOptions extends HttpPolicy {
  /** Time limit of the call with its redirects, in milliseconds; 30 000 when absent. */
  readonly timeoutMs?: number | undefined;
}

/** Details of the fetched page, for clients. */
export interface WebFetchDetails {
  /** After redirects. */
  url: string;
  status: number;
  contentType: string;
  /** True when there is more text than was given. */
  cut: boolean;
}

/**
 * Creates the `web_fetch` tool, which GETs a page and returns it as Markdown, other text unchanged, between
 * markers of external content (TURN-062, SAFE-032).
 * @param options - checks and time limit of its requests
 */
export function createWebFetchTool({
  timeoutMs = DEFAULT_TIMEOUT_MS,
  ...policy
}: WebFetchToolOptions) {
  return defineTool({
    name: "web_fetch",
    label: "Fetch web page",
    description:
      "Read a public https page: HTML as Markdown, other text as it is, no binary data. At most 5 MB.",
    parameters: Type.Object(
      {
        url: Type.String({ minLength: 1, description: "https URL." }),
        maxChars: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_CHARS,
            description: "Default 50000.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    // A credential that the model chose requires approval each time (SAFE-051); other calls need none.
    approval: ({ url }) => (detectCredentials({ url }).detected ? "always" : "never"),
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { url, maxChars = DEFAULT_MAX_CHARS }, signal) =>
      answer(`fetch ${url}`, async () => {
        const request = { url, method: "GET", headers: HEADERS, timeoutMs };
        const response = await exchangeHttp(request, policy, signal);
        if (response.status < 200 || response.status > 299) {
          throw new ToolRefusalError(
            "request-failed",
            `${response.url} answered ${response.status} ${response.statusText}. Check the URL, or try another page.`,
          );
        }
        return resultOf(response, await readPage(response, maxChars, signal));
      }),
  });
}

const HEADERS = {
  accept: "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.9, */*;q=0.5",
  "user-agent": "openclaw-web-fetch",
};

interface Page {
  readonly text: string;
  readonly contentType: string;
  readonly cut: boolean;
}

async function readPage(
  response: HttpAnswer,
  maxChars: number,
  signal: AbortSignal,
): Promise<Page> {
  const { text: source, contentType, isHtml } = httpText(response);
  const { text } = isHtml
    ? await htmlToMarkdown(source, { baseUrl: response.url, maxChars, signal })
    : { text: source };
  const start = textStart(text, maxChars, MAX_TEXT_BYTES);
  return { text: start, contentType, cut: start.length < text.length };
}

function resultOf(
  { url, status }: HttpAnswer,
  { text, contentType, cut }: Page,
): ToolResult<WebFetchDetails> {
  const notices = [`${url} answered ${status} with ${contentType || "no content type"}.`];
  if (text === "") notices.push("It has no text.");
  if (cut) {
    notices.push(
      `Cut after ${text.length} characters; give a larger maxChars (up to ${MAX_CHARS}) for more.`,
    );
  }
  const content: ToolResult["content"] = [{ type: "text", text: `[${notices.join(" ")}]` }];
  if (text !== "") {
    content.unshift({ type: "text", text: wrapExternalContent({ source: url, content: text }) });
  }
  return { content, details: { url, status, contentType, cut } };
}
