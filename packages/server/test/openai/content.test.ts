import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it } from "vitest";
import { ContentReader, type FetchUrl, type RequestedPart } from "../../src/openai/content.js";

class DeniedError extends OpenClawError {
  static override readonly code = "DENIED";
  static override readonly kind = "forbidden";
}

const PNG = Buffer.from("iVBORw0KGgo=", "base64");
const serving = (body: Uint8Array | string) => async () => new Response(body);
const nothing: FetchUrl = async () => {
  throw new TypeError("fetch failed: https://example.com/?token=hidden");
};

function read(fetch: FetchUrl, ...parts: RequestedPart[]) {
  return new ContentReader(fetch, new AbortController().signal).read(parts);
}

const image = (url: string): RequestedPart => ({ type: "image", url, param: "p" });
const file = (source: string | undefined, name?: string): RequestedPart => ({
  type: "file",
  source,
  name,
  param: "p",
});

describe("ContentReader", () => {
  it.each([
    ["image/png", "\x89PNG\r\n\x1a\n"],
    ["image/jpeg", "\xff\xd8\xff\xe0"],
    ["image/gif", "GIF89a"],
    ["image/webp", "RIFF\x00\x00\x00\x00WEBP"],
  ])("recognises a fetched image by its first bytes: %s", async (mimeType, start) => {
    const bytes = Buffer.from(start, "latin1");
    const data = bytes.toString("base64");
    expect(await read(serving(bytes), image("https://example.com/x"))).toEqual([
      { type: "image", mimeType, data },
    ]);
  });

  it("reads a PDF as file, and a text as text with its name", async () => {
    const pdf = Buffer.from("%PDF-1.7").toString("base64");
    const text = Buffer.from("a,b").toString("base64");
    expect(
      await read(
        nothing,
        file(`data:application/octet-stream;base64,${pdf}`, "a.pdf"),
        file(text, "b.csv"),
      ),
    ).toEqual([
      { type: "file", mimeType: "application/pdf", data: pdf, name: "a.pdf" },
      { type: "text", text: '[File "b.csv"]\na,b' },
    ]);
  });

  it.each([
    ["a file ID", nothing, file(undefined), "unsupported_content", "file_id"],
    ["a ZIP archive", nothing, file("UEsDBAA=", "a.zip"), "unsupported_content", "PDF"],
    ["a page", serving("<html>"), image("https://example.com/x"), "image_unsupported", "PNG"],
    [
      "a status of failure",
      async () => new Response("", { status: 404 }),
      image("https://example.com/x"),
      "url_not_fetched",
      "status 404",
    ],
    [
      "a denial",
      async () => Promise.reject(new DeniedError("not this host")),
      image("https://localhost/x"),
      "url_not_fetched",
      "not this host",
    ],
    ["a failure", nothing, image("https://example.com/x"), "url_not_fetched", "connection failed"],
    [
      "too many bytes",
      serving(Buffer.concat([PNG, Buffer.alloc(20_000_000)])),
      image("https://example.com/x"),
      "url_not_fetched",
      "20000000 bytes",
    ],
  ] as [string, FetchUrl, RequestedPart, string, string][])(
    "rejects %s",
    async (_, fetch, part, code, reason) => {
      const failure = await read(fetch, part);
      expect(failure).toMatchObject({ status: 400, code, param: "p" });
      expect(failure).toMatchObject({ message: expect.stringContaining(reason) });
      expect(JSON.stringify(failure)).not.toContain("hidden");
    },
  );

  it("fetches at most 20 URLs for a request", async () => {
    let fetched = 0;
    const fetch: FetchUrl = async () => {
      fetched += 1;
      return new Response(PNG);
    };
    const urls = Array.from({ length: 21 }, (_, index) => image(`https://example.com/${index}`));
    expect(await read(fetch, ...urls.slice(1))).toHaveLength(20);
    expect(await read(fetch, ...urls)).toMatchObject({ code: "too_many_urls" });
    expect(fetched).toBe(40);
  });

  it("stops a fetch whose client has disconnected", async () => {
    const connection = new AbortController();
    const reader = new ContentReader(
      (_url, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          connection.abort();
        }),
      connection.signal,
    );
    expect(await reader.read([image("https://example.com/x")])).toMatchObject({ status: 400 });
  });

  it("rejects a file in the result of a tool", async () => {
    const reader = new ContentReader(nothing, new AbortController().signal);
    const pdf = file(Buffer.from("%PDF-1.7").toString("base64"));
    expect(await reader.readResult([pdf], "input[1].output")).toMatchObject({
      code: "unsupported_content",
      param: "input[1].output",
    });
  });
});
